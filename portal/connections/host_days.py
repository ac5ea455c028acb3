"""Scheduling limits of each host and day, for all processes; used-up limits in words."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Literal

from portal.access.models import Connection
from portal.audit.wording import moment_in_words
from portal.client import Throttled, messages
from portal.config import cache, clock
from portal.connections.rate_limits import HeldOperation, closures_of, tomorrow
from portal.contract import OPERATIONS
from portal.contract.meetings import Meetings
from portal.contract.operation import AnyOperation, Call, Weight
from portal.contract.webinars import Webinars
from portal.contract.words import Message
from portal.translation import gettext as _, gettext_lazy, ngettext, number

SCHEDULING = frozenset(
    one.name for one in (Meetings.create, Meetings.update, Webinars.create, Webinars.update)
)
_DAY = 86_400
_MOST_LISTED = 1000
_WORTH_SAYING = 0.5  # of what may be asked in a day
_NEARLY = 0.9
_CLASSES = {
    Weight.LIGHT: gettext_lazy("Single objects"),
    Weight.MEDIUM: gettext_lazy("Lists and changes"),
    Weight.HEAVY: gettext_lazy("Reports"),
    Weight.SCARCE: gettext_lazy("Dashboards"),
}


@dataclass(frozen=True)
class ClosedHost:
    """A host without further schedulings until a moment, in the service's words if it gave any."""

    host: str
    until: datetime
    words: str


class HostDays:
    """The hosts of one account of a service."""

    def __init__(self, connection: Connection) -> None:
        self._pace_key = connection.pace_key
        self.limit = connection.limits.host_a_day

    def counts(self, hosts: Collection[str]) -> dict[str, int]:
        """Returns how many were scheduled today for each of these hosts, by ID or email."""
        keys = {self._day_key(host): host for host in hosts}
        return {keys[key]: used for key, used in cache.get_many(keys).items()}

    def count(self, *names: str) -> None:
        """Counts one that was scheduled for a host, by what the host is called."""
        if self.limit is None:
            return
        for name in dict.fromkeys(filter(None, names)):
            if cache.add_one(self._day_key(name), _DAY) >= self.limit:
                self.close(name, (tomorrow() - clock.now()).total_seconds(), "")

    def close(self, host: str, seconds: float, words: str) -> None:
        """Each host has a key of its own, and each closing a number: several at once lose none."""
        name = _spelled(host)
        record = {"until": clock.now().timestamp() + seconds, "words": words}
        cache.set(self._closed_key(name), record, _DAY)
        number = cache.add_one(self._list_key(), _DAY)
        if 0 < number <= _MOST_LISTED:
            cache.set(self._list_key(number), name, _DAY)

    @property
    def counted_by(self) -> str:
        """Returns the key of the cache that says how many were closed today."""
        return self._list_key()

    def closed(self) -> list[ClosedHost]:
        """Returns those that were closed today, as far as there is room to list them."""
        count = min(cache.get(self.counted_by) or 0, _MOST_LISTED)
        if not count:
            return []
        listed = cache.get_many(self._list_key(number + 1) for number in range(count))
        keys = {self._closed_key(host): host for host in listed.values()}
        now = clock.now().timestamp()
        return [
            ClosedHost(keys[key], datetime.fromtimestamp(record["until"], UTC), record["words"])
            for key, record in cache.get_many(keys).items()
            if record["until"] > now
        ]

    def open(self) -> None:
        """Has sessions scheduled again for all hosts, and counted anew."""
        for one in self.closed():
            cache.delete(self._closed_key(one.host))
            cache.delete(self._day_key(one.host))

    def closed_for(self, host: str) -> tuple[float, str]:
        """Returns for how many seconds nothing can be scheduled for a host, and why; mostly 0."""
        record = cache.get(self._closed_key(_spelled(host)))
        if not record:
            return 0.0, ""
        return max(record["until"] - clock.now().timestamp(), 0.0), record["words"]

    def _closed_key(self, name: str) -> str:
        return f"host-closed:{self._pace_key}:{name}"

    def _list_key(self, number: int = 0) -> str:
        """The key of a host that was closed today, by its number, or of how many there are."""
        return f"hosts-closed:{self._pace_key}:{clock.now():%Y-%m-%d}:{number}"

    def _day_key(self, host: str) -> str:
        return f"host-day:{self._pace_key}:{clock.now():%Y-%m-%d}:{_spelled(host)}"


