"""The preview of a session before it is saved: its dates, times in other zones, and conflicts."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from zoneinfo import ZoneInfo

from django.utils import dateformat, timezone

from portal.access.scope import Scope
from portal.client import Api, ApiError
from portal.config import clock
from portal.contract.recurrence import Recurrence
from portal.contract.users import LicenceType
from portal.directory.colleagues import Colleague
from portal.sessions import recurrence as recurring
from portal.sessions.services import hosts
from portal.sessions.services.losses import LostSession, Replacement, lost_with
from portal.sessions.services.session import SessionRecord
from portal.sessions.specs import SessionSpec
from portal.sessions.times import (
    Start,
    in_words,
    local_time,
    next_hour,
    offset,
    start_of,
    zone_or_utc,
)
from portal.translation import gettext as _, ngettext, number

_MOST_CLASHES = 4
_MOST_STEPS = 50
_QUARTER = timedelta(minutes=15)


@dataclass(frozen=True)
class PreviewPlan:
    """A plan that is about to be saved, as far as it is filled in.

    `hosts` is how many get one. `besides` is the session that it changes, `unchanged` its times
    that stay, and `replacement` what becomes of them if they do not. `remarks` are its oddities so
    far.
    """

    spec: SessionSpec
    host: Colleague | None = None
    start: Start | None = None
    minutes: int | None = None
    recurrence: Recurrence | None = None
    expected: int | None = None
    hosts: int = 1
    besides: SessionRecord | None = None
    unchanged: tuple[datetime, ...] = ()
    replacement: Replacement | None = None
    remarks: tuple[str, ...] = ()

    @property
    def moments(self) -> list[datetime]:
        if self.replacement and self.replacement.dates:
            return list(self.replacement.dates)
        if self.unchanged:
            return list(self.unchanged)
        if self.start is None:
            return []
        if self.recurrence is None:
            return [self.start.moment]
        start = self.start
        return recurring.starts(start.moment, start.zone, self.recurrence, wall=start.typed)


@dataclass(frozen=True)
class Clock:
    """A moment on a person's clock."""

    whose: str
    zone: str
    words: str


@dataclass(frozen=True)
class Elsewhere:
    """A time on another clock: that of the host, by name, or of the viewer, without one.

    `has_moved` says that it shows another time of day than for the first date.
    """

    whose: str
    time: str
    has_moved: bool


@dataclass(frozen=True)
class Date:
    """One time that it takes place: in the plan's zone, and on the clocks that show another.

    `is_moved` says that clocks go forward over the time of day, so that it is later on this day.
    """

    day: str
    time: str
    is_moved: bool
    elsewhere: tuple[Elsewhere, ...]


@dataclass(frozen=True)
class PreviewReturn:
    """A date that was deleted and that the service makes anew, in words; `begins` is when."""

    was: str
    now: str
    begins: str


@dataclass(frozen=True)
class Preview:
    """`proposed_zone` is the host and their zone, if it is another than the plan's, with the start
    of a new session there."""

    clocks: list[Clock] = field(default_factory=list)
    dates: list[Date] = field(default_factory=list)
    rule: str = ""
    remarks: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    unknown: str = ""
    back: list[PreviewReturn] = field(default_factory=list)
    lost: LostSession = field(default_factory=LostSession)
    replacement: Replacement | None = None
    proposed_zone: tuple[str, str, str] | None = None
    free: tuple[str, str] | None = None  # the next free start, in words and as it is typed

    def in_short(self) -> list[tuple[str, str]]:
        """Returns the first time and the rule, with their titles."""
        when = [(_("Start"), f"{one.words}, {one.zone}") for one in self.clocks[:1]]
        return when + ([(_("Repeats"), self.rule)] if self.rule else [])

    @property
    def signature(self) -> str:
        """Names what is warned of, for a form to say that it was seen; empty without a warning."""
        text = "\n".join([*self.warnings, *(f"{one.was}{one.begins}" for one in self.back)])
        return sha256(text.encode()).hexdigest()[:24] if text else ""


