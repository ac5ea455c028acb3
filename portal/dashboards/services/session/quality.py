"""The quality of a session's participants: read ten at a time, stored minute by minute.

The service reports only the last measurement of each participant, so the history of a session is
what was read while a user watched.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction
from pydantic import TypeAdapter

from portal.access.http import Origin
from portal.access.models import Connection
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.client import Api
from portal.config import clock
from portal.contract.dashboards import ParticipantQuality
from portal.dashboards.models import QualityThresholds, StoredSample
from portal.dashboards.services.session.measures import (
    DEFAULTS,
    LIMITS,
    RANK,
    Content,
    Thresholds,
    as_content,
    level,
)
from portal.dashboards.services.session.people import (
    SessionStay,
    called,
    sane,
    stay_key,
)
from portal.dashboards.services.session.readings import Place, StoredReading, cached
from portal.mirror.values import text
from portal.translation import gettext as _
from portal.ui.charts import Level

AT_ONCE = 10  # participants; the service gives no more
STORED_FOR = timedelta(days=31)
_MOST_SAMPLES = 1440  # of one participant, which are a day's
# Fair and poor by the name of a limit; `None` for a limit that is not judged.
PairByLimit = dict[str, tuple[float, float] | None]
_AROUND = timedelta(minutes=1)


@dataclass(frozen=True)
class Sample:
    """A measurement; `level` is its verdict by the thresholds of today."""

    at: datetime
    content: Content
    level: Level | None = None


@dataclass(frozen=True)
class Quality:
    """The service's report on one participant now; samples in the order of time."""

    key: str
    user_id: str
    name: str
    device: str
    location: str
    version: str
    samples: list[Sample]

    @classmethod
    def of(cls, one: ParticipantQuality, stay: SessionStay | None = None) -> "Quality":
        now = clock.now()
        user_id = text(one.user_id)
        samples = [Sample(at, content) for at, content in samples_of(one, now)][-_MOST_SAMPLES:]
        return cls(
            key=stay.key if stay else stay_key(user_id, sane(one.join_time, now)),
            user_id=user_id,
            name=text(one.user_name),
            device=text(one.device),
            location=text(one.location),
            version=text(one.version),
            samples=sorted(samples, key=lambda one: one.at),
        )

    @property
    def last(self) -> Sample | None:
        return self.samples[-1] if self.samples else None


def samples_of(one: ParticipantQuality, now: datetime) -> Iterator[tuple[datetime, Content]]:
    """Yields the moment and the content of each sample: without a moment it is one of now, with one
    of another year it is left out."""
    for sample in one.samples:
        at = sane(sample.date_time, now) if sample.date_time else now.replace(microsecond=0)
        if at:
            yield at, as_content(sample)


@dataclass(frozen=True)
class SessionQualityPage:
    """Ten participants; `next_token` leads to the next ten for a while."""

    qualities: list[Quality]
    next_token: str
    total: int | None


_QUALITY = TypeAdapter(Quality)
_QUALITY_PAGE = TypeAdapter(SessionQualityPage)


class QualityReader:
    """Reads the quality of a session, and stores each sample under the keys of session and stay."""

    def __init__(
        self,
        api: Api,
        connection: Connection,
        place: Place,
        session: str,
        *,
        stays: Sequence[SessionStay],
        thresholds: Thresholds,
    ) -> None:
        self._api, self._connection, self._place = api, connection, place
        self._session, self._thresholds = session, thresholds
        self._stays = {one.key: one for one in stays}

    def page(self, token: str = "") -> StoredReading[SessionQualityPage]:
        """Raises `ApiError`, in particular `Invalid` for a token that expired."""

        def read() -> SessionQualityPage:
            more = {"next_page_token": token} if token else {}
            board = self._place.board
            call = self._place.call(board.qualities, page_size=AT_ONCE, **more)
            answer = self._api.caller(call)
            qualities = [Quality.of(one) for one in answer.participants]
            self._store(qualities)
            next_token = text(answer.next_page_token, 1000)
            return SessionQualityPage(qualities, next_token, answer.total_records)

        aspect = f"qualities {token}"
        reading = cached(self._connection, self._place, aspect, _QUALITY_PAGE, read)
        judged = [self._judged(one) for one in reading.value.qualities]
        return replace(reading, value=replace(reading.value, qualities=judged))

    def one(self, stay: SessionStay) -> StoredReading[Quality]:
        """Raises `ApiError`."""

        def read() -> Quality:
            call = self._place.call(self._place.board.quality, stay.address)
            quality = Quality.of(self._api.caller(call), stay)
            self._store([quality])
            return quality

        aspect = f"quality {stay.address}"
        return cached(self._connection, self._place, aspect, _QUALITY, read)

    def _judged(self, one: Quality) -> Quality:
        samples = [
            replace(each, level=level(each.content, self._thresholds)) for each in one.samples
        ]
        return replace(one, samples=samples)

    def _store(self, qualities: Iterable[Quality]) -> None:
        rows = [
            self._row(one, sample) for one in qualities for sample in one.samples if sample.content
        ]
        StoredSample.objects.bulk_create(rows, ignore_conflicts=True)

    def _row(self, one: Quality, sample: Sample) -> StoredSample:
        stay = self._stays.get(one.key)
        return StoredSample(
            connection=self._connection,
            session=self._session,
            stay=one.key,
            measured_at=sample.at,
            participant=stay.address if stay else one.user_id,
            name=stay.name if stay else one.name,
            network=stay.network if stay else "",
            location=one.location or (stay.location if stay else ""),
            version=one.version or (stay.version if stay else ""),
            device=one.device or (stay.device if stay else ""),
            level=level(sample.content, self._thresholds) or "",
            content=sample.content,
        )


