"""Recordings selected in a list."""

from django.db.models import QuerySet, Sum

from portal.access.scope import Scope
from portal.mirror.selection import MirrorSelection
from portal.recordings import mirror
from portal.recordings.mirror import RecordingFilter
from portal.recordings.models import MirroredRecording


class RecordingSelection(MirrorSelection[MirroredRecording]):
    """Recordings, by a `RecordingFilter`; the oldest first."""

    lookup = RecordingFilter

    def rows(self, scope: Scope) -> QuerySet[MirroredRecording]:
        return mirror.find(scope, self.wanted, "start_time")

    def count_and_size(self, scope: Scope) -> tuple[int, int]:
        """Returns their number, and their size in bytes."""
        rows = self.rows(scope).order_by()
        return rows.count(), rows.aggregate(size=Sum("size"))["size"] or 0
