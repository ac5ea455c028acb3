"""Which sessions were recorded in the last month, as the dashboards and notifications report."""

from collections.abc import Collection

from portal.access.models import Connection
from portal.mirror.rows import holding
from portal.sessions.mirror import state_of
from portal.sessions.models import RecordedSession

_BATCH = 500


def take_over(connection: Connection, kind: str, numbers: Collection[str]) -> None:
    """Takes over all reported sessions of a kind; what else was known of it is forgotten."""
    known = RecordedSession.objects.filter(connection=connection, kind=kind)
    with holding(state_of(connection)):
        pairs = known.values_list("pk", "session_id")
        gone = [key for key, number in pairs if number not in numbers]
        for start in range(0, len(gone), _BATCH):
            known.filter(pk__in=gone[start : start + _BATCH]).delete()
        note(connection, kind, numbers)


def note(connection: Connection, kind: str, numbers: Collection[str]) -> None:
    """Adds sessions of a kind, by their numbers."""
    RecordedSession.objects.bulk_create(
        (
            RecordedSession(connection=connection, kind=kind, session_id=number)
            for number in numbers
        ),
        batch_size=_BATCH,
        ignore_conflicts=True,
    )
