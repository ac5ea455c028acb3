"""The recordings selected in the list: single ones, or all that match its filters."""

from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import QuerySet, Sum

from portal.access.scope import Scope
from portal.recordings import mirror
from portal.recordings.filters import RecordingsFilter
from portal.recordings.mirror import RecordingFilter
from portal.recordings.models import MirroredRecording
from portal.ui.selection import Selection


@dataclass(frozen=True)
class RecordingSelection:
    """The selected objects. `words` describes the filters, where all that match are selected; the
    filter itself is kept, so that nothing which is no filter any more can widen it."""

    wanted: RecordingFilter
    words: str = ""

    def rows(self, scope: Scope) -> QuerySet[MirroredRecording]:
        """Those that are there as far as the mirror knows, the oldest first."""
        return mirror.find(scope, self.wanted, "start_time")

    def count_and_size(self, scope: Scope) -> tuple[int, int]:
        """Returns their number, and their size in bytes."""
        rows = self.rows(scope).order_by()
        return rows.count(), rows.aggregate(size=Sum("size"))["size"] or 0

    def as_parameters(self) -> dict[str, Any]:
        """As JSON keeps it."""
        return {"wanted": asdict(self.wanted), "words": self.words}

    @classmethod
    def of(cls, parameters: dict[str, Any]) -> "RecordingSelection":
        return cls(RecordingFilter(**parameters["wanted"]), parameters["words"])


def resolve(selection: Selection, scope: Scope) -> RecordingSelection:
    """Returns the recordings of a selection. Raises `SelectionRefused` if its filters are not
    understood."""
    filters = selection.filters(lambda data: RecordingsFilter(data, scope))
    if filters is None:
        return RecordingSelection(RecordingFilter(ids=list(selection.ids)))
    return RecordingSelection(filters.wanted, filters.in_words)
