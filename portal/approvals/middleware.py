"""Middleware that turns a call which needs an approval into a page that asks for it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from portal.access.http import origin_of
from portal.approvals.models import RequestState
from portal.approvals.services.losses import loss_of
from portal.approvals.services.submitting import SUBMITTED, draft, submit
from portal.approvals.subjects import ApprovalRefused
from portal.connections.approval_rules import ApprovalRequired
from portal.connections.calls import has_left
from portal.translation import gettext as _
from portal.ui.pages import go, toast


class AskForApproval:
    """Keeps the call, whole and encrypted, and leads to the page that asks for its approval."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, ApprovalRequired):
            return None
        loss = loss_of(request.api, request.scope, error.call, error.chosen)  # type: ignore[attr-defined]
        asked = draft(error, origin_of(request), loss)
        if asked.state != RequestState.DRAFT:
            toast(request, "neutral", _("You have asked for this approval already."))
        else:
            if has_left():
                words = _("An earlier step of this form is done. This step waits for an approval.")
                toast(request, "warning", words)
            if error.reason:
                try:
                    submit(asked, origin_of(request), error.reason)
                except ApprovalRefused as problem:
                    toast(request, "warning", str(problem))
                else:
                    toast(request, "good", SUBMITTED)
        return go(request, reverse("approvals:request", args=[error.connection.key, asked.key]))
