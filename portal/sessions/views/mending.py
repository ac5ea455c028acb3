"""Mending the sessions that somebody chose among what the policy finds: by a job, after a plan."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.views.decorators.http import require_http_methods

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.jobs import services as jobs
from portal.jobs.views.drafting import draft_once
from portal.mirror.sessions import SessionFilter
from portal.sessions.forms.policy import GoneForm, MendForm, ReassignForm, RegisterForm
from portal.sessions.jobs.mending import MendSessions, parameters
from portal.sessions.policy.finding import Found, Policy
from portal.sessions.policy.listing import PolicyFilter
from portal.sessions.policy.mends import DELETE, REASSIGN, REGISTER, Mend
from portal.sessions.views.policy import policy_url
from portal.ui import once
from portal.ui.numbers import whole
from portal.ui.pages import go, page
from portal.ui.picking import FIND
from portal.ui.selection import Selection, SelectionRefused, chosen_in
from portal.ui.toasts import toast

SENT = "sent"  # the field that tells the page's own form from that of the list
_FORMS: dict[Mend, type[MendForm]] = {
    REGISTER: RegisterForm,
    REASSIGN: ReassignForm,
    DELETE: GoneForm,
}


def page_of(mend: Mend) -> Callable[..., HttpResponseBase]:
    """The view that asks for one mend and begins its job."""

    @require_http_methods(["GET", "POST"])
    @connected(needs=mend.needs[0])
    def view(request: PortalRequest) -> HttpResponse:
        if request.method == "GET":
            return go(request, _back(request, mend))
        try:
            selection = chosen_in(request.POST)
            found = _meant(request, mend, selection)
            count = found.count()
            if not count:
                raise SelectionRefused("None of the selected sessions has this issue any longer.")
        except SelectionRefused as refused:
            toast(request, "warning", str(refused))
            return go(request, _back(request, mend))
        what = "1 session" if count == 1 else f"{count:,} sessions"
        form_class = _FORMS.get(mend, MendForm)
        if SENT not in request.POST:
            return _ask(request, mend, form_class(request.connection), selection, what)
        form = form_class(request.connection, request.POST)
        if FIND in request.POST or not form.is_valid():
            return _ask(request, mend, form, selection, what)
        return _draft(request, mend, form, found, what)

    return view


def _meant(request: PortalRequest, mend: Mend, selection: Selection) -> Found:
    """Those of the chosen that break the rule still."""
    known = Policy(request.connection)
    if selection.matching is None:
        ids = [number for key in selection.ids if (number := whole(key)) is not None]
        return known.find(mend.rule, SessionFilter(ids=ids))
    filters = PolicyFilter(selection.filters())
    if not filters.is_exact or filters.chosen_rule is not mend.rule:
        raise SelectionRefused("The list has changed since you selected. Select again.")
    return known.find(mend.rule, filters.wanted)


def _draft(
    request: PortalRequest, mend: Mend, form: MendForm, found: Found, what: str
) -> HttpResponse:
    wanted = parameters(mend, found, form.told, tells_hosts=form.is_telling)
    origin, title = origin_of(request), f"{mend.label}: {what}"
    return draft_once(
        request,
        lambda: jobs.draft(origin, request.connection, MendSessions.name, title, parameters=wanted),
    )


def _ask(
    request: PortalRequest, mend: Mend, form: Any, selection: Selection, what: str
) -> HttpResponse:
    context = {
        "mend": mend,
        "form": form,
        "selection": selection,
        "what": what,
        "ticket": once.new_ticket(),
        "cancel": _back(request, mend),
    }
    is_wrong = form.is_bound and FIND not in request.POST
    return page(request, "sessions/policy_mend.html", context, status=422 if is_wrong else 200)


def _back(request: PortalRequest, mend: Mend) -> str:
    query = f"?rule={mend.rule.name}" if mend.rule.name else ""
    return f"{policy_url(request)}{query}"
