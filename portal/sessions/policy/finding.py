"""Which coming sessions break a rule, as far as the mirror knows."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, reduce
from itertools import groupby
from operator import itemgetter, or_
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from pydantic import TypeAdapter

from portal.access.scope import Scope
from portal.config import clock
from portal.contract.users import UserStatus
from portal.directory import users
from portal.directory.models import MirroredUser
from portal.directory.scope_rules import of_visible_people
from portal.directory.users import UserFilter
from portal.mirror import rows
from portal.mirror.models import MirrorState
from portal.sessions import mirror
from portal.sessions.kinds import all_kinds, heading_of, registered_families
from portal.sessions.mirror import SessionFilter
from portal.sessions.models import MirroredSession, Occurrence
from portal.translation import gettext as _, gettext_lazy, lazily

_MOST = 5  # others that are named for each; as many running at once are kept in mind
SettingField = tuple[str, int, datetime, datetime]  # host, session, start, end
Matches = QuerySet[MirroredSession]
_BATCH = 10_000


@dataclass(frozen=True, eq=False)  # known by itself, whatever its words are in a language
class Rule:
    """`name` is its name in URLs, empty for the first; `label` is its tab, `why` is the effect
    of a session that breaks it. `finding` heads the column with what each of them has of its own,
    if there is one."""

    name: str
    label: str
    why: str
    finding: str = ""


def _open_ended() -> Q:
    """Sessions that can be started again at any time."""
    pairs = ((spec.family, number) for spec in all_kinds() for number in spec.open_ended)
    return reduce(or_, (Q(kind=kind, type=number) for kind, number in pairs))


def _on_passwords() -> Iterator[str]:
    """Says how sessions without a password can be joined, and which kinds are not checked."""
    for one in all_kinds():
        if one.reports_password:
            yield _("Anyone with the link or the %(id)s can join these %(plural)s.") % {
                "id": one.id_name,
                "plural": one.plural,
            }
    if others := [one for one in all_kinds() if not one.reports_password]:
        yield _(
            "%(plurals)s are checked where the service reports whether they have a password."
        ) % {"plurals": heading_of(others)}


PASSWORD = Rule(
    "",
    gettext_lazy("No password"),
    lazily(lambda: " ".join(_on_passwords())),
)


EARLY = Rule(
    "early",
    gettext_lazy("Join before host"),
    gettext_lazy("Participants can start these meetings without the host."),
)


HOST = Rule(
    "host",
    gettext_lazy("Inactive host"),
    gettext_lazy(
        "Their hosts are deactivated or no longer on the account, so no one can start them."
    ),
    finding=gettext_lazy("Host status"),
)


CLASH = Rule(
    "clash",
    gettext_lazy("Scheduling conflicts"),
    gettext_lazy(
        "The same person hosts two sessions at the same time. Open one and change its time, or "
        "schedule it for another host."
    ),
    finding=gettext_lazy("Overlaps with"),
)


RULES = (PASSWORD, EARLY, HOST, CLASH)


@dataclass(frozen=True)
class Clash:
    """With which other session, and when the later of both begins."""

    session: int
    at: datetime


_CLASHES = TypeAdapter(dict[int, list[Clash]])


def clashing_of(states: Mapping[int, MirrorState]) -> dict[int, list[int]]:
    """The sessions that overlap with another, of several whole connections at once: by the primary
    keys of these, whose states of the mirror they are."""

    def compute(connections: list[int]) -> dict[int, list[int]]:
        coming = Occurrence.objects.filter(connection__in=connections)
        by_connection: dict[int, list[int]] = {one: [] for one in connections}
        for connection, times in groupby(_times(coming, "connection"), key=itemgetter(4)):
            by_connection[connection] = list(overlapping(each[:4] for each in times))
        return by_connection

    return rows.cached_results(states, "clashing", compute)


def _times(occurrences: QuerySet[Occurrence], *first: str) -> Iterator[Any]:
    """Those to come, as `overlapping` takes them, in the order of what comes `first`."""
    coming = occurrences.filter(
        end_time__gt=clock.now(),
        session__host_id__gt="",
        session__kind__in=registered_families(),
    )
    columns = ("session__host_id", "session_id", "start_time", "end_time", *first)
    ordered = coming.order_by(*first, "session__host_id", "start_time")
    return ordered.values_list(*columns).iterator(chunk_size=2000)


def overlapping(times: Iterable[SettingField]) -> dict[int, list[Clash]]:
    """Returns the clashes of rows in the order of host and start.

    Of those that run at once, the ones that last longest are kept in mind: whatever begins later
    and overlaps with any, overlaps with them.
    """
    clashes: dict[int, dict[int, Clash]] = {}
    running: dict[int, datetime] = {}
    current = ""
    for host, session, start, end in times:
        if host != current:
            current, running = host, {}
        running = {one: until for one, until in running.items() if until > start}
        for other in running:
            if other != session:
                _record(clashes, session, other, start)
                _record(clashes, other, session, start)
        running[session] = max(end, running.get(session, end))
        if len(running) > _MOST:
            del running[min(running, key=running.__getitem__)]
    return {session: list(others.values()) for session, others in clashes.items()}


def _record(clashes: dict[int, dict[int, Clash]], session: int, other: int, at: datetime) -> None:
    others = clashes.setdefault(session, {})
    if len(others) < _MOST:
        others.setdefault(other, Clash(other, at))


# What breaks the rules that a session's own row decides.
BY_ROW = {PASSWORD: Q(has_password=False), EARLY: Q(join_before_host=True)}


class Policy:
    """The rules, and the sessions of a connection that break them."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    @cached_property
    def clashes(self) -> dict[int, list[Clash]]:
        """Returns by session those of the same host that overlap with one of its coming times:
        computed once until a session of the mirror is written."""

        def compute() -> dict[int, list[Clash]]:
            own = Occurrence.objects.filter(connection=self.scope.connection)
            return overlapping(_times(of_visible_people(self.scope, own, "session__host_id")))

        return rows.cached_result(self.scope, mirror.NAME, "clashes", compute, _CLASHES)

    def coming(self, wanted: SessionFilter, sort: str = "start_time") -> Matches:
        """Sessions that take place from now on, or may at any time; each has its `next_start`, by
        which they are sorted if that is by time."""
        later = Occurrence.objects.filter(session=OuterRef("pk"), end_time__gt=clock.now())
        next_start = Subquery(later.order_by("start_time").values("start_time")[:1])
        sessions = mirror.find(self.scope, wanted, sort).filter(Exists(later) | _open_ended())
        sessions = sessions.annotate(next_start=next_start)
        if sort.removeprefix("-") != "start_time":
            return sessions
        next_time = F("next_start")
        order = next_time.desc if sort[0] == "-" else next_time.asc
        return sessions.order_by(order(nulls_last=True), "id")

    def find(self, rule: Rule, wanted: SessionFilter, sort: str = "start_time") -> Matches:
        """Those that break a rule; by the rule about hosts they have a `host_status`."""
        matches = self.coming(wanted, sort)
        if rule in BY_ROW:
            return matches.filter(BY_ROW[rule])
        if rule is HOST:
            return self._without_host(matches)
        return matches.filter(pk__in=list(self.clashes))

    def counts(self) -> dict[Rule, int]:
        return {rule: self.find(rule, SessionFilter()).order_by().count() for rule in RULES}

    def _without_host(self, matches: Matches) -> Matches:
        people = users.find(self.scope, UserFilter()).order_by()
        host = people.filter(user_id=OuterRef("host_id"))
        gone = Q(host_status=UserStatus.INACTIVE.value)
        if users.state_of(self.scope.connection).refreshed_at:  # else no host is known yet
            gone |= Q(host_status=None)
        return matches.annotate(host_status=Subquery(host.values("status")[:1])).filter(gone)


