"""Reads the past sessions of some days, and how well the streams of one of them went.

The interface tells quality for one session at a time, ten participants a page.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from portal.client import Api
from portal.config import clock
from portal.contract.dashboards import SessionMetric, SessionsQuery, SessionsShown
from portal.contract.paging import Days
from portal.contract.quality import ParticipantQuality
from portal.dashboards.services.session.board import MEETINGS, PAST, WEBINARS, Board, Place
from portal.dashboards.services.session.measures import Content, as_content
from portal.dashboards.services.session.people import UNNAMED, SessionStay, sane, stay_key
from portal.mirror.values import moment, text

BOARDS: dict[str, Board] = {one.family: one for one in (MEETINGS, WEBINARS)}
_PAGE, _AT_ONCE = 300, 10


@dataclass(frozen=True)
class StreamList:
    """A session that ended, as the list has it."""

    family: str
    key: str
    topic: str
    start: datetime
    end: datetime | None

    @property
    def data(self) -> dict[str, Any]:
        """Returns the data of the session in an item of a job."""
        end = self.end.isoformat() if self.end else None
        return {
            "family": self.family,
            "topic": self.topic,
            "start": self.start.isoformat(),
            "end": end,
        }

    @classmethod
    def load(cls, key: str, data: dict[str, Any]) -> "StreamList":
        end = datetime.fromisoformat(data["end"]) if data["end"] else None
        start = datetime.fromisoformat(data["start"])
        return cls(data["family"], key, data["topic"], start, end)


@dataclass(frozen=True)
class StreamMeasures:
    """A stay with what was measured of it, by the moment."""

    stay: SessionStay
    samples: dict[datetime, Content]


def listed(api: Api, family: str, days: Days) -> Iterator[StreamList | None]:
    """The sessions that began on these days, and `None` for what cannot be told. Raises
    `ApiError`."""
    query = SessionsQuery(
        type=SessionsShown.PAST, page_size=_PAGE, **{"from": days.from_, "to": days.to}
    )
    metrics = getattr(api.metrics, family).all(query)
    for one in metrics:
        yield _listed(family, one, days)


def _listed(family: str, one: SessionMetric, days: Days) -> StreamList | None:
    start, end = moment(one.start_time), moment(one.end_time)
    key = text(one.uuid) or ("" if one.id is None else text(one.id))
    if start is None or not key or not days.from_ <= start.date() <= days.to:
        return None
    end = end if end and start <= end <= clock.now() else None
    return StreamList(family, key, text(one.topic), start, end)


def read(api: Api, family: str, session_id: str) -> list[StreamMeasures]:
    """Everybody in a past session of whom something was measured. Raises `ApiError`."""
    place, now = Place(BOARDS[family], session_id, PAST), clock.now()
    board = place.board
    pages = api.caller.pages(place.call(board.participants, page_size=_PAGE))
    people = [SessionStay.of(one, now) for page in pages for one in page.participants]
    stays = {one.key: one for one in people}
    found: dict[str, StreamMeasures] = {}
    for page in api.caller.pages(place.call(board.qualities, page_size=_AT_ONCE)):
        for one in page.participants:
            key = stay_key(text(one.user_id), sane(one.join_time, now))
            samples = dict(_samples(one, now))
            if samples:
                found[key] = StreamMeasures(stays.get(key) or _stay(one, now), samples)
    return list(found.values())


def _samples(one: ParticipantQuality, now: datetime) -> Iterator[tuple[datetime, Content]]:
    for sample in one.samples:
        at = sane(sample.date_time, now) if sample.date_time else now.replace(microsecond=0)
        content = as_content(sample)
        if at and content:
            yield at, content


def _stay(one: ParticipantQuality, now: datetime) -> SessionStay:
    """Of somebody whom the list of participants leaves out."""
    unsaid: dict[str, Any] = dict.fromkeys(
        ("id", "network", "connection", "data_center", "microphone", "speaker", "shared"), ""
    )
    return SessionStay(
        **unsaid,
        user_id=text(one.user_id),
        name=text(one.user_name) or UNNAMED,
        device=text(one.device),
        location=text(one.location),
        version=text(one.version),
        ip_address=text(one.ip_address),
        computer=text(one.pc_name),
        domain=text(one.domain),
        machine=text(one.mac_addr) or text(one.harddisk_id),
        joined=sane(one.join_time, now),
        left=sane(one.leave_time, now),
        recorded=None,
    )
