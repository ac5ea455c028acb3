"""Overview of a session: its times, and its settings in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum

from django.utils import timezone

from portal.config import clock
from portal.contract.model import fields, title_of
from portal.sessions import recurrence as recurring
from portal.sessions.services.session import SessionRecord
from portal.sessions.times import in_words
from portal.translation import gettext as _


@dataclass(frozen=True)
class Time:
    id: str
    words: str
    is_past: bool


@dataclass(frozen=True)
class Times:
    """The times of a session, in its own zone. `host` and `viewer` are empty if the host's clock,
    or the reader's, shows the same."""

    words: str = ""
    host: str = ""
    viewer: str = ""
    rule: str = ""
    each: tuple[Time, ...] = ()

    @property
    def coming(self) -> list[Time]:
        return [one for one in self.each if not one.is_past]


@dataclass(frozen=True)
class OverviewLine:
    """A setting: `is_off` if nothing is on or chosen."""

    title: str
    words: str
    is_off: bool


@dataclass(frozen=True)
class OverviewLines:
    title: str
    lines: list[OverviewLine]

    @property
    def on(self) -> list[OverviewLine]:
        return [one for one in self.lines if not one.is_off]

    @property
    def off(self) -> list[OverviewLine]:
        return [one for one in self.lines if one.is_off]

    @property
    def off_titles(self) -> str:
        return ", ".join(one.title for one in self.off)


def times(session: SessionRecord) -> Times:
    details, zone = session.details, session.timezone
    start = details.start_time
    if session.details.occurrences and start not in session.dates:
        start = next(iter(session.dates), None)  # the first occurrence was deleted
    if start is None:
        return Times()
    words = in_words(start, zone, details.duration)
    host_zone = session.host.timezone
    host = in_words(start, host_zone, details.duration) if host_zone else ""
    rule = ""
    if session.recurrence and session.dates:
        rule = recurring.in_words(session.dates[0], zone, session.recurrence)
    viewer = in_words(start, timezone.get_current_timezone_name(), details.duration)
    return Times(
        words=words,
        host=host if host != words else "",
        viewer=viewer if viewer != words else "",
        rule=rule,
        each=tuple(_each(session)),
    )


def _each(session: SessionRecord) -> Iterator[Time]:
    now = clock.now()
    for one in session.occurrences:
        if one.start_time is None:
            continue
        ends = one.start_time + timedelta(minutes=one.duration or 0)
        words = in_words(one.start_time, session.timezone, one.duration)
        yield Time(str(one.occurrence_id), words, ends < now)


def setting_lines(session: SessionRecord) -> list[OverviewLines]:
    """The settings that the service reported, in the groups of the form."""
    settings = session.details.settings
    if settings is None:
        return []
    declared = dict(fields(type(settings)))
    data = {name: getattr(settings, name) for name in settings.model_fields_set if name in declared}
    groups = []
    for group in session.spec.setting_groups:
        names = [name for name in group.fields if name in data]
        lines = [_line(title_of(declared[name], name), data[name]) for name in names]
        if lines:
            groups.append(OverviewLines(group.title, lines))
    return groups


def _line(title: str, value: object) -> OverviewLine:
    if isinstance(value, bool):
        return OverviewLine(title, _("On") if value else _("Off"), not value)
    if isinstance(value, Enum):
        return OverviewLine(title, str(getattr(value, "label", value.value)), is_off=False)
    return OverviewLine(title, str(value) if value not in (None, "") else _("Not set"), not value)
