"""Lines of Home about sessions that break the policy, and the panel of those that come next."""

import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.db.models import Count, Q, Subquery
from django.urls import reverse
from django.utils import timezone

from portal.access.models import Connection, User
from portal.access.scope import Scope
from portal.config import cache, clock
from portal.connections.host_days import HostDays, in_zone
from portal.directory import users
from portal.directory.users import USERS, UserFilter
from portal.mirror import rows
from portal.mirror.models import MirrorState
from portal.mirror.rows import states_of
from portal.sessions import mirror
from portal.sessions.kinds import first_kind
from portal.sessions.mirror import SessionFilter
from portal.sessions.models import Occurrence
from portal.sessions.policy.finding import (
    BY_ROW,
    CLASH,
    EARLY,
    HOST,
    PASSWORD,
    RULES,
    Policy,
    Rule,
    coming_of,
    counts_of,
    overlapping,
)
from portal.sessions.specs import page_of
from portal.translation import gettext as _, gettext_lazy, ngettext_lazy, number
from portal.ui.home import HomeItem, HomeLine, HomeLines, HomePanel, none_yet, with_share

_MOST_HOSTS = 10
_SLOW = 0.02  # seconds a connection: to count the sessions of a large account takes longer
_CACHED_FOR = 300  # seconds for which slow counts are shown, whatever the service has changed
_KEY = "sessions:home-policy:{}"
# What each rule finds; `n` counts it, and `count` is that in words.
_WORDS: dict[Rule, str] = {
    PASSWORD: ngettext_lazy(
        "%(count)s upcoming meeting has no password",
        "%(count)s upcoming meetings have no password",
        "n",
    ),
    EARLY: ngettext_lazy(
        "%(count)s upcoming meeting can start before the host",
        "%(count)s upcoming meetings can start before the host",
        "n",
    ),
    HOST: ngettext_lazy(
        "%(count)s upcoming session has an inactive host",
        "%(count)s upcoming sessions have an inactive host",
        "n",
    ),
    CLASH: ngettext_lazy(
        "%(count)s upcoming session overlaps with another",
        "%(count)s upcoming sessions overlap with others of their host",
        "n",
    ),
}
# The reason, and the verb of the page that settles it.
_REASONS: dict[Rule, tuple[str, str]] = {
    PASSWORD: (gettext_lazy("Anyone with the link can join"), gettext_lazy("Set passwords")),
    HOST: (gettext_lazy("No one can start them"), gettext_lazy("Review")),
}
_SHOWN, _SHOWN_OF_FEW = 4, 6  # sessions that come next; of a small account there is room for more
_FEW = 25  # people
_MANY = 100  # breaches, from which on their share of all sessions is shown
_AHEAD = timedelta(days=7)


def _read_policy(_user: User, scopes: Sequence[Scope]) -> HomeLines:
    by_connection = {scope.connection.pk: scope for scope in scopes}
    connections = {key: scope.connection for key, scope in by_connection.items()}
    whole = [one.connection for one in scopes if not one.is_narrow]
    states = states_of(list(connections.values()), mirror.NAME)
    counts = _counts({one.pk: states[one.pk] for one in whole}, states_of(whole, USERS.name))
    for key, one in by_connection.items():
        if one.is_narrow:  # what is cached is of all
            counts[key] = {rule.name: count for rule, count in Policy(one).counts().items()}
    many = [one.pk for one in whole if max(counts[one.pk].values()) >= _MANY]
    totals = rows.cached_results({key: states[key] for key in many}, "coming", coming_of)
    return {
        key: list(_lines(connections[key], counted, states[key].refreshed_at, totals.get(key, 0)))
        for key, counted in counts.items()
        if states[key].refreshed_at or any(counted.values())
    }


def waiting(_user: User, scope: Scope) -> int:
    """Returns the number of breaches of the rules; 0 for a narrow scope, for which they are not
    counted with every page."""
    if scope.is_narrow:
        return 0
    key = scope.connection.pk
    state, people = rows.cached_states(scope.connection, mirror.NAME, USERS.name)
    return sum(_counts({key: state}, {key: people})[key].values()) if state.refreshed_at else 0


def needs_of_host(scope: Scope, user_id: str, coming: Sequence[Occurrence]) -> Iterator[HomeLine]:
    """Yields how the coming sessions of a host, which take place at these times, break the
    rules."""
    times = ((one.session.host_id, one.session_id, one.start_time, one.end_time) for one in coming)
    wanted = SessionFilter(hosts=[user_id])
    counts = (
        Policy(scope)
        .coming(wanted)
        .order_by()
        .aggregate(
            **{rule.name or "password": Count("pk", filter=found) for rule, found in BY_ROW.items()}
        )
    )
    by_name = {rule.name: counts[rule.name or "password"] for rule in BY_ROW}
    by_name |= {HOST.name: 0, CLASH.name: len(overlapping(times))}
    yield from _lines(scope.connection, by_name, None, 0, host=user_id)


