"""Reading all sessions of an account into the mirror: a job, one item a host.

The interface lists sessions of one person at a time, and reports no settings and no occurrences in
lists. So each host's lists are read, and each session alone that is recent, coming or recurring.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Max, OuterRef, QuerySet, Subquery

from portal.access.http import in_words as unread_in_words
from portal.access.models import Connection
from portal.client import Api, Invalid, NotAvailable, NotFound, Unauthorized
from portal.config import clock
from portal.contract.dashboards import SessionsQuery, SessionsShown
from portal.contract.operation import AnyOperation
from portal.contract.reading import LeftOut
from portal.contract.sessions import SessionSummary
from portal.directory.colleagues import hosts as hosts_of
from portal.jobs.job_types import Done, JobType
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.mirror import rows
from portal.mirror.by_job import CLOCKS_DIFFER_BY, ReadByJob
from portal.mirror.models import MirrorState
from portal.mirror.values import text
from portal.sessions import mirror
from portal.sessions.kinds import PLURALS, all_kinds
from portal.sessions.mirror import ListedSession, state_of, times_of
from portal.sessions.models import MirroredSession, Occurrence, RecordedSession
from portal.sessions.specs import SessionSpec
from portal.translation import gettext as _, gettext_lazy
from portal.translation.phrases import joined

_BATCH = 500
HOSTS = "hosts"
_RECENT = timedelta(days=30)
READING = ReadByJob(
    mirror.NAME,
    PLURALS,
    "sessions.read",
    HOSTS,
    stale_after=mirror.STALE_AFTER,
)


def replace_recorded(connection: Connection, kind: str, numbers: Collection[str]) -> None:
    """Takes over all reported sessions of a kind; what else was known of it is forgotten."""
    stored = RecordedSession.objects.filter(connection=connection, kind=kind)
    with rows.locked(state_of(connection)):
        pairs = stored.values_list("pk", "session_id")
        gone = [key for key, number in pairs if number not in numbers]
        for start in range(0, len(gone), _BATCH):
            stored.filter(pk__in=gone[start : start + _BATCH]).delete()
        mark_recorded(connection, kind, numbers)


def mark_recorded(connection: Connection, kind: str, numbers: Collection[str]) -> None:
    RecordedSession.objects.bulk_create(
        (
            RecordedSession(connection=connection, kind=kind, session_id=number)
            for number in numbers
        ),
        batch_size=_BATCH,
        ignore_conflicts=True,
    )


class ReadSessionsJob(JobType):
    """`parameters["hosts"]` are the ids of the only hosts to read, or there are none."""

    name = READING.job_type
    noun = (gettext_lazy("host"), gettext_lazy("hosts"))
    verbs = {"read": gettext_lazy("Load")}
    reads_only = True
    fills_copies = True

    def needs(self, job: Job) -> Sequence[AnyOperation]:  # noqa: ARG002
        return [spec.of_user for spec in all_kinds()]

    def plan(self, planning: Planning) -> None:
        """Recent and coming hosts first; who never signed in comes last.

        What deactivated people had planned stays planned, so they are read too.
        """
        connection, wanted = planning.job.connection, planning.job.parameters.get(HOSTS, ())
        hosts = hosts_of(planning, wanted)
        if not wanted:
            _record_recorded(planning)
        mirrored = MirroredSession.objects.filter(connection=connection).order_by()
        latest = dict(mirrored.values_list("host_id").annotate(latest=Max("start_time")))
        soon = clock.now() - _RECENT
        hosts.sort(key=lambda host: (latest.get(host[0]) or soon) <= soon)
        for number, (user_id, email) in enumerate(hosts, start=1):
            planning.add(NewItem(number, email, "read", user_id))
        READING.begun(planning.job, len(hosts))
        if not wanted:
            began = planning.job.created_at - CLOCKS_DIFFER_BY
            own = MirroredSession.objects.filter(connection=connection)
            rows.forget_hosts(
                mirror.state_of(connection), own, {user_id for user_id, _host in hosts}, began
            )

    def carry_out(self, api: Api, item: JobItem) -> Done:
        left_out: list[LeftOut] = []
        sessions = list(sessions_of(api, item.object_id, left_out))
        return Done(message=joined(" ", *unread_in_words(left_out)), value=(sessions, left_out))

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        began = min(item.first_sent_at or job.created_at for item in items) - CLOCKS_DIFFER_BY
        data = {item.object_id: item.value[0] for item in items}
        partly = {item.object_id for item in items if item.value[1]}
        mirror.replace_sessions(job.connection, data, began, partly)
        READING.advanced(job, len(items))

    def not_planned(self, job: Job, reason: str) -> None:
        READING.not_planned(job, reason)

    def finished(self, job: Job) -> None:
        READING.ended(job)


def sessions_of(
    api: Api, host: str, left_out: list[LeftOut] | None = None
) -> Iterator[tuple[str, ListedSession]]:
    """The sessions of a host, each with its kind; `left_out` gets those that cannot be read. What
    takes a licence that the account lacks is left out. Raises `ApiError`."""
    for spec in all_kinds():
        calls, query = spec.calls(api), spec.hosted.planned.model_copy(update={"page_size": 300})
        try:
            for summary in calls.of_user.all(host, query, left_out=left_out):
                yield spec.family, _read_whole(spec, calls, summary)
        except NotFound:
            return  # a removed person has no sessions
        except NotAvailable as error:
            is_lacked = spec.is_licensed and error.operation.name == spec.of_user.name
            if not is_lacked or error.may_be_there:
                raise


def _read_whole(spec: SessionSpec, calls: Any, summary: SessionSummary) -> ListedSession:
    """Returns the session as lists contain it, or a single read of it if that is not enough: of one
    that is recent or coming, and of all of a kind whose lists contain no times."""
    start = summary.start_time
    if spec.hosted.coming and isinstance(start, datetime):
        start = start if start.tzinfo else start.replace(tzinfo=UTC)
        if start < clock.now() - _RECENT:
            return summary
    try:
        session: ListedSession = calls.get(str(summary.id))
    except NotFound:
        return summary
    return session


def _record_recorded(planning: Planning) -> None:
    """Which sessions of the last month were recorded, as far as the dashboards may be read."""
    today = clock.now().date()
    days = {"from": today - _RECENT + timedelta(days=1), "to": today}
    query = SessionsQuery(type=SessionsShown.PAST, page_size=300, **days)
    for spec in all_kinds():
        try:
            sessions = spec.live.all(planning.api, query)
            numbers = {text(each.id) for each in sessions if each.has_recording}
        except (Invalid, NotAvailable, Unauthorized):
            continue
        replace_recorded(planning.job.connection, spec.family, numbers)
        planning.progress(0, 0, _("Loading recordings of %(kind)s") % {"kind": spec.title})


@dataclass(frozen=True)
class Coming:
    """`hosts` are the ids of those with a time to come, or one that runs; `unread` of those whose
    list could not be read. Both are subqueries."""

    hosts: QuerySet[Any, Any]
    unread: QuerySet[Any, Any]
    state: MirrorState

    @property
    def is_complete(self) -> bool:
        return self.state.refreshed_at is not None


def coming(connection: Connection) -> Coming:
    planned = _planned(connection, clock.now())
    failed = JobItem.objects.filter(
        job__connection=connection, job__kind=READING.job_type, state=ItemState.FAILED
    )
    return Coming(
        planned.order_by().values("session__host_id"),
        failed.order_by().values("object_id"),
        READING.state_of(connection),
    )


def next_time(connection: Connection) -> Subquery:
    """Returns a subquery for the next time at which a person, the row of an outer query, hosts."""
    own = _planned(connection, clock.now()).filter(session__host_id=OuterRef("user_id"))
    return Subquery(own.order_by("start_time").values("start_time")[:1])


def next_time_of(api: Api, host_id: str) -> datetime | None:
    """Returns the next time at which a person hosts, or the start of a session that runs just now,
    asked of the service. Raises `ApiError`."""
    now = clock.now()
    begins = (
        datetime.fromisoformat(begin)
        for _, session in sessions_of(api, host_id)
        for _, begin, minutes in times_of(session)
        if datetime.fromisoformat(begin) + timedelta(minutes=minutes) > now
    )
    return min(begins, default=None)


def _planned(connection: Connection, now: datetime) -> QuerySet[Occurrence]:
    return Occurrence.objects.filter(
        connection=connection, session__connection=connection, end_time__gt=now
    )
