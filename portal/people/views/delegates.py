"""A person's assistants, and those whom a person may schedule for: listed, added and removed."""

from functools import cached_property
from typing import Any, ClassVar

from django.http import Http404, HttpResponse, QueryDict
from django.views.decorators.http import require_GET

from portal.access.connected import connected
from portal.access.form_fields import field_of
from portal.access.http import PortalRequest
from portal.client import ApiError, NotAvailable
from portal.contract.delegates import Assistants, Schedulers
from portal.directory.colleagues import Colleague, PeopleField, find
from portal.people.naming import (
    MOST,
    AssistantsForm,
    add_assistants,
    assistants,
    left_in,
    schedulers,
)
from portal.people.views.person import PersonActionView, tab
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.bulk_result import ManyOutcome
from portal.ui.error_messages import cause_of
from portal.ui.views import Labels, ManyView

_UNDO = {
    "assistant": gettext_lazy("This can be undone: add the assistant again."),
    "scheduler": gettext_lazy("This can be undone: add the scheduler again."),
}
_REMOVED = {
    "assistant": gettext_lazy("%(name)s is removed as assistant."),
    "scheduler": gettext_lazy("%(name)s is removed as scheduler."),
}
_ALL_REMOVED = {
    "assistant": gettext_lazy("All assistants of %(name)s are removed."),
    "scheduler": gettext_lazy("All schedulers of %(name)s are removed."),
}


@require_GET
@connected(needs=Assistants.list)
def delegate_lists(request: PortalRequest, user_id: str) -> HttpResponse:
    """Shows the person's assistants, and the colleagues that the person schedules for."""
    context: dict[str, object] = {"most": MOST}
    lists = {"assistants": assistants, "schedulers": schedulers}
    errors: list[ApiError] = []
    for name, read in lists.items():
        try:
            context[name] = read(request.api, request.scope, user_id)
        except ApiError as error:
            errors.append(error)
            context[f"{name}_unread"] = cause_of(error)
    if len(errors) == len(lists) and not isinstance(errors[0], NotAvailable):
        raise errors[0]
    return tab(request, user_id, "delegates", "people/person_delegates.html", context)


class AddAssistantsView(PersonActionView[AssistantsForm], ManyView[AssistantsForm, Colleague]):
    """Picks colleagues by a search, or takes their email addresses."""

    needs = Assistants.add
    tab = "delegates"

    @cached_property
    def present(self) -> list[Colleague]:
        """The assistants there are; a form that is sent is not lost because they cannot be read."""
        try:
            return assistants(self.request.api, self.request.scope, self.person.id)
        except ApiError:
            if self.request.method == "GET":
                raise
            return []

    def labels(self) -> Labels:
        lead = _("They may schedule meetings in the name of %(name)s.") % {"name": self.person.name}
        return Labels(_("Add assistants"), submit=_("Add assistants"), lead=lead)

    def get_form(
        self, data: QueryDict | None = None, initial: dict[str, str] | None = None
    ) -> AssistantsForm:
        scope, present = self.request.scope, self.present
        there = [self.person.id, *(one.id for one in present)]
        form = AssistantsForm(data, scope=scope, present=len(present), initial=initial)
        field_of(form, "picked", PeopleField).offer_people(
            scope,
            self.request.path,
            lambda search, besides: find(scope, search, besides=[*there, *besides]),
        )
        return form

    def carry_out(self, form: AssistantsForm) -> ManyOutcome[Colleague]:
        return add_assistants(self.request.api, self.person.id, form.people)

    def rest(self, outcome: ManyOutcome[Colleague]) -> AssistantsForm:
        return self.get_form(initial=left_in(outcome))

    def done(self, outcome: ManyOutcome[Colleague]) -> str:
        count = len(outcome.done)
        words = ngettext("%(count)s assistant added.", "%(count)s assistants added.", count)
        return words % {"count": number(count)}


_LISTED = {"assistant": assistants, "scheduler": schedulers}


class DelegateActionView(PersonActionView):
    """Base of removing assistants and removing schedulers; they differ in `kind`."""

    is_destructive = True
    tab = "delegates"
    kind: ClassVar[str]

    @cached_property
    def listed(self) -> list[Colleague]:
        return _LISTED[self.kind](self.request.api, self.request.scope, self.person.id)

    def calls(self) -> Any:
        """The family of the service's operations."""
        return getattr(self.request.api, f"{self.kind}s")

    def in_words(self, count: int) -> str:
        if self.kind == "assistant":
            words = ngettext("%(count)s assistant", "%(count)s assistants", count)
        else:
            words = ngettext("%(count)s scheduler", "%(count)s schedulers", count)
        return words % {"count": number(count)}

    def consequence(self, delegates: str) -> tuple[str, str]:
        """Returns an icon, and words on the people who can no longer schedule for others."""
        name = self.person.name
        who, whom = (delegates, name) if self.kind == "assistant" else (name, delegates)
        return (
            "calendar-x",
            _("%(who)s can no longer schedule meetings for %(whom)s.") % {"who": who, "whom": whom},
        )


class RemoveAssistantView(DelegateActionView):
    """Removes one person who schedules for another."""

    needs = Assistants.remove
    kind = "assistant"

    @cached_property
    def delegate(self) -> Colleague:
        for one in self.listed:
            if one.key == self.kwargs["delegate_id"]:
                return one
        raise Http404

    def prepare(self) -> None:
        self.delegate  # noqa: B018 - reads it

    def labels(self) -> Labels:
        return Labels(
            _("Remove %(name)s?") % {"name": self.delegate.name},
            submit=_("Remove"),
            consequences=[
                self.consequence(self.delegate.name),
                ("calendar-check", _("Meetings that are scheduled already stay.")),
                ("undo-2", str(_UNDO[self.kind])),
            ],
        )

    def perform(self, form: object) -> str:
        self.calls().remove(self.person.id, self.delegate.key)
        return _REMOVED[self.kind] % {"name": self.delegate.name}


class RemoveSchedulerView(RemoveAssistantView):
    """Removes a scheduler, seen from the person who schedules."""

    needs = Schedulers.remove
    kind = "scheduler"


class RemoveAllAssistantsView(DelegateActionView):
    """Removes everybody who schedules for a person."""

    needs = Assistants.remove_all
    kind = "assistant"

    def labels(self) -> Labels:
        what = self.in_words(len(self.listed))
        return Labels(
            _("Remove %(what)s of %(name)s?") % {"what": what, "name": self.person.name},
            submit=_("Remove %(what)s") % {"what": what},
            consequences=[
                self.consequence(", ".join(one.name for one in self.listed)),
                ("calendar-check", _("Meetings that are scheduled already stay.")),
                ("undo-2", _("To undo this, add each of them again.")),
            ],
        )

    def perform(self, form: object) -> str:
        self.calls().remove_all(self.person.id)
        return _ALL_REMOVED[self.kind] % {"name": self.person.name}


class RemoveAllSchedulersView(RemoveAllAssistantsView):
    """Removes everybody for whom a person schedules."""

    needs = Schedulers.remove_all
    kind = "scheduler"