def preview(api: Api, scope: Scope, plan: PreviewPlan) -> Preview:
    """The preview of a plan; `unknown` says so if the host cannot be looked up now.

    The viewer's clock is the current time zone.
    """
    warnings, unknown, free = [], "", None
    try:
        warnings = list(_warnings(api, scope, plan))
        free = _next_free(api, scope, plan)
    except ApiError:
        unknown = _(
            "The host's other sessions and licence could not be loaded, so they are not checked."
        )
    made = Preview(warnings=warnings, unknown=unknown, free=free, replacement=plan.replacement)
    if plan.besides:
        made = replace(made, lost=lost_with(api, scope.connection, plan.besides, plan.replacement))
    if plan.start is None:
        return made
    rule, remarks = "", [*_for_several(plan), *plan.remarks, *filter(None, [plan.start.remark])]
    if plan.recurrence:
        rule = recurring.in_words(plan.start.moment, plan.start.zone, plan.recurrence)
        remarks += recurring.remarks(plan.start.moment, plan.start.zone, plan.recurrence)
    if plan.moments and plan.moments[-1] < clock.now():
        remarks.append(_("The start is in the past."))
    back = []
    if plan.besides and plan.replacement:
        was, now = plan.besides.timezone, plan.start.zone
        back = [
            PreviewReturn(in_words(old, was), in_words(new, now), new.isoformat())
            for old, new in plan.replacement.back.items()
        ]
    host, zone = plan.host, _viewer_zone()
    is_elsewhere = host and zone_or_utc(host.timezone) == host.timezone != plan.start.zone
    return replace(
        made,
        clocks=list(_clocks(plan, plan.start, zone)),
        dates=list(_dates(plan, plan.start, zone)),
        rule=rule,
        remarks=remarks,
        back=back,
        proposed_zone=_proposed_zone(host) if host and is_elsewhere else None,
    )


def _for_several(plan: PreviewPlan) -> Iterator[str]:
    if plan.hosts > 1:
        words = _("Each of %(count)s hosts gets one. The next page shows them before any is made.")
        yield words % {"count": number(plan.hosts)}


def _proposed_zone(host: Colleague) -> tuple[str, str, str]:
    return host.name, host.timezone, f"{next_hour(host.timezone):%Y-%m-%dT%H:%M}"


def _viewer_zone() -> str:
    """Returns the viewer's zone; empty if their browser has not sent it."""
    zone = timezone.get_current_timezone_name()
    return "" if zone == timezone.get_default_timezone_name() else zone_or_utc(zone)


def _clocks(plan: PreviewPlan, start: Start, viewer_zone: str) -> Iterator[Clock]:
    """Yields the start's own zone first, then the host's and the viewer's if they are others."""
    moment = next(iter(plan.moments), start.moment)
    zones = [("", start.zone)]
    if plan.host and plan.host.timezone and zone_or_utc(plan.host.timezone) != start.zone:
        zones.append(
            (_("%(name)s's time") % {"name": plan.host.name}, zone_or_utc(plan.host.timezone))
        )
    if viewer_zone and viewer_zone != start.zone:
        zones.append((_("Your time"), viewer_zone))
    for whose, zone in zones:
        shown = offset(moment.astimezone(ZoneInfo(zone)))
        yield Clock(whose, f"{zone}, {shown}", in_words(moment, zone, plan.minutes))


def _others(plan: PreviewPlan, zone: str, viewer_zone: str) -> list[tuple[str, str]]:
    """The zones of others than the plan's: of the host, by name, and of the viewer."""
    host = plan.host
    host_zone = zone_or_utc(host.timezone) if host and host.timezone else zone
    others = [(host.name, host_zone)] if host and host_zone not in (zone, viewer_zone) else []
    return others + ([("", viewer_zone)] if viewer_zone and viewer_zone != zone else [])


