"""Keeps what was read of sessions, in place of what was read of them before."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2s
from statistics import fmean
from typing import Any

from portal.access.models import Connection
from portal.client import Api
from portal.config import clock
from portal.contract.dashboards import (
    ParticipantQuality,
    SessionMetric,
    SessionsQuery,
    SessionsShown,
)
from portal.contract.model import JsonDict
from portal.contract.paging import Days
from portal.dashboards.models import (
    MeasuredDay,
    MeasuredSession,
    MeasuredStay,
    MeasuredStream,
    StoredSample,
)
from portal.dashboards.services.session.measures import (
    MEDIA,
    RECEIVED,
    SENT,
    Content,
    MeasuredMedium,
    as_content,
)
from portal.dashboards.services.session.people import UNNAMED, SessionStay, sane, stay_key
from portal.dashboards.services.session.readings import MEETINGS, PAST, WEBINARS, Board, Place
from portal.mirror.values import moment, text

BOARDS: dict[str, Board] = {one.family: one for one in (MEETINGS, WEBINARS)}
_PAGE, _AT_ONCE = 300, 10
COMPUTER = "computer"
STREAMS = tuple(one for one in MEDIA if one.name != COMPUTER)
_PROCESSOR = next(one for one in MEDIA if one.name == COMPUTER).measures[0]
_BATCH = 500


@dataclass(frozen=True)
class StreamList:
    """A session that ended, as the list has it."""

    family: str
    key: str
    topic: str
    start: datetime
    end: datetime | None

    @property
    def data(self) -> dict[str, object]:
        """Returns the data of the session in an item of a job."""
        end = self.end.isoformat() if self.end else None
        return {
            "family": self.family,
            "topic": self.topic,
            "start": self.start.isoformat(),
            "end": end,
        }

    @classmethod
    def load(cls, key: str, data: JsonDict) -> "StreamList":
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
    measured: dict[str, StreamMeasures] = {}
    for page in api.caller.pages(place.call(board.qualities, page_size=_AT_ONCE)):
        for one in page.participants:
            key = stay_key(text(one.user_id), sane(one.join_time, now))
            samples = dict(_samples(one, now))
            if samples:
                measured[key] = StreamMeasures(stays.get(key) or _stay(one, now), samples)
    return list(measured.values())


def _samples(one: ParticipantQuality, now: datetime) -> Iterator[tuple[datetime, Content]]:
    for sample in one.samples:
        at = sane(sample.date_time, now) if sample.date_time else now.replace(microsecond=0)
        content = as_content(sample)
        if at and content:
            yield at, content


def _stay(one: ParticipantQuality, now: datetime) -> SessionStay:
    """Of somebody whom the list of participants leaves out."""
    missing: dict[str, Any] = dict.fromkeys(
        ("id", "network", "connection", "data_center", "microphone", "speaker", "shared"), ""
    )
    return SessionStay(
        **missing,
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


def streams_of(samples: list[Content]) -> list[MeasuredStream]:
    """A stream for each medium of which something can be read, sent and received, with the averages
    over what was measured."""
    return [
        MeasuredStream(medium=medium.name, is_sent=side == SENT, **values)
        for medium in STREAMS
        for side in (RECEIVED, SENT)
        for values in [dict(_values(medium, side, samples))]
        if any(value is not None for value in values.values())
    ]


def processor_of(samples: list[Content]) -> float | None:
    """Returns the load of the computer, in per cent."""
    lines = [line for line in _PROCESSOR.lines if line.is_judged]
    return _average(_PROCESSOR.value(one, line) for one in samples for line in lines)


def _values(
    medium: MeasuredMedium, side: str, samples: list[Content]
) -> Iterator[tuple[str, float | None]]:
    for measure in medium.measures:
        line = next(
            line
            for line in measure.lines
            if line.is_judged and line.label.partition(",")[0] == side
        )
        yield measure.name, _average(measure.value(one, line) for one in samples)


def _average(values: Iterable[float | None]) -> float | None:
    numbers = [value for value in values if value is not None]
    return fmean(numbers) if numbers else None


def person_key(person: str) -> str:
    """Returns the key that distinguishes a person from all others, made of `Stay.person`."""
    return blake2s(person.encode(errors="replace"), digest_size=12).hexdigest()


def person_of_account(user_id: str) -> str:
    return person_key(f"user {user_id}")


def replace_streams(
    connection: Connection, streams: Sequence[tuple[StreamList, Sequence[StreamMeasures]]]
) -> None:
    """To be called in a transaction: what was known of these sessions goes."""
    if not streams:
        return
    now = clock.now()
    days = {one.start.astimezone(UTC).date() for one, _ in streams}
    days_by_date = {
        day: MeasuredDay.objects.get_or_create(
            connection=connection, day=day, defaults={"asked_at": now}
        )[0]
        for day in sorted(days)
    }
    for listed, measured in streams:
        own = {"connection": connection, "family": listed.family, "key": listed.key}
        MeasuredSession.objects.filter(**own).delete()
        session = MeasuredSession.objects.create(
            **own,
            day=days_by_date[listed.start.astimezone(UTC).date()],
            topic=listed.topic,
            start=listed.start,
            end=listed.end,
            read_at=now,
        )
        _store(session, measured)


def _store(session: MeasuredSession, measured: Sequence[StreamMeasures]) -> None:
    """Stores the measurements, with those made while a viewer watched the live session."""
    earlier = _stored_samples(session)
    rows: list[MeasuredStay] = []
    streams: list[MeasuredStream] = []
    for one in measured:
        contents = list({**earlier.get(one.stay.key, {}), **one.samples}.values())
        measured_streams = streams_of(contents)
        if not measured_streams:
            continue
        row = _row(session, one.stay)
        row.cpu = processor_of(contents)
        rows.append(row)
        for stream in measured_streams:
            stream.stay = row
        streams += measured_streams
    MeasuredStay.objects.bulk_create(rows, batch_size=_BATCH)
    for stream in streams:
        stream.stay_id = stream.stay.pk
    MeasuredStream.objects.bulk_create(streams, batch_size=_BATCH)


def _stored_samples(session: MeasuredSession) -> dict[str, dict[datetime, Content]]:
    samples: dict[str, dict[datetime, Content]] = {}
    rows = StoredSample.objects.filter(connection=session.connection, session=session.key)
    for stay, at, content in rows.values_list("stay", "measured_at", "content"):
        samples.setdefault(stay, {})[at] = content
    return samples


def _row(session: MeasuredSession, stay: SessionStay) -> MeasuredStay:
    return MeasuredStay(
        session=session,
        key=stay.key,
        participant=stay.address,
        person=person_key(stay.person),
        user_id=stay.user_id,
        name=stay.name,
        joined=stay.joined,
        network=stay.network.strip(),
        location=stay.location.strip(),
        version=stay.version.strip(),
        device=stay.device.strip(),
    )