def _lines(
    connection: Connection,
    counts: Mapping[str, int],
    as_of: datetime | None,
    total: int,
    **narrowed: str,
) -> Iterator[HomeLine]:
    url = reverse("sessions:policy", args=[connection.key])
    for rule in RULES:
        if count := counts[rule.name]:
            words = _WORDS[rule] % {"n": count, "count": number(count)}
            query = {"rule": rule.name, **narrowed} if rule.name else narrowed
            link = f"{url}?{urlencode(query)}" if query else url
            reason, verb = _REASONS.get(rule, ("", _("Review")))
            why = with_share(reason, count, total)
            yield HomeLine("warning", words, link, why, as_of=as_of, verb=verb)


def _counts(
    sessions: Mapping[int, MirrorState], people: Mapping[int, MirrorState]
) -> dict[int, dict[str, int]]:
    """Returns the number of sessions that break each rule, by the rule's name: counted anew after a
    session or a person was written. If that is slow, only what the portal has written counts at
    once, and what the service has changed every few minutes."""
    cached = cache.get_many(_KEY.format(key) for key in sessions)
    written = [rows.last_writes(sessions.keys(), kind) for kind in (mirror.NAME, USERS.name)]
    by_portal = {key: [one.get(key, "") for one in written] for key in sessions}
    by_connection = {
        key: one["counts"]
        for key, state in sessions.items()
        if (one := cached.get(_KEY.format(key)))
        and (
            one["of"] == [state.version, people[key].version]
            or (one["seconds"] > _SLOW and one["written"] == by_portal[key])
        )
    }
    others = [key for key in sessions if key not in by_connection]
    if not others:
        return by_connection
    began = time.perf_counter()
    counted = counts_of({key: sessions[key] for key in others}, people)
    seconds = (time.perf_counter() - began) / len(others)
    made = {
        key: {rule.name: count for rule, count in counts.items()} for key, counts in counted.items()
    }
    values = {
        _KEY.format(key): {
            "of": [sessions[key].version, people[key].version],
            "written": by_portal[key],
            "counts": counts,
            "seconds": seconds,
        }
        for key, counts in made.items()
    }
    cache.set_many(values, _CACHED_FOR)
    return by_connection | made


POLICY = HomeItem(
    gettext_lazy("Compliance"), 70, _read_policy, needs=(first_kind().of_user,), for_limited=True
)


def _used_up(_user: User, scopes: Sequence[Scope]) -> HomeLines:
    """Returns the visible hosts for whom no more sessions can be scheduled today."""
    lines = none_yet(scopes)
    days = {scope.connection.pk: HostDays(scope.connection) for scope in scopes}
    with cache.read_ahead(one.counted_by for one in days.values()):
        by_connection = {key: one.closed() for key, one in days.items()}
    for scope in scopes:
        connection = scope.connection
        closed = {one.host: one for one in by_connection[connection.pk]}
        if not closed:
            continue
        is_closed = Q(user_id__in=list(closed)) | Q(email__in=list(closed))
        for person in users.find(scope, UserFilter()).filter(is_closed)[:_MOST_HOSTS]:
            one = closed.get(person.user_id) or closed[person.email]
            words = _("Scheduling for %(name)s is used up until %(until)s")
            url = reverse("people:person", args=[connection.key, person.user_id])
            text = words % {"name": person.name, "until": in_zone(one.until)}
            lines[connection.pk].append(HomeLine("warning", text, url, one.words))
    return lines


USED_UP = HomeItem(
    gettext_lazy("Scheduling"), 8, _used_up, needs=(first_kind().of_user,), for_limited=True
)


def _read_next(scope: Scope) -> Mapping[str, object]:
    if rows.cached_state(scope.connection, mirror.NAME).refreshed_at is None:
        return {"is_unknown": True}
    now = clock.now()
    zone = timezone.get_current_timezone()
    day = timezone.localdate(clock.now()) + timedelta(days=1)
    begin = datetime.combine(day, datetime.min.time(), zone)
    tomorrow = mirror.beginning(scope, begin, begin + timedelta(days=1)).order_by()
    counted = tomorrow.values("connection").annotate(count=Count("pk")).values("count")
    coming = mirror.beginning(scope, now, now + _AHEAD).select_related("session")
    people = sum(users.counts_by_status(scope).values())
    shown = _SHOWN_OF_FEW if people < _FEW else _SHOWN
    next_up = list(coming.annotate(tomorrow=Subquery(counted))[:shown])
    entries = [
        (one, page_of(scope.connection, one.session.kind, one.session.session_id))
        for one in next_up
    ]
    return {
        "entries": entries,
        "tomorrow": next_up[0].tomorrow or 0 if next_up else 0,
        "today": timezone.localdate(clock.now()),
    }


NEXT = HomePanel(
    gettext_lazy("Next up"),
    20,
    _read_next,
    "sessions/home_next.html",
    ("sessions:calendar", gettext_lazy("Calendar")),
    needs=(first_kind().of_user,),
    for_limited=True,
)
