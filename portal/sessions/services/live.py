"""The live sessions, as the service's dashboard reports them, and the status of one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from portal.access.scope import Scope
from portal.client import Api, ApiError, NotFound
from portal.config import cache, clock
from portal.contract.dashboards import SessionMetric, SessionsQuery, SessionsShown
from portal.contract.model import JsonDict
from portal.contract.paging import TokenQuery
from portal.contract.past_sessions import PastMeeting, PastParticipant, SessionInstance
from portal.contract.reading import believed
from portal.contract.usage import Attendance, SessionReport
from portal.sessions import mirror
from portal.sessions.mirror import SessionFilter
from portal.sessions.services.session import SessionRecord, reread_session
from portal.sessions.specs import SessionSpec
from portal.ui.times import aware

_CACHED_FOR = 10  # seconds
_MOST_READ = 20
PAGE = 100
Participant = PastParticipant | Attendance
PastInstance = PastMeeting | SessionReport


@dataclass(frozen=True)
class Running:
    """The numbers of the sessions that ran at `asked_at`; `unlisted` of them are in no list."""

    numbers: Sequence[str]
    asked_at: datetime
    unlisted: int = 0


@dataclass(frozen=True)
class Course:
    """The state of a session. `is_running` is `None` if the service does not report it.

    `participants` is the number of people in it now. One that is over has an `ended_at` unless it
    never took place, or the service does not report its end; `did_happen` is `None` if the service
    does not report that either. `failure` is the reason for what is missing.
    """

    is_running: bool | None = None
    since: datetime | None = None
    participants: int | None = None
    is_over: bool = False
    did_happen: bool | None = None
    ended_at: datetime | None = None
    failure: ApiError | None = None


def running(api: Api, scope: Scope, spec: SessionSpec) -> Running:
    """Returns the sessions that run now, and reads those that the lists lack. Raises `ApiError`."""

    def read() -> JsonDict:
        now = clock.now()
        days = {"from": now.date() - timedelta(days=1), "to": now.date()}
        query = SessionsQuery(type=SessionsShown.LIVE, page_size=300, **days)
        listed = spec.live.all(api, query)
        numbers = [str(one.id) for one in listed]
        unlisted = _read_unlisted(api, scope, spec, numbers)
        return {"numbers": numbers, "asked_at": now.isoformat(), "unlisted": unlisted}

    key = f"live:{scope.connection.key}:{spec.family}"
    data = cache.cached(key, _CACHED_FOR, read)
    return Running(data["numbers"], datetime.fromisoformat(data["asked_at"]), data["unlisted"])


def course(api: Api, session: SessionRecord) -> Course:
    """Returns the present state of a session, as far as the service reports it."""
    now = _now(api, session)
    is_over = session.is_over or (session.is_instant and now.is_running is False)
    return _ended(api, session, now) if is_over and not now.is_running else now


def _read_unlisted(api: Api, scope: Scope, spec: SessionSpec, numbers: list[str]) -> int:
    """Reads sessions that no list has, such as one that has just started. Returns how
    many stay unlisted."""
    wanted = mirror.find(scope, SessionFilter(kinds=[spec.family], numbers=numbers))
    unlisted = set(numbers) - set(wanted.values_list("session_id", flat=True))
    for number in sorted(unlisted)[:_MOST_READ]:
        reread_session(api, scope.connection, spec, number)
    return len(unlisted) - wanted.filter(session_id__in=unlisted).count()


def _now(api: Api, session: SessionRecord) -> Course:
    try:
        metric: SessionMetric = api.caller(session.spec.live.get.call(session.id))
    except NotFound:
        return Course(is_running=False)
    except ApiError as error:
        return Course(failure=error)
    since = metric.start_time and aware(metric.start_time)
    return Course(is_running=True, since=since, participants=metric.participants)


def _ended(api: Api, session: SessionRecord, now: Course) -> Course:
    over = replace(now, is_over=True)
    try:
        instances = past_instances(api, session.spec, session.id)
    except NotFound:
        instances = []
    except ApiError as error:
        return replace(over, failure=error)
    if not instances:
        return replace(over, did_happen=False)
    over = replace(over, did_happen=True)
    try:
        ended_at = past_instance(api, session.spec, instances[0].uuid).end_time
    except ApiError as error:
        return replace(over, failure=error)
    return replace(over, ended_at=ended_at and aware(ended_at))


@dataclass(frozen=True)
class Participants:
    """Some of those who were there; `next_token` leads to the others for 15 minutes."""

    people: list[Participant]
    next_token: str
    total: int | None

    @property
    def has_statuses(self) -> bool:
        """Returns whether the service tells rows of the waiting room from others."""
        return any(one.status for one in self.people)


def past_instances(api: Api, spec: SessionSpec, session_id: str) -> list[SessionInstance]:
    """Past instances, the latest first. Raises `ApiError`."""
    answer: object = api.caller(spec.past.instances.call(session_id))
    instances: list[SessionInstance] = getattr(answer, spec.past.records)
    return sorted(instances, key=lambda one: str(one.start_time or ""), reverse=True)


def past_instance(api: Api, spec: SessionSpec, uuid: str) -> PastInstance:
    """One time that it was held. Raises `ApiError`."""
    answer: PastInstance = api.caller(spec.past.get.call(uuid))
    return answer


def participants(api: Api, spec: SessionSpec, uuid: str, token: str = "") -> Participants:
    """Some of those who were there. Raises `ApiError`; `Invalid` for a token that has expired."""
    query = TokenQuery(page_size=PAGE)
    if token:
        query = TokenQuery(page_size=PAGE, next_page_token=token)
    answer = api.caller(spec.past.participants.call(uuid, query))
    listed = answer.participants
    total = answer.total_records if token else believed(answer.total_records, listed)
    return Participants(listed, answer.next_page_token, total)
