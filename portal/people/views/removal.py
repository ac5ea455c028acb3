"""Removing a person: what is deleted with them, what is transferred, and the confirmation."""

from collections.abc import Iterator

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.access.approval_rules import is_chosen
from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.contract.users import RemovalAction, UserRemoval, Users
from portal.directory.colleagues import find
from portal.people.forms.removal import RemovalForm
from portal.people.services import removal as service
from portal.people.services.person import from_mirror, read
from portal.people.services.removal import Belongings, ColleagueRefused, RemovedPerson
from portal.translation import gettext as _
from portal.ui.errors import errors_to_form
from portal.ui.pages import go, page, toast
from portal.ui.views.action import ask_form_of, asking

TEMPLATE = "people/remove.html"


@require_http_methods(["GET", "POST"])
@connected(needs=Users.delete)
def remove(request: PortalRequest, user_id: str) -> HttpResponse:
    """Asks how the person leaves, and carries out what was read and confirmed."""
    if request.method == "GET":
        return _page(request, RemovalForm(leaver=_meet(request, user_id)))
    form = RemovalForm(request.POST, leaver=_met(request, user_id))
    how = form.how() if form.is_valid() else None
    if how is None or _is_to_be_read_again(form, how):
        return _page(request, form)
    with errors_to_form(form):
        if how.transfer_email:
            _check_colleague(request, form, how.transfer_email)
        if form.is_valid():
            with asking(request, lambda: _shown(form.leaver, how)):
                service.remove(request.api, request.connection, user_id, how)
    if not form.is_valid():
        return _page(request, form)
    toast(request, "good", service.has_happened(form.leaver, how))
    return go(request, reverse("people:list", args=[request.connection.key]))


@require_POST
@connected(needs=Users.delete)
def outcome(request: PortalRequest, user_id: str) -> HttpResponse:
    """The sentence that follows the choices while they are made."""
    form = RemovalForm(request.POST, leaver=_met(request, user_id))
    form.is_valid()
    return page(request, TEMPLATE, _context(request, form), fragment="outcome")


@require_GET
@connected(needs=Users.delete)
def colleagues(request: PortalRequest, user_id: str) -> HttpResponse:
    """Suggestions of who might get what the person has."""
    typed = request.GET.get("transfer_email", "")
    found = find(request.scope, typed, besides=[user_id])
    return render(request, "people/remove_colleagues.html", {"colleagues": found})


def _meet(request: PortalRequest, user_id: str) -> RemovedPerson:
    person = read(request.api, request.scope, user_id)
    belongings = service.count_belongings(request.api, person.id)
    return RemovedPerson(person.id, person.details.email, person.name, belongings)


def _met(request: PortalRequest, user_id: str) -> RemovedPerson:
    """The person as the form has them, so that nothing is asked again while it is filled in."""
    data = service.read_state(request.POST.get("note", ""), request.connection, user_id)
    if data:
        return data
    person = from_mirror(request.scope, user_id)
    return RemovedPerson(user_id, person.details.email, person.name, Belongings())


def _check_colleague(request: PortalRequest, form: RemovalForm, email: str) -> None:
    try:
        service.check_colleague(request.api, request.scope, email, besides=form.leaver.user_id)
    except ColleagueRefused as refused:
        form.add_error("transfer_email", str(refused))


def _is_to_be_read_again(form: RemovalForm, how: UserRemoval) -> bool:
    """Adds an error, and returns True, if the sentence on the page is not what would be done
    now."""
    if form.cleaned_data["agreed"] == service.will_happen(form.leaver, how):
        return False
    form.add_error(None, _("The choices changed. Review what will happen now, then confirm."))
    return True


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


def _shown(leaver: RemovedPerson, how: UserRemoval) -> list[str]:
    """Returns what the page says, for whoever approves it."""
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
        "ask_form": ask_form_of(request) if needs_approval else None,
        "note": service.sign_state(request.connection, form.leaver),
        "form": form,
        "leaver": form.leaver,
        "belongings": list(_kinds(form)),
        "person_id": form.leaver.user_id,
        "sentence": service.will_happen(form.leaver, how) if how else "",
        "how": how,
    }
