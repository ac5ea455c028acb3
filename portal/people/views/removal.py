"""Removing a person: what is deleted with them, what is transferred, and the confirmation."""

from collections.abc import Collection, Iterator
from typing import Any, ClassVar

from django import forms
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.access.http import PortalRequest
from portal.access.models.connection import dialect_named
from portal.connections.approval_rules import is_chosen
from portal.connections.connected import connected
from portal.contract.users import RemovalAction, UserRemoval, UserRemovalToday, Users
from portal.directory.colleagues import find
from portal.jobs.views.drafting import Draft
from portal.people.chosen import ChosenPeopleForm, Who
from portal.people.labels import TRANSFERRED, TRANSFERRED_TODAY, job_title, transferred_by
from portal.people.services import removal as service
from portal.people.services.person import from_mirror, read
from portal.people.services.removal import (
    Belongings,
    RecipientRefused,
    RemovedPerson,
    check_colleague,
    check_listed,
)
from portal.translation import capitalized, gettext as _, gettext_lazy
from portal.ui.addresses import address_in
from portal.ui.errors import errors_to_form
from portal.ui.forms import ContractForm, contract_fields
from portal.ui.forms.fields import DELETE_WORD, is_typed, typed_field
from portal.ui.pages import go, page, toast
from portal.ui.views.action import giving_reason, reason_form_of

_ONLY_TO_DELETE = gettext_lazy("Required only to delete permanently.")


def deletion_field() -> forms.CharField:
    """Returns the field in which the word is typed that confirms a deletion."""
    return typed_field(DELETE_WORD, required=False, help_text=_ONLY_TO_DELETE)


def _is_address(typed: str) -> bool:
    try:
        return "@" in typed and address_in(typed) == typed
    except ValueError:
        return False


def add_unconfirmed(form: forms.BaseForm, accepted: Collection[str] = (DELETE_WORD,)) -> None:
    """Adds an error if what was typed is none of the accepted words."""
    typed = form.cleaned_data.get("confirmation") or ""
    if not any(is_typed(word, typed) for word in accepted):
        words = _("This is not it.") if typed else _("Nothing was typed.")
        form.add_error("confirmation", words)


@contract_fields(UserRemovalToday)
class _RemovalFields(ContractForm[UserRemoval]):
    """The way in which people leave, chosen each time since none can be undone, and the recipient
    of what they have."""

    untyped: ClassVar[str]  # the problem of a recipient that is no address
    confirmation = deletion_field()

    transfers: Collection[str] = tuple(TRANSFERRED)

    def offer(self, transfers: Collection[str]) -> None:
        """Offers these transfers alone, by the parameters of the removal."""
        self.transfers = transfers
        for name in TRANSFERRED_TODAY.keys() - set(transfers):
            self.fields.pop(name, None)

    def label(self, way: str, recipient_hint: str, **attrs: str) -> None:
        action, recipient = self.fields["action"], self.fields["transfer_email"]
        action.label, action.initial = way, None
        action.required = action.widget.is_required = True
        action.error_messages["required"] = gettext_lazy("Choose one. Neither can be undone.")
        recipient.label, recipient.help_text = _("Transfer to"), recipient_hint
        recipient.widget.attrs |= {"inputmode": "email", **attrs}

    def accepted(self) -> Collection[str]:
        """Returns the words that confirm a deletion."""
        return (DELETE_WORD,)

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, Any] = super().clean()
        email = cleaned.get("transfer_email")
        if email and not _is_address(email):
            self.add_error("transfer_email", self.untyped)
        elif email and not any(cleaned.get(name) for name in self.transfers):
            self.add_error("transfer_email", _("Choose what they get, or leave this empty."))
        if cleaned.get("action") == RemovalAction.DELETE:
            add_unconfirmed(self, self.accepted())
        return cleaned

    def how(self) -> UserRemoval | None:
        """Returns the removal of an incomplete form too; None before an action is chosen."""
        chosen = getattr(self, "cleaned_data", None) or self.initial
        if not chosen.get("action"):
            return None
        action = RemovalAction(chosen["action"])
        email = chosen.get("transfer_email")
        if not email:
            return UserRemoval(action=action)
        given = {name: bool(chosen.get(name)) for name in self.transfers}
        return UserRemovalToday(action=action, transfer_email=email, **given)


class RemovalForm(_RemovalFields):
    """The removal of one person.

    `agreed` is the sentence that the administrator read last, `state` the signed state of the page.
    """

    untyped = gettext_lazy("Choose a colleague, or type their email address.")
    agreed = forms.CharField(required=False, widget=forms.HiddenInput)
    state = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None = None, *, leaver: RemovedPerson) -> None:
        self.leaver = leaver
        super().__init__(data, suggest=_suggested(leaver.belongings))
        self.offer((*TRANSFERRED, *leaver.belongings.others))
        self.label(
            _("How %(name)s leaves") % {"name": leaver.name},
            _("A colleague, found by name, department or email. Empty: nothing is transferred."),
            list="colleagues",
        )
        self.fields["confirmation"].label = _("Type %(value)s to confirm") % {
            "value": leaver.email or leaver.name
        }

    def accepted(self) -> Collection[str]:
        return {self.leaver.email.casefold(), self.leaver.name.casefold()} - {""}


def _suggested(belongings: Belongings) -> dict[str, object]:
    """Returns the transfers that are checked at first: all that there is, or that may be."""
    counts = (belongings.meetings, belongings.webinars, belongings.recordings)
    counted = {name: count != 0 for name, count in zip(TRANSFERRED, counts, strict=True)}
    return dict[str, object](counted) | dict.fromkeys(belongings.others, True)


