"""Shares of a session, with their people and times."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime

from portal.access.models import Connection
from portal.client import Api
from portal.config import clock
from portal.contract.dashboards import SharingParticipant
from portal.dashboards.services.session.board import Place
from portal.dashboards.services.session.kept import StoredReading, kept
from portal.mirror.values import moment, text

_PAGE = 300


@dataclass(frozen=True)
class ParticipantShare:
    """Something that somebody showed; `raw_start` and `raw_end` are the service's own words."""

    id: str
    user_id: str
    name: str
    content: str
    start: datetime | None
    end: datetime | None
    raw_start: str
    raw_end: str

    @property
    def lasts(self) -> bool:
        """Returns whether it is still shown."""
        return self.start is not None and not self.raw_end


def shares(
    api: Api, connection: Connection, place: Place
) -> tuple[list[ParticipantShare], StoredReading]:
    """In the order of time. Raises `ApiError`."""

    def read() -> list[dict[str, Any]]:
        call = place.call(place.board.sharing, page_size=_PAGE)
        listed = [one for page in api.caller.pages(call) for one in page.participants]
        return [share for one in listed for share in _shares(one)]

    reading = kept(connection, place, "sharing", read)
    made = [_load(one) for one in reading.value]
    return sorted(made, key=lambda one: (one.start is None, str(one.start), one.name)), reading


def _shares(one: SharingParticipant) -> list[dict[str, Any]]:
    return [
        {
            "id": text(one.id),
            "user_id": text(one.user_id),
            "name": text(one.user_name),
            "content": text(each.content),
            "raw_start": text(each.start_time, 40).strip(),
            "raw_end": text(each.end_time, 40).strip(),
        }
        for each in one.details
    ]


def _load(data: dict[str, Any]) -> ParticipantShare:
    start, end = read_moment(data["raw_start"]), read_moment(data["raw_end"])
    if start and end and end < start:
        end = None
    return ParticipantShare(**data, start=start, end=end)


def read_moment(words: str) -> datetime | None:
    """A moment that the service words as text; `None` for one that cannot be."""
    try:
        at = moment(parse_datetime(words))
    except (ValueError, OverflowError):
        return None
    return at if at and at.year >= 2000 and at <= clock.now() else None
