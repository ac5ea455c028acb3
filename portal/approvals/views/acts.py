"""Actions on a request: each a POST that ends on the page of the request."""

from collections.abc import Callable
from functools import partial

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from portal.access.approval_rules import is_approver
from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.origin import Origin, origin_of
from portal.access.reauthentication import did_lately
from portal.approvals.forms import ConfirmForm, DeclineForm
from portal.approvals.models import ApprovalRequest, RequestKind, RequestState
from portal.approvals.services import asking, deciding
from portal.approvals.subjects import ApprovalRefused, subject_of
from portal.approvals.views.found import OF_THE_REQUEST, request_of, request_url
from portal.approvals.views.request import answer
from portal.translation import gettext as _
from portal.ui.approval import AskForm
from portal.ui.pages import go
from portal.ui.toasts import toast

Act = Callable[[ApprovalRequest, Origin], object]


@require_POST
@connected(needs=OF_THE_REQUEST)
def ask(request: PortalRequest, request_key: str) -> HttpResponse:
    """Sends a draft to those who may approve it; without a reason the form is shown again."""
    asked = request_of(request, request_key)
    form = AskForm(request.POST)
    if asked.state == RequestState.DRAFT and not form.is_valid():
        return answer(request, asked, ask_form=form)
    form.is_valid()
    act = partial(asking.ask, reason=form.cleaned_data.get("reason", ""))
    return _do(request, asked, act, asking.ASKED)


@require_POST
@connected(needs=OF_THE_REQUEST)
def approve(request: PortalRequest, request_key: str) -> HttpResponse:
    """Approves what was shown. A second click finds it approved and does nothing."""
    asked = _to_decide(request, request_key)
    confirm_form = ConfirmForm(request.POST)
    if subject_of(asked).destroys(asked) and not confirm_form.is_valid():
        if asked.kind == RequestKind.CALL:
            return answer(request, asked, confirm_form=confirm_form)
        toast(request, "warning", _("Type “approve” to confirm what cannot be undone."))
        return go(request, subject_of(asked).url(asked))
    seen, proved = request.POST.get("seen", ""), partial(did_lately, request)
    act = partial(deciding.approve, seen=seen, reauthenticated=proved)
    return _do(request, asked, act, _("Approved."))


@require_POST
@connected(needs=OF_THE_REQUEST)
def decline(request: PortalRequest, request_key: str) -> HttpResponse:
    """Declines with a reason; without one the form is shown again."""
    asked = _to_decide(request, request_key)
    form = DeclineForm(request.POST)
    if not form.is_valid():
        return answer(request, asked, decline_form=form)
    act = partial(deciding.decline, reason=form.cleaned_data["answer"])
    return _do(request, asked, act, _("Declined."))


@require_POST
@connected(needs=OF_THE_REQUEST)
def withdraw(request: PortalRequest, request_key: str) -> HttpResponse:
    """Takes one's own request back."""
    asked = request_of(request, request_key)
    is_draft = asked.state == RequestState.DRAFT
    response = _do(request, asked, deciding.withdraw, _("Withdrawn. Nothing was sent."))
    if is_draft:
        return go(request, reverse("approvals:list", args=[request.connection.key]))
    return response


def _to_decide(request: PortalRequest, key: str) -> ApprovalRequest:
    """Raises `PermissionDenied` for who is no administrator of the connection."""
    if not is_approver(request.user, request.connection):
        raise PermissionDenied
    return request_of(request, key)


def _do(request: PortalRequest, asked: ApprovalRequest, act: Act, done: str) -> HttpResponse:
    """Acts, and says why where that is not possible now."""
    try:
        act(asked, origin_of(request))
    except ApprovalRefused as problem:
        toast(request, "warning", str(problem))
    else:
        toast(request, "good", done)
    return go(request, request_url(asked))
