"""The page of one request: what is asked, by whom and why, and what to do about it."""

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from portal.access.audit.changes import ChangeLine
from portal.access.audit.reading import entries_for
from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.approvals.forms import ConfirmForm, DeclineForm
from portal.approvals.models import ApprovalRequest, RequestState
from portal.approvals.services.asking import who_may_approve
from portal.approvals.services.comparing import line_of
from portal.approvals.services.losses import lines_of
from portal.approvals.states import tone_of
from portal.approvals.subjects import subject_of
from portal.approvals.views.found import OF_THE_REQUEST, request_of
from portal.approvals.waiting import waiting_for
from portal.ui.approval import AskForm
from portal.ui.pages import page

_HISTORY = 10


@require_GET
@connected(needs=OF_THE_REQUEST)
def show(request: PortalRequest, request_key: str) -> HttpResponse:
    return answer(request, request_of(request, request_key))


def answer(
    request: PortalRequest,
    asked: ApprovalRequest,
    ask_form: AskForm | None = None,
    decline_form: DeclineForm | None = None,
    confirm_form: ConfirmForm | None = None,
) -> HttpResponse:
    is_mine, subject = asked.requester == request.user, subject_of(asked)
    context = {
        "asked": asked,
        "tone": tone_of(asked),
        "line": line_of(asked, asked.before),
        "losses": lines_of(asked),
        "is_mine": is_mine,
        "may_decide": asked in waiting_for(request.user, request.connection),
        "subject_url": subject.url(asked),
        "ask_form": ask_form or AskForm(),
        "decline_form": decline_form or DeclineForm(),
        "confirm_form": (confirm_form or ConfirmForm()) if subject.destroys(asked) else None,
        "moves": asked.state in (RequestState.APPROVED, RequestState.SENDING),
        "history": [
            ChangeLine(entry)
            for entry in entries_for(request.scope, "approval", asked.key)[:_HISTORY]
        ],
        **_approvers(asked),
    }
    refused = any(
        form is not None and form.errors for form in (ask_form, decline_form, confirm_form)
    )
    return page(request, "approvals/request.html", context, status=422 if refused else 200)


def _approvers(asked: ApprovalRequest) -> dict[str, Any]:
    if asked.state not in (RequestState.DRAFT, RequestState.WAITING):
        return {}
    return {"approvers": who_may_approve(asked)}