def counts_of(
    sessions: Mapping[int, MirrorState], people: Mapping[int, MirrorState]
) -> dict[int, dict[Rule, int]]:
    """Returns the same as `Policy.counts` for each connection, by its primary key; the arguments
    are the states of the connections' mirrors by the same keys.

    No query looks into other tables row by row: PostgreSQL would compile one that seems to cost
    that much, which takes longer than the query.
    """
    by_connection = {key: dict.fromkeys(RULES, 0) for key in sessions}
    of_these = _sessions_of(list(sessions))
    times = Occurrence.objects.filter(connection__in=list(sessions), end_time__gt=clock.now())
    coming = of_these.filter(Q(pk__in=times.values("session")) | _open_ended()).order_by()
    counted = {
        f"breaking{number}": Count("pk", filter=each) for number, each in enumerate(BY_ROW.values())
    }
    rows = coming.values_list("connection")
    for key, *counts in rows.annotate(**counted):
        by_connection[key] |= dict(zip(BY_ROW, counts, strict=True))
    loaded = [key for key in sessions if people[key].refreshed_at]  # else no host is known yet
    others = sessions.keys() - loaded
    inactive = Q(status=UserStatus.INACTIVE.value)
    hosts = MirroredUser.objects.filter(
        connection=OuterRef("connection"), user_id=OuterRef("host_id")
    )
    for rule, some in (
        (HOST, coming.filter(~Exists(hosts.exclude(inactive)), connection__in=loaded)),
        (HOST, coming.filter(Exists(hosts.filter(inactive)), connection__in=others)),
        *((CLASH, coming.filter(pk__in=batch)) for batch in _clashing(sessions)),
    ):
        for key, count in some.values_list("connection").annotate(Count("pk")):
            by_connection[key][rule] += count
    return by_connection


def coming_of(connections: list[int]) -> dict[int, int]:
    """Returns how many sessions are to come, of each connection by its primary key."""
    times = Occurrence.objects.filter(connection__in=connections, end_time__gt=clock.now())
    of_these = _sessions_of(connections).order_by()
    coming = of_these.filter(Q(pk__in=times.values("session")) | _open_ended())
    counted = dict(coming.values_list("connection").annotate(Count("pk")))
    return {key: counted.get(key, 0) for key in connections}


def _sessions_of(connections: list[int]) -> QuerySet[MirroredSession]:
    return MirroredSession.objects.filter(
        connection__in=connections, kind__in=registered_families()
    )


def _clashing(sessions: Mapping[int, MirrorState]) -> Iterator[list[int]]:
    keys = [key for some in clashing_of(sessions).values() for key in some]
    for start in range(0, len(keys), _BATCH):
        yield keys[start : start + _BATCH]
