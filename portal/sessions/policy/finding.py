"""Which coming sessions break a rule, as far as the mirror knows."""

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from portal.access.scope import Scope
from portal.config import clock
from portal.contract.meetings import MeetingType
from portal.contract.users import UserStatus
from portal.contract.webinars import WebinarType
from portal.directory import users
from portal.directory.users import UserFilter
from portal.sessions import mirror
from portal.sessions.mirror import SessionFilter
from portal.sessions.models import MirroredSession, Occurrence, SessionKind
from portal.sessions.policy.clashes import Clash, clashes
from portal.sessions.policy.rules import EARLY, HOST, PASSWORD, RULES, Rule

Found = QuerySet[MirroredSession]
# What breaks the rules that a session's own row decides.
BY_ROW = {PASSWORD: Q(has_password=False), EARLY: Q(join_before_host=True)}
OPEN_ENDED = Q(kind=SessionKind.MEETING, type=MeetingType.RECURRING.value) | Q(
    kind=SessionKind.WEBINAR, type=WebinarType.RECURRING.value
)


class Policy:
    """A connection's sessions, held against the rules. What is costly is looked up once."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._clashes: dict[int, list[Clash]] | None = None

    @property
    def clashes(self) -> dict[int, list[Clash]]:
        if self._clashes is None:
            self._clashes = clashes(self.scope)
        return self._clashes

    def coming(self, wanted: SessionFilter, sort: str = "start_time") -> Found:
        """Sessions that take place from now on, or may at any time; each has its `next_start`, by
        which they are sorted where that is by time."""
        later = Occurrence.objects.filter(session=OuterRef("pk"), end_time__gt=clock.now())
        next_start = Subquery(later.order_by("start_time").values("start_time")[:1])
        found = mirror.find(self.scope, wanted, sort).filter(Exists(later) | OPEN_ENDED)
        found = found.annotate(next_start=next_start)
        if sort.removeprefix("-") != "start_time":
            return found
        next_time = F("next_start")
        order = next_time.desc if sort[0] == "-" else next_time.asc
        return found.order_by(order(nulls_last=True), "id")

    def find(self, rule: Rule, wanted: SessionFilter, sort: str = "start_time") -> Found:
        """Those that break a rule; by the rule about hosts they have a `host_status`."""
        found = self.coming(wanted, sort)
        if rule in BY_ROW:
            return found.filter(BY_ROW[rule])
        if rule is HOST:
            return self._without_host(found)
        return found.filter(pk__in=list(self.clashes))

    def counts(self) -> dict[Rule, int]:
        """Returns the number of sessions that break each rule."""
        return {rule: self.find(rule, SessionFilter()).order_by().count() for rule in RULES}

    def _without_host(self, found: Found) -> Found:
        people = users.find(self.scope, UserFilter()).order_by()
        host = people.filter(user_id=OuterRef("host_id"))
        gone = Q(host_status=UserStatus.INACTIVE.value)
        if users.state_of(self.scope.connection).refreshed_at:  # else nobody is known yet
            gone |= Q(host_status=None)
        return found.annotate(host_status=Subquery(host.values("status")[:1])).filter(gone)
