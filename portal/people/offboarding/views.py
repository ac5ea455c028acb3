"""The pages by which people leave, with their forms, and the receipt."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from django import forms
from django.forms import BoundField
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_GET

from portal.access.form_fields import field_of
from portal.access.http import PortalRequest
from portal.connections.connected import connected
from portal.contract.users import Users
from portal.directory.colleagues import PeopleField, find
from portal.jobs.filters import jobs_of
from portal.jobs.labels import state_of_item
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.offboarding import (
    HAND_OVER,
    LEAVE,
    TRANSFER,
    Ending,
    Holding,
    HoldingSummary,
    Leaver,
    Leaving,
    Option,
    holdings,
)
from portal.jobs.steps import step_called
from portal.jobs.views.drafting import Draft, JobFormView
from portal.people.chosen import ChosenPeopleForm, ChosenPeopleView, Who
from portal.people.jobs.base import PeopleSelection
from portal.people.jobs.steps import REMOVE
from portal.people.labels import job_title
from portal.people.offboarding.holdings import leaver_of
from portal.people.offboarding.jobs import STAYS, OffboardPeopleJob, holdings_in_words
from portal.people.offboarding.recipients import listed_recipient
from portal.people.services.removal import RecipientRefused
from portal.people.views.person import PersonActionView
from portal.people.views.removal import add_unconfirmed, deletion_field
from portal.translation import gettext as _, gettext_lazy, lazily, pgettext, within
from portal.ui.forms.widgets import Cards
from portal.ui.pages import page
from portal.ui.views import Labels


@dataclass(frozen=True)
class ReceiptLine:
    """A step as the receipt shows it; `why` is the reason where it was not carried out."""

    verb: str
    title: str
    after: str
    at: datetime | None = None
    before: str = ""
    why: str = ""


@dataclass
class PersonReceipt:
    """One person: what was done, what stayed as it is, and what was not done."""

    user_id: str
    name: str
    done: list[ReceiptLine] = field(default_factory=list)
    left: list[ReceiptLine] = field(default_factory=list)
    not_done: list[ReceiptLine] = field(default_factory=list)


@dataclass(frozen=True)
class Receipt:
    people: list[PersonReceipt]
    leaving: Leaving
    is_whole: bool

    @property
    def ending(self) -> Ending:
        return self.leaving.ending

    @property
    def recipient(self) -> str:
        to = self.leaving.recipient
        if to is None:
            return ""
        return f"{to.name}, {to.email}" if to.email and to.email != to.name else to.name


def receipt_of(job: Job, user_id: str = "") -> Receipt:
    """Returns the receipt of all people of a job, or of one of them."""
    people: dict[int, PersonReceipt] = {}
    for item in job.items.order_by("number", "pk"):
        whose = str(item.data.get("user_id", ""))
        person = people.setdefault(item.number, PersonReceipt(whose, item.shown_label))
        _add(person, job, item)
    wanted = [one for one in people.values() if user_id in ("", one.user_id)]
    return Receipt(wanted, Leaving.of(job.parameters["leaving"]), not user_id)


def _add(person: PersonReceipt, job: Job, item: JobItem) -> None:
    state = ItemState(item.state)
    if item.action == STAYS:
        person.left += _lines(item, pgettext("stays as it is", "Left"))
    elif state == ItemState.DONE:
        person.done += _lines(item, step_called(item.action).verb)
    elif state != ItemState.UNCHANGED:
        problems = " ".join(words for _, words in item.shown_problems)
        why = item.shown_message or problems or state_of_item(job, state)
        verb = step_called(item.action).verb if item.action else ""
        person.not_done += _lines(item, verb, why) or [ReceiptLine(verb, _("Person"), "", why=why)]


def _lines(item: JobItem, verb: str, why: str = "") -> list[ReceiptLine]:
    """Returns a line for each change; what a removal transfers is a line of its own."""
    at = None if why or item.action == STAYS else item.ended_at
    removes = item.action == REMOVE
    return [
        ReceiptLine(
            _("Transfer") if removes and title != item.read(item.data["title"]) else verb,
            title,
            after,
            at,
            before,
            why,
        )
        for title, before, after in item.shown_changes
    ]


_STAYING = "_staying"  # ends the names of fields about a person who stays on the account
_REMOVALS = ",".join(ending.value for ending in Ending if ending.removes)
_HINT = gettext_lazy("Nothing changes yet: you preview all steps first.")


@dataclass(frozen=True)
class OffboardingSection:
    """Objects of one kind that people own, with the fields that decide about them.

    `summary` is set only if one person leaves. Each field is shown with some endings.
    """

    holding: Holding
    summary: HoldingSummary | None
    fields: list[tuple[str, BoundField]]

    @property
    def is_empty(self) -> bool:
        """Returns whether there is nothing to choose, because nothing is owned; of recordings there
        may be older ones than the service lists."""
        return bool(self.summary and self.summary.count == 0 and not self.holding.may_be_more)


class OffboardForm(ChosenPeopleForm):
    """`leavers` are the ids of who leaves; `leaver_holdings` one of them and their property."""

    heading = gettext_lazy("Offboard %(who)s")

    ending = forms.ChoiceField(
        label=gettext_lazy("What happens to the account"),
        choices=lambda: [(one.value, one.label) for one in Ending],
        initial=Ending.DEACTIVATE.value,  # the one that can be undone
        widget=Cards,
    )
    recipient = PeopleField(
        label=gettext_lazy("Recipient"),
        help_text=gettext_lazy(
            "Who gets what is transferred. Must be active, and licensed to host it."
        ),
    )
    confirmation = deletion_field()

    def __init__(
        self,
        request: PortalRequest,
        data: QueryDict | None = None,
        *,
        leavers: Collection[str] = (),
        leaver_holdings: tuple[Leaver, Mapping[str, HoldingSummary]] | None = None,
    ) -> None:
        super().__init__(request, data)
        self._leavers, self._leaver_holdings = leavers, leaver_holdings
        widget: Any = self.fields["ending"].widget
        widget.explanations = {one.value: one.explanation for one in Ending}
        for one in holdings():
            has_two = bool(one.transferred_by)
            is_none = bool(
                leaver_holdings
                and leaver_holdings[1].get(one.name)
                and leaver_holdings[1][one.name].count == 0
            )
            if not one.ends_with_removal:
                title = (
                    _("%(title)s, if the person is removed") % {"title": one.title}
                    if has_two
                    else one.title
                )
                self.fields[one.name] = _field(title, one.options, leaves=is_none)
            if has_two or one.ends_with_removal:
                title = _("%(title)s, if the person is only deactivated") % {"title": one.title}
                self.fields[one.name + _STAYING] = _field(title, one.options_staying)
        scope = request.scope
        field_of(self, "recipient", PeopleField).offer_people(
            scope,
            request.path,
            lambda search, besides: find(scope, search, besides=[*leavers, *besides]),
        )

    def sections(self) -> list[OffboardingSection]:
        """Returns the kinds that may have property, with their fields."""
        return [one for one in self._sections() if not one.is_empty]

    def nothing(self) -> list[str]:
        """Returns the titles of the kinds without property."""
        return [one.holding.title for one in self._sections() if one.is_empty]

    def _sections(self) -> Iterator[OffboardingSection]:
        for one in holdings():
            shown = []
            if one.name in self.fields:
                only = _REMOVALS if one.name + _STAYING in self.fields else ""
                shown.append((only, self[one.name]))
            if one.name + _STAYING in self.fields:
                shown.append((Ending.DEACTIVATE.value, self[one.name + _STAYING]))
            summary = self._leaver_holdings[1].get(one.name) if self._leaver_holdings else None
            yield OffboardingSection(one, summary, shown)

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if "ending" not in cleaned:
            return cleaned
        ending, chosen = Ending(cleaned["ending"]), self._choices(cleaned)
        gives = [name for name, choice in chosen.items() if choice in (TRANSFER, HAND_OVER)]
        if gives and not cleaned.get("recipient") and "recipient" not in self.errors:
            self.add_error("recipient", _("Choose who gets what is transferred."))
        elif cleaned.get("recipient") and not gives:
            self.add_error("recipient", _("Choose what they get, or leave this empty."))
        if ending is Ending.DELETE:
            add_unconfirmed(self)
        return cleaned

    def plan(self, who: Who) -> Draft | None:
        cleaned = self.cleaned_data
        ending, chosen = Ending(cleaned["ending"]), self._choices(cleaned)
        recipient = None
        if user_id := cleaned.get("recipient"):
            try:
                recipient = listed_recipient(self.request.scope, user_id, self._leavers)
            except RecipientRefused as refused:
                self.add_error("recipient", str(refused))
                return None
        leaving = Leaving(ending, chosen, recipient)
        self._check(leaving)
        if self.errors:
            return None
        words = gettext_lazy("Offboard %(who)s: %(ending)s")
        called = lazily(lambda: within(ending.label))
        title = job_title(words, who, ending=called)
        return Draft("people.offboard", title, {"leaving": leaving.as_parameters()})

    def _check(self, leaving: Leaving) -> None:
        """Adds the problems that show before the plan of a single person."""
        if self._leaver_holdings is None or not leaving.ending.removes:
            return
        _leaver, summaries = self._leaver_holdings
        for one in holdings():
            summary = summaries.get(one.name)
            if summary and summary.obstacle and leaving.choice(one.name) != TRANSFER:
                self.add_error(one.name, summary.obstacle)

    def _choices(self, cleaned: Mapping[str, Any]) -> dict[str, str]:
        """Returns the choice for each kind, by the fields that count with the ending."""
        removes = Ending(cleaned["ending"]).removes
        choices = {}
        for one in holdings():
            staying = one.name + _STAYING
            name = one.name if removes or staying not in self.fields else staying
            if name in self.fields:
                choices[one.name] = cleaned.get(name) or self.fields[name].initial
        return choices


def _field(title: str, options: Collection[Option], *, leaves: bool = False) -> forms.ChoiceField:
    """Returns a choice that suggests the first option, or to leave it if there is nothing."""
    choices = [(one.value, one.label) for one in options]
    initial = LEAVE if leaves else choices[0][0]
    return forms.ChoiceField(label=title, choices=choices, initial=initial, required=False)


class OffboardPersonView(PersonActionView[OffboardForm], JobFormView[OffboardForm]):
    is_sent_once = True
    needs = Users.delete
    template_name = "people/offboard.html"

    @cached_property
    def leaver_holdings(self) -> tuple[Leaver, dict[str, HoldingSummary]]:
        leaver = leaver_of(self.person.details)
        return leaver, holdings_in_words(self.request.api, self.request.scope, leaver)

    def labels(self) -> Labels:
        return Labels(
            _("Offboard %(name)s") % {"name": self.person.name},
            submit=_("Preview steps"),
            hint=_HINT,
        )

    def get_form(self, data: QueryDict | None = None) -> OffboardForm:
        return OffboardForm(
            self.request, data, leavers=[self.person.id], leaver_holdings=self.leaver_holdings
        )

    def way_back(self) -> str:
        return ""  # each choice of the form has its own

    def draft(self, form: OffboardForm) -> Draft | None:
        plan = form.plan(lambda: self.person.name)
        parameters = {"chosen": PeopleSelection.one_by_one([self.person.id]).as_parameters()}
        return plan and replace(plan, parameters=parameters | plan.parameters)


class OffboardChosenView(ChosenPeopleView[OffboardForm]):
    """Several people at once, all in the same way."""

    needs = Users.delete
    form_class = OffboardForm
    template_name = "people/offboard.html"

    def get_form(self, data: QueryDict | None = None) -> OffboardForm:
        rows = self.chosen.rows(self.request.scope)
        leavers = list(rows.values_list("user_id", flat=True))
        return OffboardForm(self.request, data, leavers=leavers)

    def search_form(self) -> OffboardForm:
        return OffboardForm(self.request)


@require_GET
@connected(needs=Users.get)
def receipt(request: PortalRequest, job_key: str, user_id: str = "") -> HttpResponse:
    """Shows the steps of an offboarding, for print; those of one person, or of all."""
    jobs = jobs_of(request.scope).select_related("owner", "connection__owner")
    approved = jobs.exclude(approved_at=None)
    job = get_object_or_404(approved, kind=OffboardPeopleJob.name, key=job_key)
    receipt_lines = receipt_of(job, user_id)
    if not receipt_lines.people:
        raise Http404
    whole = reverse("people:offboarding", args=[request.connection.key, job.key])
    return page(
        request, "people/receipt.html", {"receipt": receipt_lines, "job": job, "whole": whole}
    )
