"""The states of requests, as one of the five that everything is in."""

from portal.approvals.models import ApprovalRequest, RequestState
from portal.ui.states import State

_TONES: dict[str, State] = {
    RequestState.DRAFT: "neutral",
    RequestState.WAITING: "warning",
    RequestState.APPROVED: "running",
    RequestState.SENDING: "running",
    RequestState.DONE: "good",
    RequestState.FAILED: "bad",
    RequestState.UNKNOWN: "warning",
    RequestState.DECLINED: "bad",
    RequestState.LAPSED: "neutral",
    RequestState.WITHDRAWN: "neutral",
}


def tone_of(asked: ApprovalRequest) -> State:
    return _TONES[asked.state]
