"""Numbers of coming sessions that break each rule, over several whole connections at once."""

from collections.abc import Iterator, Mapping

from django.db.models import Count, Exists, OuterRef, Q

from portal.config import clock
from portal.contract.users import UserStatus
from portal.directory.models import MirroredUser
from portal.mirror.models import MirrorState
from portal.sessions.models import MirroredSession, Occurrence
from portal.sessions.policy.clashes import clashing_of
from portal.sessions.policy.finding import BY_ROW, OPEN_ENDED
from portal.sessions.policy.rules import CLASH, HOST, RULES, Rule

_BATCH = 10_000


def counts_of(
    sessions: Mapping[int, MirrorState], people: Mapping[int, MirrorState]
) -> dict[int, dict[Rule, int]]:
    """Returns the same as `Policy.counts` for each connection, by its primary key; the arguments
    are the states of the connections' mirrors by the same keys.

    No query looks into other tables row by row: PostgreSQL would compile one that seems to cost
    that much, which takes longer than the query.
    """
    found = {key: dict.fromkeys(RULES, 0) for key in sessions}
    of_these = MirroredSession.objects.filter(connection__in=list(sessions))
    times = Occurrence.objects.filter(connection__in=list(sessions), end_time__gt=clock.now())
    coming = of_these.filter(Q(pk__in=times.values("session")) | OPEN_ENDED).order_by()
    counted = {
        f"breaking{number}": Count("pk", filter=each) for number, each in enumerate(BY_ROW.values())
    }
    rows = coming.values_list("connection")
    for key, *counts in rows.annotate(**counted):
        found[key] |= dict(zip(BY_ROW, counts, strict=True))
    known = [key for key in sessions if people[key].refreshed_at]  # else nobody is known yet
    others = sessions.keys() - known
    inactive = Q(status=UserStatus.INACTIVE.value)
    hosts = MirroredUser.objects.filter(
        connection=OuterRef("connection"), user_id=OuterRef("host_id")
    )
    for rule, some in (
        (HOST, coming.filter(~Exists(hosts.exclude(inactive)), connection__in=known)),
        (HOST, coming.filter(Exists(hosts.filter(inactive)), connection__in=others)),
        *((CLASH, coming.filter(pk__in=batch)) for batch in _clashing(sessions)),
    ):
        for key, count in some.values_list("connection").annotate(Count("pk")):
            found[key][rule] += count
    return found


def _clashing(sessions: Mapping[int, MirrorState]) -> Iterator[list[int]]:
    keys = [key for some in clashing_of(sessions).values() for key in some]
    for start in range(0, len(keys), _BATCH):
        yield keys[start : start + _BATCH]
