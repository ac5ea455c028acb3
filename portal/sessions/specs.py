"""Differences between meetings and webinars: words, operations, models, declared by each domain."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import dateformat, timezone

from portal.access.models import Connection
from portal.client import Api, NotFound
from portal.config import clock
from portal.contract.choices import NumberChoice
from portal.contract.model import Model
from portal.contract.operation import AnyOperation
from portal.contract.polls import MeetingPolls, WebinarPolls
from portal.contract.registrants import MeetingRegistrants, WebinarRegistrants
from portal.contract.sessions import SessionDetails
from portal.directory.colleagues import Colleague, colleague
from portal.jobs.planning import Planning, Unplannable
from portal.sessions.times import day_and_time, zone_or_utc
from portal.translation import gettext as _, pgettext
from portal.ui.numbers import spaced
from portal.ui.times import aware

RegistrantFamily = type[MeetingRegistrants] | type[WebinarRegistrants]
ABOUT = "about"  # the key of it in the data of a job's row
# How rows are searched by it.
SEARCHED = ("data__about__host", "data__about__number", "data__about__topic")


@dataclass(frozen=True)
class SessionTab:
    """A tab of the session page, under the name of its URL in the domain's namespace.

    It is shown to those whose role allows `needs`.
    """

    name: str
    label: str
    needs: AnyOperation


@dataclass(frozen=True)
class Past:
    """The operations that report the past instances of a session; a time goes by its UUID."""

    instances: AnyOperation
    get: AnyOperation
    participants: AnyOperation


@dataclass(frozen=True)
class SessionSettingGroup:
    """Settings that stand together in a form, by their names."""

    title: str
    fields: tuple[str, ...]


@dataclass(frozen=True, eq=False)  # known by itself, whatever its words are in a language
class SessionSpec:
    """Meetings or webinars.

    `family` is the name of their operations, and of their URLs' namespace; `noun`, `plural` and
    `title`, a heading, are for people, in their language. `live` reports one that is live now.
    `fixed` are the types that take place at fixed times, `recurring` those that take place several
    times. `place` is its place in navigation and tabs, `schedule` the title of its shortcut.
    """

    family: str
    place: int
    noun: str
    plural: str
    title: str
    icon: str
    schedule: str
    types: type[NumberChoice]
    once: NumberChoice
    recurring: frozenset[NumberChoice]
    fixed: frozenset[NumberChoice]
    instant: NumberChoice | None
    new: type[Model]
    change: type[Model]
    of_user: AnyOperation
    create: AnyOperation
    get: AnyOperation
    update: AnyOperation
    delete: AnyOperation
    end: AnyOperation
    live: AnyOperation
    registrants: RegistrantFamily
    polls: type[MeetingPolls] | type[WebinarPolls]
    past: Past
    tabs: tuple[SessionTab, ...]
    setting_groups: tuple[SessionSettingGroup, ...]
    has_invitation: bool = False

    @property
    def code(self) -> str:
        """Returns the name of one in files and calendars, in any language: `meeting`."""
        return self.family.removesuffix("s")

    @property
    def series(self) -> NumberChoice:
        """The type that takes place several times at fixed times, by its recurrence."""
        return next(iter(self.recurring & self.fixed))

    @property
    def reports_password(self) -> bool:
        """Returns whether the interface reports the password of an existing session."""
        return bool(self.get.returns and "password" in self.get.returns.model_fields)

    @property
    def fixed_values(self) -> str:
        """The numbers of the types at fixed times, as the form's script reads them."""
        return ",".join(str(one.value) for one in sorted(self.fixed))

    @property
    def id_name(self) -> str:
        """Returns the name of its number in a sentence: "meeting ID"."""
        return pgettext("session", "%(noun)s ID") % {"noun": self.noun}

    @property
    def id_title(self) -> str:
        """Returns the name of the id as a label: "Meeting ID"."""
        return pgettext("session", "%(noun)s ID") % {"noun": self.noun.capitalize()}

    def called(self, number: str) -> str:
        """One that has no topic, by its number."""
        return f"{self.noun.capitalize()} {number}"

    def calls(self, api: Api) -> Any:
        """The family's operations, bound to a connection."""
        return getattr(api, self.family)


def has_page(session_id: str) -> bool:
    """Returns whether a session of this id can be asked for: by its number alone."""
    return session_id.isascii() and session_id.isdigit()


def page_of(connection: Connection, kind: str, number: str) -> str:
    """Returns the URL of the page about a session; empty if it has none."""
    return reverse(f"{kind}:session", args=[connection.key, number]) if has_page(number) else ""


def about(details: SessionDetails, host: str) -> dict[str, str]:
    """As JSON keeps it; `details` is a session as the service reports it."""
    colleague_named = Colleague(details.host_id or "", host or details.host_id or "")
    start, zone = next_start(details), details.timezone or ""
    return about_details(details.topic or "", colleague_named, str(details.id or ""), start, zone)


def about_details(
    topic: str, host: Colleague, number: str, start: datetime | None, zone: str = ""
) -> dict[str, str]:
    return {
        "topic": topic,
        "host": host.name,
        "host_id": host.id,
        "number": number,
        "start": start.isoformat() if start else "",
        "timezone": zone,
    }


def next_start(details: SessionDetails) -> datetime | None:
    """Returns the next time; the last one if all are over, None without a fixed time."""
    times = sorted(aware(each) for each in details.starts)
    coming = [each for each in times if each >= clock.now()]
    return next(iter(coming), times[-1] if times else None)


def in_words(data: Mapping[str, str]) -> list[str]:
    """Host, time and number; the time is in the viewer's zone, which it names."""
    return list(filter(None, (data.get("host"), when(data), spaced(data.get("number", "")))))


def when(data: Mapping[str, str]) -> str:
    """Returns the time in the viewer's zone."""
    if not data.get("start"):
        return _("No fixed time")
    local = timezone.localtime(datetime.fromisoformat(data["start"]))
    return f"{day_and_time(local)} {local.tzname()}"


def when_there(data: Mapping[str, str]) -> str:
    """The time in the session's own zone, which is named."""
    if not data.get("start"):
        return _("no fixed time")
    zone = zone_or_utc(data.get("timezone", ""))
    local = datetime.fromisoformat(data["start"]).astimezone(ZoneInfo(zone))
    written = dateformat.format(local, _("l, j F Y, H:i"))
    return f"{written} ({zone})"


def session_of(planning: Planning, spec: SessionSpec) -> dict[str, str]:
    """The session that people register for, read once for all rows of a plan."""
    try:
        details = spec.calls(planning.api).get(planning.job.parameters["session_id"])
    except NotFound:
        raise Unplannable(_("This session no longer exists on the service.")) from None
    host = colleague(planning.scope, details.host_id or "")
    return about(details, host.name)


def of_registrant(data: Mapping[str, str]) -> list[str]:
    return [data["topic"], *in_words(data)] if data.get("topic") else in_words(data)
