"""What the first page says of coming sessions that break a rule of the policy."""

import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from portal.access.models import Connection, User
from portal.config import cache
from portal.contract.meetings import Meetings
from portal.sessions import mirror
from portal.sessions.mirror import SessionFilter
from portal.sessions.policy.finding import Policy
from portal.sessions.policy.rules import CLASH, EARLY, HOST, PASSWORD, REGISTRATION, RULES, Rule
from portal.ui.home import HomeItem, HomeLine, NothingKnown

_SLOW = 0.05  # seconds: to compare all times of a large account takes longer
_KEPT_FOR = 60  # seconds for which a slow count is shown, whatever has changed since
_SAID: dict[Rule, tuple[str, str]] = {
    PASSWORD: ("meeting has no password", "meetings have no password"),
    EARLY: ("meeting can start before the host", "meetings can start before the host"),
    REGISTRATION: ("session needs registration", "sessions need registration"),
    HOST: ("session has an inactive host", "sessions have an inactive host"),
    CLASH: ("session overlaps with another", "sessions overlap with others of their host"),
}


def _read(_user: User, connection: Connection) -> Iterator[HomeLine]:
    state, policy = mirror.state_of(connection), Policy(connection)
    counts = {rule: _count(policy, rule) for rule in RULES if rule is not CLASH}
    counts[CLASH] = _clashes(policy, state.version)
    if state.refreshed_at is None and not any(counts.values()):
        raise NothingKnown
    url = reverse("sessions:policy", args=[connection.key])
    for rule, count in counts.items():
        if count:
            words = f"{count:,} coming {_SAID[rule][count != 1]}"
            link = f"{url}?{urlencode({'rule': rule.name})}" if rule.name else url
            yield HomeLine("warning", words, link, as_of=state.refreshed_at)


def _count(policy: Policy, rule: Rule) -> int:
    return policy.find(rule, SessionFilter()).order_by().count()


def _clashes(policy: Policy, version: int) -> int:
    """How many overlap: counted anew when a session was written, at most once a minute if slow."""
    key = f"sessions:home-clashes:{policy.connection.pk}"
    known: list[Any] | None = cache.get(key)
    if known and (known[0] == version or known[2] > _SLOW):
        count: int = known[1]
        return count
    began = time.perf_counter()
    count = _count(policy, CLASH)
    cache.set(key, [version, count, time.perf_counter() - began], _KEPT_FOR)
    return count


POLICY = HomeItem("Compliance", 70, _read, needs=(Meetings.of_user,))
