"""Why somebody reads the archive: asked for once, kept for half an hour, recorded at each look."""

from datetime import datetime, timedelta
from typing import Any

from portal.access.audit import Act, record
from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.config import clock

VALID_FOR = timedelta(minutes=30)
_KEY = "chat_reasons"  # in the session: the reason and the time of it, by connection


def give(request: PortalRequest, reason: str) -> None:
    """From now on, this person reads the archive of this connection for this reason."""
    reasons = dict(request.session.get(_KEY) or {})
    reasons[request.connection.key] = [reason, clock.now().isoformat()]
    request.session[_KEY] = reasons


def reason_of(request: PortalRequest) -> str:
    """The reason given lately for this connection; empty where there is none."""
    given: Any = (request.session.get(_KEY) or {}).get(request.connection.key)
    if not given:
        return ""
    reason, given_at = given
    age = clock.now() - datetime.fromisoformat(given_at)
    return str(reason) if timedelta(0) <= age < VALID_FOR else ""


def end(request: PortalRequest) -> None:
    """The next look asks for a reason again."""
    reasons = dict(request.session.get(_KEY) or {})
    reasons.pop(request.connection.key, None)
    request.session[_KEY] = reasons


def note(request: PortalRequest, what: str, *, object_id: str = "", by: str) -> None:
    """Records a look in the audit trail: at what, for which days and words, and why.

    Call it before anything is shown: what cannot be recorded is not shown.
    """
    record(
        origin_of(request),
        Act.CHAT_READ,
        object_id=object_id,
        label=what,
        connection=request.connection,
        sent={"reason": reason_of(request), "filter": by},
    )
