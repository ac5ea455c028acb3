"""One session: always asked of the service, its host taken from the mirror."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from pydantic import ValidationError

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.client import Api, ApiError, NotFound
from portal.config import clock
from portal.contract.model import JsonDict
from portal.contract.recurrence import Recurrence
from portal.contract.session_kinds import PlannedSession
from portal.contract.sessions import Occurrence
from portal.directory.colleagues import Colleague, colleague
from portal.sessions import mirror
from portal.sessions.recurrence import Pattern, guess, pattern_of
from portal.sessions.rereading import request_reread
from portal.sessions.specs import SessionSpec
from portal.sessions.times import zone_or_utc
from portal.ui.numbers import spaced
from portal.ui.times import aware

Details = PlannedSession


@dataclass(frozen=True)
class SessionRecord:
    """A session as a page shows it."""

    spec: SessionSpec
    details: Details
    host: Colleague

    @property
    def id(self) -> str:
        """Its number, by which the service and the URLs know it."""
        return str(self.details.id)

    @property
    def topic(self) -> str:
        return self.details.topic or self.spec.called(self.spaced_id)

    @property
    def spaced_id(self) -> str:
        return spaced(self.id)

    @property
    def type_label(self) -> str:
        return self.details.type.label

    @property
    def is_instant(self) -> bool:
        return self.details.type == self.spec.instant

    @cached_property
    def alternative_hosts(self) -> list[str]:
        """Their emails or ids."""
        named = self.details.settings.alternative_hosts if self.details.settings else ""
        return [name.strip() for name in (named or "").split(",") if name.strip()]

    @property
    def password(self) -> str:
        """Returns the password that people type to join; empty if it is not reported."""
        return str(getattr(self.details, "password", "") or "")

    @property
    def reports_password(self) -> bool:
        """Returns whether the service reports the password, also that there is none: for webinars
        those of today do, beside the document."""
        return self.spec.reports_password or "password" in self.details.model_fields_set

    @property
    def has_fixed_time(self) -> bool:
        return self.details.type in self.spec.fixed

    @property
    def timezone(self) -> str:
        return zone_or_utc(self.details.timezone or self.host.timezone)

    @cached_property
    def occurrences(self) -> list[Occurrence]:
        """Its times, earliest first, without those that were deleted."""
        dated = [(one.start_time, one) for one in self.details.remaining if one.start_time]
        return [one for _start, one in sorted(dated, key=lambda pair: pair[0])]

    def occurrence(self, number: str) -> Occurrence | None:
        """Returns the occurrence of this id; None if there is none, or it was deleted."""
        return next((one for one in self.occurrences if str(one.occurrence_id) == number), None)

    @property
    def dates(self) -> list[datetime]:
        """Returns the starts of its times, empty if it has none of several."""
        return [one.start_time for one in self.occurrences if one.start_time]

    @cached_property
    def times(self) -> list[tuple[datetime, datetime]]:
        """Returns the start and end of each time, earliest first; empty without a fixed time."""
        if not self.has_fixed_time:
            return []
        usual = self.details.duration or 0
        times = sorted((start, minutes or usual) for _id, start, minutes in self.details.times)
        return [(start, start + timedelta(minutes=minutes)) for start, minutes in times]

    @property
    def is_over(self) -> bool:
        """Returns whether its last time is over; one that can start at any time is never over."""
        return bool(self.times) and self.next_start is None

    @property
    def next_start(self) -> datetime | None:
        """The start of the first time that has not gone by, which may be under way."""
        now = clock.now()
        return next((start for start, end in self.times if end >= now), None)

    @property
    def is_due(self) -> bool:
        return self.next_start is not None and self.next_start <= clock.now()

    @cached_property
    def recurrence(self) -> Recurrence | None:
        """Returns the recurrence that the service reports, or else one that its dates suggest."""
        return self._reported_recurrence or guess(self.dates, self.timezone)

    def with_unknown(self, recurrence: Recurrence) -> Recurrence:
        """Returns a recurrence with the fields of the reported one that no document declares."""
        whole = {**self.unknown_of_recurrence, **recurrence.sent()}
        return Recurrence.model_validate(whole, extra="allow")

    @property
    def unknown_of_recurrence(self) -> JsonDict:
        reported = self._reported_recurrence
        return (reported.model_extra or {}) if reported else {}

    @cached_property
    def pattern(self) -> Pattern | None:
        """Returns its pattern and the dates deleted of it; `None` if its dates do not show one."""
        return pattern_of(
            self.dates,
            self.timezone,
            start=self.details.start_time,
            deleted=[
                one.start_time
                for one in self.details.occurrences
                if one.is_deleted and one.start_time
            ],
            reported=self._reported_recurrence,
        )

    @cached_property
    def _reported_recurrence(self) -> Recurrence | None:
        recurrence = (self.details.model_extra or {}).get("recurrence")
        try:
            return Recurrence.model_validate(recurrence, extra="allow") if recurrence else None
        except ValidationError:
            return None


def read(api: Api, scope: Scope, spec: SessionSpec, session_id: str) -> SessionRecord:
    """Reads a session. Raises `ApiError`; for one that is gone `NotFound`, and lists forget it."""
    try:
        details: Any = spec.calls(api).get(session_id)
    except NotFound:
        mirror.drop(scope.connection, spec.family, session_id)
        raise
    return record_of(spec, details, colleague(scope, details.host_id))


def record_of(spec: SessionSpec, details: Details, host: Colleague | None = None) -> SessionRecord:
    """Returns the session that the service reports; without `host`, their name is not known."""
    for each in (details, *details.occurrences):
        # Some services leave the zone out, which is then GMT; times have to be comparable.
        if each.start_time:
            each.start_time = aware(each.start_time)
    return SessionRecord(spec, details, host or Colleague(details.host_id, details.host_id))


def reread_session(api: Api, connection: Connection, spec: SessionSpec, session_id: str) -> None:
    """Reads a session again after a write, so that the lists are right at once.

    The write is done, so a read that fails now is no reason for an error: the worker reads it.
    """
    try:
        details: Details = spec.calls(api).get(session_id)
    except NotFound:
        mirror.drop(connection, spec.family, session_id)
    except ApiError:
        request_reread(connection, spec.family, session_id)
    else:
        mirror.put_written(connection, spec.family, [details])


def stored(scope: Scope, spec: SessionSpec, session_id: str) -> SessionRecord | None:
    """Returns a session as the list has it; None if it does not contain it."""
    row = mirror.listed(scope).filter(kind=spec.family, session_id=session_id).first()
    if row is None or spec.get.returns is None:
        return None
    names = ("topic", "uuid", "host_id", "start_time", "duration", "timezone", "created_at")
    data = {name: getattr(row, name) for name in (*names, "join_url")}
    declared = {one.value: one for one in spec.types}
    details: Any = spec.get.returns.model_construct(
        id=session_id, type=declared.get(row.type or 0, spec.once), **data
    )
    return record_of(spec, details, colleague(scope, row.host_id))


def placeholder(spec: SessionSpec, session_id: str, topic: str = "") -> SessionRecord:
    """A session that cannot be read now: its number, and what a form knows of it."""
    assert spec.get.returns is not None  # noqa: S101 - reading one returns it
    data: JsonDict = {"id": session_id, "topic": topic}
    details: Any = spec.get.returns.model_construct(**data)
    return SessionRecord(spec, details, Colleague("", "", is_listed=False))