def _dates(plan: PreviewPlan, start: Start, viewer_zone: str) -> Iterator[Date]:
    others = _others(plan, start.zone, viewer_zone)
    moments = plan.moments
    for moment in moments:
        local = local_time(moment, start.zone)
        wanted = start_of(datetime.combine(local.date(), start.typed.time()), start.zone)
        clocks = []
        for whose, zone in others:
            there, first = local_time(moment, zone), local_time(moments[0], zone)
            words = dateformat.format(there, "H:i" if there.date() == local.date() else "D H:i")
            clocks.append(Elsewhere(whose, words, there.time() != first.time()))
        yield Date(
            dateformat.format(local, _("D j M Y")),
            f"{local:%H:%M}",
            wanted.is_missing and wanted.moment == moment,
            tuple(clocks),
        )


def _warnings(api: Api, scope: Scope, plan: PreviewPlan) -> Iterator[str]:
    if plan.host is None:
        return
    yield from _of_the_licence(api, scope, plan, plan.host)
    if plan.start is None:
        return
    minutes = plan.minutes or 1
    clashes = [
        one
        for one in _booked(api, scope, plan, plan.host)
        if any(one.overlaps(each, minutes) for each in plan.moments)
    ]
    clashes.sort(key=lambda one: one.start)
    for one in clashes[:_MOST_CLASHES]:
        when = in_words(one.start, plan.start.zone, one.minutes)
        yield _("%(name)s has “%(topic)s” at that time: %(when)s.") % {
            "name": plan.host.name,
            "topic": one.topic,
            "when": when,
        }
    if len(clashes) > _MOST_CLASHES:
        more = len(clashes) - _MOST_CLASHES
        yield ngettext(
            "%(count)s more scheduling conflict.", "%(count)s more scheduling conflicts.", more
        ) % {"count": more}


def _booked(api: Api, scope: Scope, plan: PreviewPlan, host: Colleague) -> list[hosts.Planned]:
    planned = hosts.planned_by(api, scope, host.id)
    return [one for one in planned if plan.besides is None or one.id != plan.besides.id]


def _next_free(api: Api, scope: Scope, plan: PreviewPlan) -> tuple[str, str] | None:
    """Returns the first quarter of an hour at which the host has time; None if that is the start,
    or none of a few is free."""
    if plan.host is None or plan.start is None or plan.recurrence or plan.unchanged:
        return None
    booked = _booked(api, scope, plan, plan.host)
    minutes, start = plan.minutes or 1, plan.start.moment
    for _step in range(_MOST_STEPS):
        clashing = [one for one in booked if one.overlaps(start, minutes)]
        if not clashing:
            break
        ends = max(one.start + timedelta(minutes=one.minutes) for one in clashing)
        start = ends + (datetime.min.replace(tzinfo=ends.tzinfo) - ends) % _QUARTER
    if clashing or start == plan.start.moment:
        return None
    typed = start.astimezone(ZoneInfo(plan.start.zone))
    return in_words(start, plan.start.zone), f"{typed:%Y-%m-%dT%H:%M}"


def _of_the_licence(api: Api, scope: Scope, plan: PreviewPlan, host: Colleague) -> Iterator[str]:
    spec = plan.spec
    words = {"name": host.name, "plural": spec.plural}
    if spec.is_licensed and host.licence == LicenceType.BASIC:
        yield _("%(name)s has a Basic licence, which does not include %(plural)s.") % words
        return
    if not spec.is_licensed and plan.expected is None:
        return
    has = hosts.capacity(api, scope, host.id, spec)
    if not has.may_hold:
        yield _("%(name)s's licence does not include %(plural)s.") % words
    elif plan.expected and has.most is not None and plan.expected > has.most:
        yield (
            _("At most %(most)s people can join what %(name)s hosts; %(expected)s are expected.")
            % {"most": number(has.most), "name": host.name, "expected": number(plan.expected)}
        )
