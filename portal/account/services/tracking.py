"""Where tracking fields are used."""

from portal.access.models import Connection
from portal.sessions.models import MirroredSession


def sessions_with(connection: Connection, field: str) -> int:
    """How many of the sessions that are mirrored have a value in the tracking field."""
    known = MirroredSession.objects.filter(connection=connection)
    return known.filter(tracking__has_key=field.replace("\x00", "")).count() if field else 0