class ScheduledForHost:
    """A call that schedules something for a host: refused while that host's day is used up, and
    counted once it was carried out. `before` is the session that it changes."""

    def __init__(
        self, connection: Connection, call: Call[object], before: dict[str, object] | None
    ) -> None:
        self._call = call
        self._host = str((before or {}).get("host_id") or "")
        if not self._host and call.operation.method == "POST" and call.ids:
            self._host = str(call.ids[0])
        self._days = HostDays(connection)

    def check(self) -> None:
        """Raises `Throttled`."""
        seconds, words = self._days.closed_for(self._host) if self._host else (0.0, "")
        if seconds > 0:
            raise _refusal(self._call.operation, seconds, words)

    def done(self, answer: object) -> None:
        self._days.count(self._host, str(getattr(answer, "host_id", "") or ""))

    def failed(self, error: Exception) -> None:
        if isinstance(error, Throttled) and error.is_narrow and self._host:
            self._days.close(self._host, error.retry_after or 0.0, error.message)


def _spelled(host: str) -> str:
    return host.casefold() if "@" in host else host


def _refusal(operation: AnyOperation, seconds: float, words: str) -> Throttled:
    message = words or Message(messages.HOST_USED_UP)
    error = Throttled(operation, message, status=429, retry_after=seconds, reason="own_limit")
    error.reach = "request"
    return error


@dataclass(frozen=True)
class UsedUp:
    """A limit with little or nothing left; with nothing if `is_over`."""

    words: str
    why: str = ""
    is_over: bool = True

    @property
    def tone(self) -> Literal["warning", "neutral"]:
        return "warning" if self.is_over else "neutral"


def of_classes(connection: Connection) -> list[UsedUp]:
    """Returns the classes that are closed, and what was asked of a day's limit where it is much."""
    closures, result = closures_of(connection), []
    for weight, (seconds, why) in closures.all_closed().items():
        until = in_zone(clock.now() + timedelta(seconds=seconds))
        text = _("%(kind)s: used up until %(until)s") % {"kind": _CLASSES[weight], "until": until}
        result.append(UsedUp(text, why))
    result += _held(closures.all_held())
    for day in closures.days():
        if day.used < _WORTH_SAYING * day.limit:
            continue
        kinds = ", ".join(str(_CLASSES[weight]) for weight in day.weights)
        words = _("%(used)s of %(limit)s requests of today's limit, new at 00:00 UTC") % {
            "used": number(min(day.used, day.limit)),
            "limit": number(day.limit),
        }
        result.append(UsedUp(words, kinds, is_over=day.used >= _NEARLY * day.limit))
    return result


def _held(holds: list[HeldOperation]) -> Iterator[UsedUp]:
    """Yields the operations that are held, without what they are held on."""
    for name, of_one in groupby(sorted(holds, key=lambda hold: hold.operation), _operation_of):
        longest = max(of_one, key=lambda hold: hold.seconds)
        until = in_zone(clock.now() + timedelta(seconds=longest.seconds))
        words = _("“%(what)s”: used up until %(until)s") % {"what": name, "until": until}
        yield UsedUp(words, longest.words)


def _operation_of(hold: HeldOperation) -> str:
    operation = OPERATIONS.get(hold.operation)
    return operation.summary if operation else hold.operation


def of_hosts(connection: Connection) -> list[UsedUp]:
    """Returns that hosts are used up, without their names: not all users see all people."""
    closed = HostDays(connection).closed()
    if not closed:
        return []
    # Some are known by their ID and by their email.
    emails = sum("@" in one.host for one in closed)
    count = max(emails, len(closed) - emails)
    until = in_zone(max(one.until for one in closed))
    words = ngettext(
        "Scheduling for %(count)s host is used up until %(until)s",
        "Scheduling for %(count)s hosts is used up until %(until)s",
        count,
    )
    return [UsedUp(words % {"count": number(count), "until": until})]


def now_over(connection: Connection) -> list[UsedUp]:
    """Returns what nothing is left of, for the bar on top."""
    return [one for one in (*of_classes(connection), *of_hosts(connection)) if one.is_over]


def in_zone(moment: datetime) -> str:
    """A time of today as limits have it; of another day with the day."""
    return moment_in_words(moment, is_near=moment - clock.now() <= timedelta(days=1))


def explain_wait(error: Throttled) -> str:
    """Returns why the service accepts no request, and until when if it says so."""
    if error.retry_after is None:
        return error.message
    until = in_zone(clock.now() + timedelta(seconds=error.retry_after))
    values = {"words": error.message.removesuffix("."), "until": until}
    return (
        _("The service still refuses: “%(words)s”. It accepts requests from %(until)s on.") % values
    )
