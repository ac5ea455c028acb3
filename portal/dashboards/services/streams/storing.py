"""Keeps what was read of sessions, in place of what was read of them before."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2s
from statistics import fmean

from portal.access.models import Connection
from portal.config import clock
from portal.dashboards.models import (
    KeptSample,
    MeasuredDay,
    MeasuredSession,
    MeasuredStay,
    MeasuredStream,
)
from portal.dashboards.services.session.measures import (
    MEDIA,
    RECEIVED,
    SENT,
    Content,
    MeasuredMedium,
)
from portal.dashboards.services.session.people import SessionStay
from portal.dashboards.services.streams.reading import StreamList, StreamMeasures

COMPUTER = "computer"
FIGURES = ("latency", "jitter", "loss", "bitrate", "frame_rate", "resolution")
STREAMS = tuple(one for one in MEDIA if one.name != COMPUTER)
_PROCESSOR = next(one for one in MEDIA if one.name == COMPUTER).measures[0]


@dataclass(frozen=True)
class Figures:
    """`values` are averages over what was measured, by the names of `FIGURES`."""

    medium: str
    is_sent: bool
    values: Mapping[str, float | None]

    def row(self) -> MeasuredStream:
        return MeasuredStream(medium=self.medium, is_sent=self.is_sent, **self.values)


def figures_of(contents: Iterable[Content]) -> list[Figures]:
    """A stream for each medium of which something can be read, sent and received."""
    samples = list(contents)
    return [
        Figures(medium.name, side == SENT, values)
        for medium in STREAMS
        for side in (RECEIVED, SENT)
        for values in [dict(_values(medium, side, samples))]
        if any(value is not None for value in values.values())
    ]


def processor_of(contents: Iterable[Content]) -> float | None:
    """Returns the load of the computer, in per cent."""
    samples = list(contents)
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
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


_BATCH = 500


def person_key(person: str) -> str:
    """Returns the key that distinguishes a person from all others, made of `Stay.person`."""
    return blake2s(person.encode(errors="replace"), digest_size=12).hexdigest()


def person_of_account(user_id: str) -> str:
    """The key of somebody of the account."""
    return person_key(f"user {user_id}")


def take_over(
    connection: Connection, found: Sequence[tuple[StreamList, Sequence[StreamMeasures]]]
) -> None:
    """To be called in a transaction: what was known of these sessions goes."""
    if not found:
        return
    now = clock.now()
    days = {one.start.astimezone(UTC).date() for one, _ in found}
    kept_days = {
        day: MeasuredDay.objects.get_or_create(
            connection=connection, day=day, defaults={"asked_at": now}
        )[0]
        for day in sorted(days)
    }
    for listed, measured in found:
        own = {"connection": connection, "family": listed.family, "key": listed.key}
        MeasuredSession.objects.filter(**own).delete()
        session = MeasuredSession.objects.create(
            **own,
            day=kept_days[listed.start.astimezone(UTC).date()],
            topic=listed.topic,
            start=listed.start,
            end=listed.end,
            read_at=now,
        )
        _keep(session, measured)


def _keep(session: MeasuredSession, measured: Sequence[StreamMeasures]) -> None:
    """Stores the measurements, with those made while a viewer watched the live session."""
    earlier = _kept_samples(session)
    rows: list[MeasuredStay] = []
    streams: list[MeasuredStream] = []
    for one in measured:
        contents = list({**earlier.get(one.stay.key, {}), **one.samples}.values())
        figures = figures_of(contents)
        if not figures:
            continue
        row = _row(session, one.stay)
        row.cpu = processor_of(contents)
        rows.append(row)
        for each in figures:
            stream = each.row()
            stream.stay = row
            streams.append(stream)
    MeasuredStay.objects.bulk_create(rows, batch_size=_BATCH)
    for stream in streams:
        stream.stay_id = stream.stay.pk
    MeasuredStream.objects.bulk_create(streams, batch_size=_BATCH)


def _kept_samples(session: MeasuredSession) -> dict[str, dict[datetime, Content]]:
    found: dict[str, dict[datetime, Content]] = {}
    rows = KeptSample.objects.filter(connection=session.connection, session=session.key)
    for stay, at, content in rows.values_list("stay", "measured_at", "content"):
        found.setdefault(stay, {})[at] = content
    return found


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
