"""Reading all meetings and webinars of an account into the mirror: a job, one item a host.

The interface lists sessions of one person at a time, and reports no settings and no occurrences in
lists. So each host's lists are read, and each session alone that is recent, coming or recurring.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import F, Max
from django.utils import timezone

from portal.access.models import Connection
from portal.access.origin import Origin
from portal.client import Api, Invalid, NotFound, Unauthorized
from portal.contract.dashboards import SessionsQuery, SessionsShown
from portal.contract.meetings import MeetingListType, Meetings, MeetingsQuery
from portal.contract.operation import Operation
from portal.contract.paging import NumberedQuery
from portal.contract.sessions import SessionSummary
from portal.contract.users import UserStatus
from portal.contract.webinars import Webinars
from portal.directory import users
from portal.directory.users import UserFilter
from portal.jobs import services
from portal.jobs.job_types import Done, JobType
from portal.jobs.models import OPEN, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.mirror.models import KEPT_FRESH_FOR, MirrorState
from portal.mirror.values import text
from portal.sessions import mirror, recorded
from portal.sessions.mirror import ListedSession
from portal.sessions.models import MirroredSession, SessionKind

KIND = "sessions.read"
_RECENT = timedelta(days=30)
_CLOCKS_DIFFER_BY = timedelta(seconds=2)
_SHOWN_FOR = timedelta(seconds=10)


class ReadSessions(JobType):
    """`parameters["hosts"]` are the ids of the only hosts to read, or there are none."""

    name = KIND
    noun = ("host", "hosts")
    verbs = {"read": "Read"}
    reads_only = True

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:  # noqa: ARG002
        return [Meetings.of_user, Webinars.of_user]

    def plan(self, planning: Planning) -> None:
        """Recent and coming hosts first; who never signed in comes last.

        What deactivated people had planned stays planned, so they are read too.
        """
        connection = planning.job.connection
        statuses = [UserStatus.ACTIVE.value, UserStatus.INACTIVE.value]
        people = users.find(connection, UserFilter(statuses=statuses))
        wanted = planning.job.parameters.get("hosts")
        if wanted:
            people = people.filter(user_id__in=wanted)
        else:
            _note_recorded(planning)
        known = MirroredSession.objects.filter(connection=connection).order_by()
        latest = dict(known.values_list("host_id").annotate(latest=Max("start_time")))
        soon = timezone.now() - _RECENT
        order = F("last_login_time").desc(nulls_last=True)
        hosts = list(people.order_by("status", order, "id").values_list("user_id", "email"))
        hosts.sort(key=lambda host: (latest.get(host[0]) or soon) <= soon)
        for number, (user_id, email) in enumerate(hosts, start=1):
            planning.add(NewItem(number, email, "read", user_id))
        state = MirrorState.objects.filter(pk=mirror.state_of(connection).pk)
        state.update(read=0, expected=len(hosts))
        if not wanted:
            began = planning.job.created_at - _CLOCKS_DIFFER_BY
            mirror.forget_hosts(connection, {user_id for user_id, _ in hosts}, began)

    def carry_out(self, api: Api, item: JobItem) -> Done:
        item.found = list(_sessions_of(api, item.object_id))  # type: ignore[attr-defined]
        return Done()

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        began = min(item.first_sent_at or job.created_at for item in items) - _CLOCKS_DIFFER_BY
        data = {item.object_id: getattr(item, "found", ()) for item in items}
        mirror.take_over(job.connection, data, began)
        state = MirrorState.objects.filter(pk=mirror.state_of(job.connection).pk)
        state.update(read=F("read") + len(items))

    def finished(self, job: Job) -> None:
        failed = job.items.exclude(state="done").count()
        words = f"{failed:,} of {job.items.count():,} hosts could not be read." if failed else ""
        state = MirrorState.objects.filter(pk=mirror.state_of(job.connection).pk)
        if job.parameters.get("hosts"):  # how old the others are is as it was
            state.update(requested_at=None, failure=words)
            return
        state.update(requested_at=None, refreshed_at=timezone.now(), failure=words)
        mirror.state_of(job.connection).removals.filter(at__lt=job.created_at).delete()


def request_reading(connection: Connection, hosts: Sequence[str] = ()) -> MirrorState:
    """Has the sessions of these hosts, or all of a connection, read anew, unless some are now."""
    state = mirror.state_of(connection)
    jobs = Job.objects.filter(connection=connection, kind=KIND)
    if not jobs.filter(state__in=OPEN).exists():
        jobs.delete()
        now = timezone.now()
        begun = {"requested_at": now, "failure": "", "read": 0, "expected": 0}
        MirrorState.objects.filter(pk=state.pk).update(**begun)
        state.requested_at = now
        state.read = state.expected = 0
        data = {"hosts": list(hosts)} if hosts else {}
        whose = f"{len(hosts):,} of the hosts" if hosts else "all hosts"
        title = f"Read meetings and webinars of {whose}"
        services.draft(Origin(connection.owner), connection, KIND, title, parameters=data)
    return state


def mark_viewed(connection: Connection) -> MirrorState:
    """How fresh the sessions are that somebody looks at just now; old ones are read anew."""
    state = mirror.state_of(connection)
    if state.is_older_than(mirror.STALE_AFTER) and not state.failure:
        state = request_reading(connection)
    now = timezone.now()
    if state.viewed_at is None or now - state.viewed_at > timedelta(minutes=1):
        MirrorState.objects.filter(pk=state.pk).update(viewed_at=now)
    return state


def keep_fresh() -> int:
    """Has sessions read anew that somebody looked at lately. Returns of how many connections."""
    now = timezone.now()
    due = MirrorState.objects.filter(
        kind=mirror.NAME,
        viewed_at__gt=now - KEPT_FRESH_FOR,
        refreshed_at__lt=now - mirror.STALE_AFTER,
    )
    states = list(due.select_related("connection__owner"))
    for state in states:
        request_reading(state.connection)
    return len(states)


def progress(state: MirrorState) -> dict[str, Any]:
    """What pages say of a reading: its job, and that it goes on while the job has a worker, however
    long one host takes."""
    job = None
    if state.is_wanted:
        jobs = Job.objects.filter(connection=state.connection_id, kind=KIND, state__in=OPEN)
        job = jobs.first()
    goes_on = job is not None and not job.is_unattended and not job.trouble
    state.leased_until = timezone.now() + _SHOWN_FOR if goes_on else None
    return {"state": state, "job": job, "read_noun": "hosts"}


def _sessions_of(api: Api, host: str) -> Iterator[tuple[str, ListedSession]]:
    meetings = MeetingsQuery(type=MeetingListType.SCHEDULED, page_size=300)
    webinars = NumberedQuery(page_size=300)
    try:
        for meeting in api.meetings.of_user.all(host, meetings):
            yield SessionKind.MEETING, _notified(api.meetings, meeting, is_enough=True)
        for webinar in api.webinars.of_user.all(host, webinars):
            yield SessionKind.WEBINAR, _notified(api.webinars, webinar, is_enough=False)
    except NotFound:
        return  # who is not there any more has no sessions


def _notified(family: Any, summary: SessionSummary, *, is_enough: bool) -> ListedSession:
    """What lists contain, or a single read where they do not contain enough."""
    start = summary.start_time
    if is_enough and isinstance(start, datetime):
        start = start if start.tzinfo else start.replace(tzinfo=UTC)
        if start < timezone.now() - _RECENT:
            return summary
    try:
        found: ListedSession = family.get(str(summary.id))
    except NotFound:
        return summary
    return found


def _note_recorded(planning: Planning) -> None:
    """Which sessions of the last month were recorded, as far as the dashboards may be read."""
    today = timezone.now().date()
    days = {"from": today - _RECENT + timedelta(days=1), "to": today}
    query = SessionsQuery(type=SessionsShown.PAST, page_size=300, **days)
    for kind, operation in (
        (SessionKind.MEETING, planning.api.metrics.meetings),
        (SessionKind.WEBINAR, planning.api.metrics.webinars),
    ):
        try:
            found = {text(each.id) for each in operation.all(query) if each.has_recording}
        except (Invalid, Unauthorized):
            continue
        recorded.take_over(planning.job.connection, kind.value, found)
        planning.progress(0, 0, f"Reading recordings of {kind.value}")
