"""What the first page says of coming sessions that break a rule of the policy."""

from collections.abc import Iterator
from urllib.parse import urlencode

from django.urls import reverse

from portal.access.models import Connection, User
from portal.config import cache
from portal.contract.meetings import Meetings
from portal.directory import users
from portal.sessions import mirror
from portal.sessions.policy.finding import Policy
from portal.sessions.policy.rules import CLASH, EARLY, HOST, PASSWORD, REGISTRATION, RULES, Rule
from portal.ui.home import HomeItem, HomeLine, NothingKnown

_KEPT_FOR = 60  # seconds: which sessions are coming changes with the time, too
_SAID: dict[Rule, tuple[str, str]] = {
    PASSWORD: ("meeting has no password", "meetings have no password"),
    EARLY: ("meeting can start before the host", "meetings can start before the host"),
    REGISTRATION: ("session needs registration", "sessions need registration"),
    HOST: ("session has an inactive host", "sessions have an inactive host"),
    CLASH: ("session overlaps with another", "sessions overlap with others of their host"),
}


def _read(_user: User, connection: Connection) -> Iterator[HomeLine]:
    state = mirror.state_of(connection)
    counts = _counts(connection, state.version)
    if state.refreshed_at is None and not any(counts.values()):
        raise NothingKnown
    url = reverse("sessions:policy", args=[connection.key])
    for rule in RULES:
        if count := counts[rule.name]:
            words = f"{count:,} coming {_SAID[rule][count != 1]}"
            link = f"{url}?{urlencode({'rule': rule.name})}" if rule.name else url
            yield HomeLine("warning", words, link, as_of=state.refreshed_at)


def _counts(connection: Connection, version: int) -> dict[str, int]:
    """How many break each rule, counted anew when a copy has changed, or after a minute."""
    policy = Policy(connection)
    stated = policy.registration
    people = users.state_of(connection).version
    asked = f"{stated.pk}:{stated.field}:{stated.value}" if stated else ""
    key, known_as = f"sessions:home:{connection.pk}", f"{version}:{people}:{asked}"
    known = cache.get(key)
    if known and known[0] == known_as:
        found: dict[str, int] = known[1]
        return found
    found = {rule.name: count for rule, count in policy.counts().items()}
    cache.set(key, [known_as, found], _KEPT_FOR)
    return found


POLICY = HomeItem("Compliance", 70, _read, needs=(Meetings.of_user,))
