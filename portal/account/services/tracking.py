"""Use of tracking fields."""

from portal.access.scope import Scope
from portal.sessions.mirror import listed


def sessions_with(scope: Scope, field: str) -> int:
    """Returns the number of mirrored sessions with a value in the tracking field."""
    known = listed(scope)
    return known.filter(tracking__has_key=field.replace("\x00", "")).count() if field else 0
