"""Where tracking fields are used."""

from portal.access.scope import Scope
from portal.sessions.mirror import listed


def sessions_with(scope: Scope, field: str) -> int:
    """How many of the sessions that are mirrored have a value in the tracking field."""
    known = listed(scope)
    return known.filter(tracking__has_key=field.replace("\x00", "")).count() if field else 0
