"""Pages of actions on rows that were selected in a list, or on many people."""

from typing import Generic

from django import forms
from django.http import HttpResponse, QueryDict
from django.utils.translation import gettext_noop
from typing_extensions import TypeVar

from portal.access.http import PortalRequest
from portal.translation import ngettext, number
from portal.ui import idempotency
from portal.ui.autocomplete import FIELD, answer_search, unchecked
from portal.ui.bulk_result import ManyOutcome, NamedPeople, outcome_context
from portal.ui.forms.layout import focused
from portal.ui.pages import go, toast
from portal.ui.selection import Selection, SelectionRefused, chosen_in
from portal.ui.views.action import ActionView, FormT

# What is left if something could not be done.
LeftT = TypeVar("LeftT", bound=NamedPeople, default=NamedPeople)
_REASONS = 3  # that stand at a field
CONFIRMED = "confirmed"  # the field that tells this page's own form from that of the list


class ChosenView(ActionView[FormT]):
    """An action on the rows that a list's form sends; its own form carries the selection on."""

    is_sent_once = True

    selection: Selection

    def choose(self) -> None:
        """Finds what `selection` means. Raises `SelectionRefused`, and `ApiError` where the service
        is asked."""
        raise NotImplementedError

    def listed_from(self) -> str:
        """Returns what of the list could not be read, in words; all of it is without these."""
        return ""

    def search_form(self) -> forms.BaseForm:
        """Returns the form whose fields are searched: a script's search carries no selection.
        Raises `Http404` if none is."""
        return self.get_form()

    def carried(self) -> list[tuple[str, str]]:
        """Returns the selection as hidden fields."""
        return self.selection.fields

    def get(self, request: PortalRequest, *_args: object, **_kwargs: object) -> HttpResponse:
        if FIELD in request.GET:
            return answer_search(request, self.search_form())
        return self._refused(request.GET) or self.render(focused(self.get_form()))

    def post(self, request: PortalRequest, *args: object, **kwargs: object) -> HttpResponse:
        if refused := self._refused(request.POST):
            return refused
        if CONFIRMED not in request.POST:
            return self.render(focused(self.get_form()))
        return super().post(request, *args, **kwargs)

    def render(self, form: FormT, **more: object) -> HttpResponse:
        carried = [*self.carried(), (CONFIRMED, "1")]
        return super().render(form, **{"carried": carried, **more})

    def _refused(self, data: QueryDict) -> HttpResponse | None:
        try:
            self.selection = chosen_in(data)
            self.choose()
            if self.selection.matching is not None:
                self.request.unread.add(self.listed_from())
        except SelectionRefused as refused:
            toast(self.request, "warning", str(refused))
            return go(self.request, self.cancel_url())
        return None


class ManyView(ActionView[FormT], Generic[FormT, LeftT]):
    """An action on many people; those for whom it failed stay in the form.

    It is done once, however often the form is sent; what is left is sent by a form of its own.
    """

    is_sent_once = True

    @property
    def verb_done(self) -> str:
        """Returns the participle of the verb, in English."""
        return gettext_noop("added")

    def carry_out(self, form: FormT) -> ManyOutcome[LeftT]:
        """Carries the action out for all of them, as far as possible."""
        raise NotImplementedError

    def rest(self, outcome: ManyOutcome[LeftT]) -> FormT:
        """Returns the form with the people who are left, as they were named."""
        raise NotImplementedError

    def field_of(self, one: LeftT) -> str:
        """Returns the name of the form's field that names a person; empty if none does."""
        return ""

    def done(self, outcome: ManyOutcome[LeftT]) -> str:
        """Returns the text of the toast if no one is left."""
        raise NotImplementedError

    def submit(self, form: FormT) -> HttpResponse:
        key = self.request.POST.get("idempotency_key", "")
        if not form.is_valid():
            return self.render(form)
        with idempotency.attempt(self.request.user, key) as attempt:
            if attempt.earlier:
                return self.go_on_again()
            outcome = self.carry_out(form)
            if outcome.is_whole:
                attempt.done(self.verb_done)
                return self.go_on(self.done(outcome))
        form = self._marked(self.rest(outcome), outcome)
        return self.render(form, **outcome_context(outcome, self.verb_done))

    def _marked(self, form: FormT, outcome: ManyOutcome[LeftT]) -> FormT:
        """Returns the form with the reasons at the fields that name those who were refused; the
        first of these has the focus. The page has summed them up already."""
        refused: dict[str, list[str]] = {}
        for one, why in outcome.refused:
            if name := self.field_of(one):
                refused.setdefault(name, []).append(f"{one.name}: {why}")
        if not refused:
            return form
        unchecked(form)
        for name, reasons in refused.items():
            form.add_error(name, [*reasons[:_REASONS], *_more(len(reasons) - _REASONS)])
        first = next(field for field in form.visible_fields() if field.errors)
        first.field.widget.attrs["autofocus"] = True
        vars(form)["is_summed_up"] = True
        return form


def _more(count: int) -> list[str]:
    if count <= 0:
        return []
    words = ngettext("%(count)s more is named above.", "%(count)s more are named above.", count)
    return [words % {"count": number(count)}]