def history(
    connection: Connection, session: str, stay: str, thresholds: Thresholds
) -> list[Sample]:
    """Returns the stored samples of one stay, in the order of time; `session` is its key."""
    rows = StoredSample.objects.filter(connection=connection, session=session, stay=stay)
    latest = rows.order_by("-measured_at")[:_MOST_SAMPLES]
    return [
        Sample(row.measured_at, row.content, level(row.content, thresholds))
        for row in reversed(latest)
    ]


def prune() -> int:
    """Deletes samples of more than a month ago. Returns their number."""
    old = StoredSample.objects.filter(measured_at__lt=clock.now() - STORED_FOR)
    return old.delete()[0]


def thresholds(connection: Connection) -> Thresholds:
    """Returns the thresholds of a connection: those that were set, and the defaults of others."""
    return {name: pair for name, pair in pairs_of(connection).items() if pair}


def pairs_of(connection: Connection) -> PairByLimit:
    """Returns the thresholds by the name of each limit; `None` for one that is not judged."""
    rows = QualityThresholds.objects.filter(connection=connection)
    stored = rows.values_list("values", flat=True).first() or {}
    pairs: PairByLimit = {**DEFAULTS}
    for name, value in stored.items():
        if name in pairs:
            pairs[name] = (value[0], value[1]) if value else None
    return pairs


@transaction.atomic
def set_pairs(origin: Origin, connection: Connection, given: PairByLimit) -> None:
    """Stores the thresholds that differ from the defaults, and records the change."""
    before = pairs_of(connection)
    if given == before:
        return
    values = {
        name: list(pair) if pair else None
        for name, pair in given.items()
        if pair != DEFAULTS.get(name)
    }
    QualityThresholds.objects.update_or_create(connection=connection, defaults={"values": values})
    changed = [name for name in given if given[name] != before[name]]
    record(
        origin,
        Act.QUALITY_STATED,
        label=connection.name,
        connection=connection,
        sent=_in_words(given, changed),
        before=_in_words(before, changed),
    )


def _in_words(data: PairByLimit, names: list[str]) -> dict[str, str]:
    titles = {one.name: f"{one.title}, {one.unit}" for one in LIMITS}
    return {
        titles[name]: _("fair %(fair)s, poor %(poor)s")
        % {"fair": f"{pair[0]:g}", "poor": f"{pair[1]:g}"}
        if pair
        else _("not judged")
        for name in names
        for pair in [data[name]]
    }


@dataclass(frozen=True)
class MeasuredMinute:
    row: StoredSample
    level: Level | None

    @property
    def name(self) -> str:
        return called(self.row.name)


@dataclass(frozen=True)
class MinuteGroup:
    """Participants with the same network, location or version, counted by their worst level."""

    name: str
    poor: int
    fair: int
    measured: int


@dataclass(frozen=True)
class Minute:
    """Participants who were measured within a minute of `at`, the worst first; `groupings` are
    titles and groups."""

    at: datetime
    measured: list[MeasuredMinute]
    groupings: list[tuple[str, list[MinuteGroup]]]

    @property
    def bad(self) -> list[MeasuredMinute]:
        return [one for one in self.measured if one.level in ("fair", "poor")]


def minute(connection: Connection, session: str, at: datetime, thresholds: Thresholds) -> Minute:
    """Returns the stored sample of each participant that was measured nearest to that moment."""
    rows = StoredSample.objects.filter(
        connection=connection,
        session=session,
        measured_at__range=(at - _AROUND, at + _AROUND),
    )
    nearest: dict[str, StoredSample] = {}
    for row in sorted(rows, key=lambda row: abs(row.measured_at - at)):
        nearest.setdefault(row.stay, row)
    measured = sorted(
        (MeasuredMinute(row, level(row.content, thresholds)) for row in nearest.values()),
        key=lambda one: (-RANK[one.level] if one.level else 1, one.row.name),
    )
    by = {"network": _("Network"), "location": _("Location"), "version": _("Client version")}
    return Minute(at, measured, [(title, _groups(measured, name)) for name, title in by.items()])


def _groups(measured: Iterable[MeasuredMinute], field: str) -> list[MinuteGroup]:
    """Returns groups by a field of the samples, the worst first."""
    by_name: dict[str, list[Level | None]] = {}
    for one in measured:
        by_name.setdefault(getattr(one.row, field) or _("Unknown"), []).append(one.level)
    groups = [
        MinuteGroup(name, levels.count("poor"), levels.count("fair"), len(levels))
        for name, levels in by_name.items()
    ]
    return sorted(
        groups, key=lambda one: (-one.poor / one.measured, -one.fair / one.measured, one.name)
    )
