"""Board of meetings or webinars on dashboards: one shape for both, with the operations of each."""

from dataclasses import dataclass
from typing import Any, Literal

from portal.contract.metrics import Metrics
from portal.contract.operation import Call, Operation

Which = Literal["live", "past"]
LIVE: Which = "live"
PAST: Which = "past"


@dataclass(frozen=True)
class Board:
    """The operations of dashboards on one family of sessions, and how their pages are called."""

    family: str
    noun: str
    get: Operation[Any, Any]
    participants: Operation[Any, Any]
    sharing: Operation[Any, Any]
    qualities: Operation[Any, Any]
    quality: Operation[Any, Any]

    def url_name(self, part: str = "") -> str:
        return f"dashboards:{self.noun}-{part}" if part else f"dashboards:{self.noun}"


@dataclass(frozen=True)
class Place:
    """A session by its UUID or its number, among those that run or those that ended."""

    board: Board
    id: str
    which: Which

    @property
    def is_live(self) -> bool:
        return self.which == LIVE

    def call(self, operation: Operation[Any, Any], *ids: str, **query: Any) -> Call[Any]:
        """The request for one of the board's operations."""
        made: Any = operation.query  # one with a `type`, as all of a board have
        return operation.call(self.id, *ids, made(type=self.which, **query))


MEETINGS = Board(
    "meetings",
    "meeting",
    Metrics.meeting,
    Metrics.meeting_participants,
    Metrics.meeting_sharing,
    Metrics.meeting_qualities,
    Metrics.meeting_quality,
)
WEBINARS = Board(
    "webinars",
    "webinar",
    Metrics.webinar,
    Metrics.webinar_participants,
    Metrics.webinar_sharing,
    Metrics.webinar_qualities,
    Metrics.webinar_quality,
)