class RemoveForm(ChosenPeopleForm, _RemovalFields):
    heading = gettext_lazy("Remove %(who)s")
    beside, beside_shown_with = ("confirmation",), "action=delete"
    untyped = gettext_lazy("Type their email address.")

    def __init__(self, request: PortalRequest, data: QueryDict | None = None) -> None:
        transfers = transferred_by(request.connection)
        super().__init__(request, data, suggest=dict.fromkeys(transfers, True))
        self.offer(transfers)
        hint = _("The email of a colleague who stays. Empty: nothing is transferred.")
        self.label(_("How they leave"), hint)

    def plan(self, who: Who) -> Draft | None:
        how = self.how()
        if how is None:
            return None
        if how.transfer_email:
            try:
                check_listed(self.request.scope, how.transfer_email)
            except RecipientRefused as refused:
                self.add_error("transfer_email", str(refused))
        data = how.model_dump(mode="json", exclude_none=True)
        words = gettext_lazy("Disassociate %(who)s")
        if how.action is RemovalAction.DELETE:
            words = gettext_lazy("Delete %(who)s")
        return Draft("people.remove", job_title(words, who), {"how": data})


TEMPLATE = "people/remove.html"


@require_http_methods(["GET", "POST"])
@connected(needs=Users.delete)
def remove(request: PortalRequest, user_id: str) -> HttpResponse:
    """Asks how the person leaves, and carries out what was read and confirmed."""
    if request.method == "GET":
        person = read(request.api, request.scope, user_id)
        others = dialect_named(request.connection.dialect).transfers
        belongings = service.count_belongings(request.api, person.id, others)
        leaver = RemovedPerson(person.id, person.details.email, person.name, belongings)
        return _page(request, RemovalForm(leaver=leaver))
    form = RemovalForm(request.POST, leaver=_met(request, user_id))
    how = form.how() if form.is_valid() else None
    if how and form.cleaned_data["agreed"] != service.will_happen(form.leaver, how):
        words = _("The choices changed. Review what will happen now, then confirm.")
        form.add_error(None, words)
    if how is None or form.errors:
        return _page(request, form)
    with errors_to_form(form):
        if how.transfer_email:
            try:
                check_colleague(
                    request.api, request.scope, how.transfer_email, besides=form.leaver.user_id
                )
            except RecipientRefused as refused:
                form.add_error("transfer_email", str(refused))
        if form.is_valid():
            with giving_reason(request, lambda: _shown(form.leaver, how)):
                service.remove(request.api, request.connection, user_id, how)
    if not form.is_valid():
        return _page(request, form)
    toast(request, "good", service.has_happened(form.leaver, how))
    return go(request, reverse("people:list", args=[request.connection.key]))


@require_POST
@connected(needs=Users.delete)
def outcome(request: PortalRequest, user_id: str) -> HttpResponse:
    """Shows the sentence that follows the choices while they are made."""
    form = RemovalForm(request.POST, leaver=_met(request, user_id))
    form.is_valid()
    return page(request, TEMPLATE, _context(request, form), fragment="outcome")


@require_GET
@connected(needs=Users.delete)
def colleagues(request: PortalRequest, user_id: str) -> HttpResponse:
    """Shows suggestions of who might get what the person has."""
    typed = request.GET.get("transfer_email", "")
    matches = find(request.scope, typed, besides=[user_id])
    return render(request, "people/remove_colleagues.html", {"colleagues": matches})


def _met(request: PortalRequest, user_id: str) -> RemovedPerson:
    """Returns the person as the form has them, so that it reads nothing while it is filled in."""
    data = service.read_state(request.POST.get("state", ""), request.connection, user_id)
    if data:
        return data
    person = from_mirror(request.scope, user_id)
    others = dialect_named(request.connection.dialect).transfers
    belongings = Belongings(others=others)
    return RemovedPerson(user_id, person.details.email, person.name, belongings)


def _page(request: PortalRequest, form: RemovalForm) -> HttpResponse:
    status = 422 if form.is_bound and form.errors else 200
    return page(request, TEMPLATE, _context(request, form), status=status)


def _kinds(form: RemovalForm) -> Iterator[dict[str, object]]:
    counts = form.leaver.belongings
    for field, name, count in (
        ("transfer_meeting", _("Meetings"), counts.meetings),
        ("transfer_webinar", _("Webinars"), counts.webinars),
        ("transfer_recording", _("Recordings, last 6 months"), counts.recordings),
    ):
        yield {"field": form[field], "name": name, "count": count}
    for field in form.leaver.belongings.others:
        yield {"field": form[field], "name": capitalized(TRANSFERRED_TODAY[field]), "count": None}


def _shown(leaver: RemovedPerson, how: UserRemoval) -> list[str]:
    """Returns the words of the page, for the approver."""
    name = {"name": leaver.name}
    removes = how.action is RemovalAction.DELETE
    return [
        _("Remove %(name)s") % name,
        service.will_happen(leaver, how),
        _("This cannot be undone.") if removes else _("Their own account is not deleted."),
    ]


def _context(request: PortalRequest, form: RemovalForm) -> dict[str, object]:
    how = form.how()
    needs_approval = is_chosen(request.connection, Users.delete)
    return {
        "needs_approval": needs_approval,
        "reason_form": reason_form_of(request) if needs_approval else None,
        "state": service.sign_state(request.connection, form.leaver),
        "form": form,
        "leaver": form.leaver,
        "belongings": list(_kinds(form)),
        "person_id": form.leaver.user_id,
        "sentence": service.will_happen(form.leaver, how) if how else "",
        "how": how,
    }
