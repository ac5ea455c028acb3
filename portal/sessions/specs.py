"""Specs of kinds of sessions: words, operations and models, declared by the app of each kind."""

from collections.abc import Callable, Iterator, Mapping
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
from portal.contract.dashboards import SessionMetric, SessionsQuery
from portal.contract.model import JsonDict, Model
from portal.contract.operation import AnyOperation, BoundPaged, Family
from portal.contract.paging import NumberedQuery
from portal.contract.recordings import Recordings
from portal.contract.session_kinds import PollFamily, RegistrantFamily, SessionFamily
from portal.contract.sessions import SessionDetails
from portal.directory.colleagues import Colleague, colleague
from portal.imports.sheets.headings import TableWords
from portal.jobs.planning import Planning, Unplannable
from portal.sessions.capacity import Capacity
from portal.sessions.times import day_and_time, zone_or_utc
from portal.translation import gettext as _, gettext_lazy, pgettext
from portal.translation.phrases import joined
from portal.ui.numbers import spaced
from portal.ui.times import aware

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
class SessionLink:
    """A page about how people join, below `title`, under the name of its URL."""

    name: str
    title: str
    label: str
    needs: AnyOperation


@dataclass(frozen=True)
class Live:
    """The operations that report what is live, or was of late: the list, and one by its number."""

    list: AnyOperation
    get: AnyOperation

    def all(self, api: Api, query: SessionsQuery) -> Iterator[SessionMetric]:
        """Yields every session of the list. Raises `ApiError`."""
        return BoundPaged[Any, Any, SessionMetric](self.list, api.caller).all(query)


@dataclass(frozen=True)
class Past:
    """The operations that report the past instances of a session; a time goes by its UUID."""

    instances: AnyOperation
    get: AnyOperation
    participants: AnyOperation

    @property
    def records(self) -> str:
        """Returns the name under which the instances stand in their list."""
        return next(iter(_model(self.instances.returns).model_fields))


@dataclass(frozen=True)
class HostedLists:
    """Queries of the list of a host's sessions: all that are planned, those that are live without
    having been planned, and the times to come. The last two are None if there is no such list."""

    planned: NumberedQuery
    live: NumberedQuery | None = None
    coming: NumberedQuery | None = None


# Titles of groups of settings that kinds have in common.
JOINING = gettext_lazy("Joining")
AUDIO_AND_VIDEO = gettext_lazy("Audio and video")
REGISTRATION = gettext_lazy("Registration")


@dataclass(frozen=True)
class SessionSettingGroup:
    """Settings that stand together in a form, by their names."""

    title: str
    fields: tuple[str, ...]


@dataclass(frozen=True, eq=False)  # known by itself, whatever its words are in a language
class SessionSpec:
    """A kind of session.

    `place` is its place in navigation and tabs, `schedule` the title of its shortcut; `noun`,
    `plural`, `label` and `title`, a heading, are for people, in their language. `fixed` are the
    types that take place at fixed times, `recurring` those that take place several times.

    `operations` are the family of its operations, which names its URLs' namespace and the kind
    where it is stored; `families` are others about one such session, beside its registrants and
    polls. `host_readings` report the host of a session by its number, asked one after the other.
    `is_licensed` says that it takes a licence, which accounts and people may lack; `capacity` reads
    the features of a host. `deleted_with` says what is deleted with a session, and with one of
    several occurrences. `words` are those of its tables, `imported` the settings for which only
    they have columns.
    """

    operations: SessionFamily
    place: int
    noun: str
    plural: str
    label: str
    title: str
    icon: str
    schedule: str
    types: type[NumberChoice]
    once: NumberChoice
    recurring: frozenset[NumberChoice]
    fixed: frozenset[NumberChoice]
    instant: NumberChoice | None
    registrants: RegistrantFamily
    polls: PollFamily
    live: Live
    past: Past
    hosted: HostedLists
    host_readings: tuple[AnyOperation, ...]
    families: tuple[type[Family], ...]
    is_licensed: bool
    capacity: Callable[[JsonDict], Capacity]
    setting_groups: tuple[SessionSettingGroup, ...]
    deleted_with: tuple[str, str]
    words: TableWords
    imported: tuple[str, ...]
    own_tabs: tuple[SessionTab, ...] = ()
    links: tuple[SessionLink, ...] = ()

    @property
    def family(self) -> str:
        return self.operations.name

    # Operations of it; as descriptors they have other types in other classes.
    @property
    def of_user(self) -> Any:
        return self.operations.of_user

    @property
    def create(self) -> Any:
        return self.operations.create

    @property
    def get(self) -> Any:
        return self.operations.get

    @property
    def update(self) -> Any:
        return self.operations.update

    @property
    def delete(self) -> Any:
        return self.operations.delete

    @property
    def end(self) -> Any:
        return self.operations.end

    @property
    def new(self) -> type[Model]:
        """The model of a new one."""
        return _model(self.create.body)

    @property
    def change(self) -> type[Model]:
        """The model of changes to one."""
        return _model(self.update.body)

    @property
    def tabs(self) -> tuple[SessionTab, ...]:
        return (
            SessionTab("session", _("Overview"), needs=self.get),
            SessionTab("registrants", _("Registrants"), needs=self.registrants.list),
            SessionTab("polls", _("Polls"), needs=self.polls.list),
            *self.own_tabs,
            SessionTab("held", _("Past instances"), needs=self.past.instances),
            SessionTab("recordings", _("Recordings"), needs=Recordings.get),
            SessionTab("history", _("History"), needs=self.get),
        )

    @property
    def code(self) -> str:
        """Returns the name of one in files and calendars, in any language: `meeting`."""
        return self.family.removesuffix("s")

    @property
    def series(self) -> NumberChoice:
        """The type that takes place several times at fixed times, by its recurrence."""
        return next(iter(self.recurring & self.fixed))

    @property
    def open_ended(self) -> list[int]:
        """Returns the types that can be started again at any time."""
        return sorted(one.value for one in self.recurring - self.fixed)

    @property
    def reports_password(self) -> bool:
        """Returns whether the interface reports the password of an existing session."""
        return "password" in _model(self.get.returns).model_fields

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
        return pgettext("session", "%(noun)s ID") % {"noun": self.label}

    def called(self, number: str) -> str:
        """One that has no topic, by its number."""
        return joined(" ", self.label, number)

    def calls(self, api: Api) -> Any:
        """The family's operations, bound to a connection."""
        return self.operations(api.caller)


def _model(declared: type[Model] | None) -> type[Model]:
    assert declared is not None  # noqa: S101 - each kind is created, changed and read
    return declared


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
    """Returns the time in the viewer's zone; empty if it is not known whether there is one."""
    if "start" not in data:
        return ""
    if not data["start"]:
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
