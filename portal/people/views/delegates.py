"""The pages of a person's assistants, and of the people for whom they schedule."""

from functools import cached_property
from typing import Any, Literal

from django.http import Http404, HttpResponse, QueryDict
from django.views.decorators.http import require_GET

from portal.access.form_fields import field_of
from portal.access.http import PortalRequest
from portal.client import ApiError, NotAvailable
from portal.connections.connected import connected
from portal.contract.delegates import Assistants, Schedulers
from portal.directory.colleagues import Colleague, PeopleField, find
from portal.people.naming import (
    MOST,
    AssistantsForm,
    add_assistants,
    delegates,
    field_naming,
    left_in,
)
from portal.people.views.person import PersonActionView, tab
from portal.translation import gettext as _, ngettext, number
from portal.ui.bulk_result import ManyOutcome
from portal.ui.error_messages import cause_of
from portal.ui.views import Labels, ManyView

_KINDS: tuple[Literal["assistants", "schedulers"], ...] = ("assistants", "schedulers")


@require_GET
@connected(needs=Assistants.list)
def delegate_lists(request: PortalRequest, user_id: str) -> HttpResponse:
    """Shows the person's assistants, and the colleagues that the person schedules for."""
    context: dict[str, object] = {"most": MOST}
    errors: list[ApiError] = []
    for kind in _KINDS:
        try:
            context[kind] = delegates(request.api, request.scope, user_id, kind)
        except ApiError as error:
            errors.append(error)
            context[f"{kind}_unread"] = cause_of(error)
    if len(errors) == len(_KINDS) and not isinstance(errors[0], NotAvailable):
        raise errors[0]
    return tab(request, user_id, "delegates", "people/person_delegates.html", context)


class AddAssistantsView(PersonActionView[AssistantsForm], ManyView[AssistantsForm, Colleague]):
    """Picks colleagues by a search, or takes their email addresses."""

    needs = Assistants.add
    tab = "delegates"

    @cached_property
    def present(self) -> list[Colleague]:
        """Returns the present assistants; a sent form is kept although they cannot be read."""
        try:
            return delegates(self.request.api, self.request.scope, self.person.id, "assistants")
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

    def field_of(self, one: Colleague) -> str:
        return field_naming(one)

    def done(self, outcome: ManyOutcome[Colleague]) -> str:
        count = len(outcome.done)
        words = ngettext("%(count)s assistant added.", "%(count)s assistants added.", count)
        return words % {"count": number(count)}


class DelegateActionView(PersonActionView):
    """Base of removing assistants and removing schedulers; they differ in `kind`."""

    is_destructive = True
    tab = "delegates"
    kind: Literal["assistants", "schedulers"] = "assistants"

    @cached_property
    def listed(self) -> list[Colleague]:
        return delegates(self.request.api, self.request.scope, self.person.id, self.kind)

    @property
    def calls(self) -> Any:
        return getattr(self.request.api, self.kind)

    def words(self, of_assistants: str, of_schedulers: str, **values: object) -> str:
        return (of_assistants if self.kind == "assistants" else of_schedulers) % values

    def consequence(self, names: str) -> tuple[str, str]:
        """Returns an icon, and words on the people who can no longer schedule for others."""
        name = self.person.name
        who, whom = (names, name) if self.kind == "assistants" else (name, names)
        return (
            "calendar-x",
            _("%(who)s can no longer schedule meetings for %(whom)s.") % {"who": who, "whom": whom},
        )


class RemoveAssistantView(DelegateActionView):
    """Removes one person who schedules for another."""

    needs = Assistants.remove

    @cached_property
    def delegate(self) -> Colleague:
        for one in self.listed:
            if one.key == self.kwargs["delegate_id"]:
                return one
        raise Http404

    def prepare(self) -> None:
        self.delegate  # noqa: B018 - reads it

    def labels(self) -> Labels:
        undo = self.words(
            _("This can be undone: add the assistant again."),
            _("This can be undone: add the scheduler again."),
        )
        return Labels(
            _("Remove %(name)s?") % {"name": self.delegate.name},
            submit=_("Remove"),
            consequences=[
                self.consequence(self.delegate.name),
                ("calendar-check", _("Meetings that are scheduled already stay.")),
                ("undo-2", undo),
            ],
        )

    def perform(self, form: object) -> str:
        self.calls.remove(self.person.id, self.delegate.key)
        return self.words(
            _("%(name)s is removed as assistant."),
            _("%(name)s is removed as scheduler."),
            name=self.delegate.name,
        )


class RemoveSchedulerView(RemoveAssistantView):
    """Removes a scheduler, seen from the person who schedules."""

    needs = Schedulers.remove
    kind = "schedulers"


class RemoveAllAssistantsView(DelegateActionView):
    needs = Assistants.remove_all

    def labels(self) -> Labels:
        count = len(self.listed)
        what = self.words(
            ngettext("%(count)s assistant", "%(count)s assistants", count),
            ngettext("%(count)s scheduler", "%(count)s schedulers", count),
            count=number(count),
        )
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
        self.calls.remove_all(self.person.id)
        return self.words(
            _("All assistants of %(name)s are removed."),
            _("All schedulers of %(name)s are removed."),
            name=self.person.name,
        )


class RemoveAllSchedulersView(RemoveAllAssistantsView):
    needs = Schedulers.remove_all
    kind = "schedulers"
