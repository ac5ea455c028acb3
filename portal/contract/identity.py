"""The id by which an object is asked for, held against the one that the answer has."""

from typing import Any

from portal.contract.operation import Call, Operation

_SESSIONS = {"meetingId", "meetingUUID", "webinarId"}
_OTHERWISE_NAMED = {"webhookId": "webhook_id", "sessionId": "session_id"}


def identity_of(call: Call[Any]) -> tuple[str, str] | None:
    """The field that names the object in an answer, and its value; `None` where an answer is not
    about the object that the path names last."""
    if not call.ids or not _is_about_its_object(call.operation):
        return None
    asked = str(call.ids[-1])
    return _field_of(call.operation.path_parameters[-1], asked), asked


def _is_about_its_object(operation: Operation[Any, Any]) -> bool:
    if operation.path.endswith("}"):
        return True
    # A report of a session stands below its path.
    returns = operation.returns
    return operation.method == "GET" and returns is not None and "uuid" in returns.model_fields


def _field_of(parameter: str, asked: str) -> str:
    if "@" in asked:
        return "email"
    if parameter in _SESSIONS and not asked.isdigit():
        return "uuid"
    return _OTHERWISE_NAMED.get(parameter, "id")
