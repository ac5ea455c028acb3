"""Remediating the sessions that somebody chose among what the policy finds: by a job, after a
plan."""

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
from portal.sessions.forms.policy import GoneForm, ReassignForm, RegisterForm, RemediationForm
from portal.sessions.jobs.remediation import RemediateSessions, parameters
from portal.sessions.policy.finding import Found, Policy
from portal.sessions.policy.listing import PolicyFilter
from portal.sessions.policy.remediations import DELETE, REASSIGN, REGISTER, Remediation
from portal.sessions.views.policy import policy_url
from portal.ui import idempotency
from portal.ui.numbers import whole
from portal.ui.pages import go, page
from portal.ui.picking import FIND
from portal.ui.selection import Selection, SelectionRefused, chosen_in
from portal.ui.toasts import toast

SENT = "sent"  # the field that tells the page's own form from that of the list
_FORMS: dict[Remediation, type[RemediationForm]] = {
    REGISTER: RegisterForm,
    REASSIGN: ReassignForm,
    DELETE: GoneForm,
}


def page_of(remediation: Remediation) -> Callable[..., HttpResponseBase]:
    """The view that asks for one remediation and begins its job."""

    @require_http_methods(["GET", "POST"])
    @connected(needs=remediation.needs[0])
    def view(request: PortalRequest) -> HttpResponse:
        if request.method == "GET":
            return go(request, _back(request, remediation))
        try:
            selection = chosen_in(request.POST)
            found = _meant(request, remediation, selection)
            count = found.count()
            if not count:
                raise SelectionRefused("None of the selected sessions has this issue any longer.")
        except SelectionRefused as refused:
            toast(request, "warning", str(refused))
            return go(request, _back(request, remediation))
        what = "1 session" if count == 1 else f"{count:,} sessions"
        form_class = _FORMS.get(remediation, RemediationForm)
        if SENT not in request.POST:
            return _ask(request, remediation, form_class(request.connection), selection, what)
        form = form_class(request.connection, request.POST)
        if FIND in request.POST or not form.is_valid():
            return _ask(request, remediation, form, selection, what)
        return _draft(request, remediation, form, found, what)

    return view


def _meant(request: PortalRequest, remediation: Remediation, selection: Selection) -> Found:
    """Those of the chosen that break the rule still."""
    known = Policy(request.connection)
    if selection.matching is None:
        ids = [number for key in selection.ids if (number := whole(key)) is not None]
        return known.find(remediation.rule, SessionFilter(ids=ids))
    filters = PolicyFilter(selection.filters())
    if not filters.is_exact or filters.chosen_rule is not remediation.rule:
        raise SelectionRefused("The list has changed since you selected. Select again.")
    return known.find(remediation.rule, filters.wanted)


def _draft(
    request: PortalRequest, remediation: Remediation, form: RemediationForm, found: Found, what: str
) -> HttpResponse:
    wanted = parameters(remediation, found, form.parameters, tells_hosts=form.notifies_hosts)
    origin, title = origin_of(request), f"{remediation.label}: {what}"
    return draft_once(
        request,
        lambda: jobs.draft(
            origin, request.connection, RemediateSessions.name, title, parameters=wanted
        ),
    )


def _ask(
    request: PortalRequest, remediation: Remediation, form: Any, selection: Selection, what: str
) -> HttpResponse:
    context = {
        "remediation": remediation,
        "form": form,
        "selection": selection,
        "what": what,
        "idempotency_key": idempotency.new_key(),
        "cancel": _back(request, remediation),
    }
    is_wrong = form.is_bound and FIND not in request.POST
    return page(
        request, "sessions/policy_remediation.html", context, status=422 if is_wrong else 200
    )


def _back(request: PortalRequest, remediation: Remediation) -> str:
    query = f"?rule={remediation.rule.name}" if remediation.rule.name else ""
    return f"{policy_url(request)}{query}"
