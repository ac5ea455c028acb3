"""Reads the streams of past sessions, and replaces the stored ones."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2s
from statistics import fmean

from pydantic import TypeAdapter

from portal.access.models import Connection
from portal.client import Api
from portal.config import clock
from portal.contract.dashboards import (
    SessionsQuery,
    SessionsShown,
)
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
)
from portal.dashboards.services.session.people import SessionStay, sane, stay_key
from portal.dashboards.services.session.quality import samples_of
from portal.dashboards.services.session.readings import BOARDS, PAST, Place
from portal.mirror.values import moment, text

_PAGE, _AT_ONCE = 300, 10
COMPUTER = "computer"
STREAMS = tuple(one for one in MEDIA if one.name != COMPUTER)
_PROCESSOR = next(one for one in MEDIA if one.name == COMPUTER).measures[0]
_BATCH = 500


@dataclass(frozen=True)
class StreamSession:
    """A session that ended, as the service lists it."""

    family: str
    key: str
    topic: str
    start: datetime
    end: datetime | None


# The data of an item of a job; older ones have no key, which is the id of the item's object.
STREAM_SESSION = TypeAdapter(StreamSession)


@dataclass(frozen=True)
class StreamMeasures:
    """A stay with its samples by their moments."""

    stay: SessionStay
    samples: dict[datetime, Content]


def listed(api: Api, family: str, days: Days) -> Iterator[StreamSession | None]:
    """Yields the sessions that began on these days, and `None` for one without a key or a start.
    Raises `ApiError`."""
    query = SessionsQuery(
        type=SessionsShown.PAST, page_size=_PAGE, **{"from": days.from_, "to": days.to}
    )
    for one in getattr(api.metrics, family).all(query):
        start, end = moment(one.start_time), moment(one.end_time)
        key = text(one.uuid) or text(one.id)
        if start is None or not key or not days.from_ <= start.date() <= days.to:
            yield None
            continue
        is_possible = end and start <= end <= clock.now()
        yield StreamSession(family, key, text(one.topic), start, end if is_possible else None)


def read(api: Api, family: str, session_id: str) -> list[StreamMeasures]:
    """Returns the measured stays of a past session. Raises `ApiError`."""
    place, now = Place(BOARDS[family], session_id, PAST), clock.now()
    board = place.board
    pages = api.caller.pages(place.call(board.participants, page_size=_PAGE))
    people = [SessionStay.of(one, now) for page in pages for one in page.participants]
    stays = {one.key: one for one in people}
    measured: dict[str, StreamMeasures] = {}
    for page in api.caller.pages(place.call(board.qualities, page_size=_AT_ONCE)):
        for one in page.participants:
            key = stay_key(text(one.user_id), sane(one.join_time, now))
            samples = {at: content for at, content in samples_of(one, now) if content}
            if samples:
                measured[key] = StreamMeasures(stays.get(key) or SessionStay.of(one, now), samples)
    return list(measured.values())


def streams_of(samples: list[Content]) -> list[MeasuredStream]:
    """Returns the sent and received stream of each medium with a readable value, with the averages
    over all samples."""
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
    """Returns the key that distinguishes a person from all others, made of `SessionStay.person`."""
    return blake2s(person.encode(errors="replace"), digest_size=12).hexdigest()


def person_of_account(user_id: str) -> str:
    return person_key(f"user {user_id}")


def replace_streams(
    connection: Connection, streams: Sequence[tuple[StreamSession, Sequence[StreamMeasures]]]
) -> None:
    """Replaces what is stored of these sessions. Called in a transaction."""
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
