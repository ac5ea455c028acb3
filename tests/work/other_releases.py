"""Rows as another release makes them, of names that this one does not have: for each queue, and for
each task that the scheduler begins."""

from collections.abc import Callable, Iterator
from datetime import timedelta

from django.db.models import Model
from django.utils import timezone

from portal.access.models import Connection
from portal.account.models import Baseline
from portal.approvals.models import ApprovalRequest
from portal.dashboards.models import Alert, AlertRule
from portal.jobs.models import Job, JobState
from portal.mirror.models import MirrorState
from portal.reports.models import ReportRun, SavedReport
from portal.sessions.models import SessionToRead
from portal.team.models import AccountChange
from portal.work.models import OutgoingMail

Rows = Iterator[Model]
NEXT = "next-release"


def _jobs(connection: Connection) -> Rows:
    named = {
        NEXT: {},
        "sessions.mend": {"remediation": NEXT, "chosen": []},
        "account.settings": {"kind": NEXT, "targets": [], "values": {}},
        "account.baseline": {"kind": NEXT, "targets": [], "values": {}, "baseline": 0},
        "account.baseline-check": {"kind": NEXT, "baseline": 0},
        "registrants.import": {"family": NEXT, "session_id": "1"},
        "registrants.decide": {"family": NEXT, "session_id": "1"},
    }
    for kind, given in named.items():
        for state in (JobState.PLANNING, JobState.RUNNING):
            yield _job(connection, kind, state, parameters=given)
    job = _job(connection, "people.offboard", JobState.RUNNING, parameters={"chosen": {}})
    job.items.create(number=1, label="A step", action=NEXT)
    yield job


def _job(connection: Connection, kind: str, state: str, **given: object) -> Job:
    own = {"connection": connection, "owner": connection.owner, "stored_title": "Of another"}
    return Job.objects.create(kind=kind, state=state, **own, **given)


def _requests(connection: Connection) -> Rows:
    now = timezone.now()
    own = {"connection": connection, "requester": connection.owner, "title": "Of another"}
    of_job = _job(connection, NEXT, JobState.AWAITING)
    late = {"state": "waiting", "lapses_at": now - timedelta(days=1)}
    yield ApprovalRequest.objects.create(kind="call", operation=NEXT, state="approved", **own)
    yield ApprovalRequest.objects.create(kind="call", operation=NEXT, **late, **own)
    yield ApprovalRequest.objects.create(kind="nextkind", **late, **own)
    yield ApprovalRequest.objects.create(kind="job", subject=of_job.key, **late, **own)


def _reports(connection: Connection) -> Iterator[SavedReport]:
    for given in ({"slug": NEXT}, {"frequency": "yearly"}, {"file": "ods"}):
        now = timezone.now()
        yield SavedReport.objects.create(
            connection=connection,
            owner=connection.owner,
            name="Of another",
            next_at=now,
            **{"slug": "daily", "frequency": "daily", "file": "csv", **given},
        )


def _runs(connection: Connection) -> Rows:
    now = timezone.now()
    for saved in _reports(connection):
        yield ReportRun.objects.create(saved=saved, first=now, last=now, created_at=now)


def _baselines(connection: Connection) -> Rows:
    for given in ({"kind": NEXT}, {"kind": "people", "scope": "nextreach"}):
        own = {"connection": connection, "owner": connection.owner, "wanted_at": timezone.now()}
        yield Baseline.objects.create(name=f"Of another: {given['kind']}", **given, **own)


def _mails(connection: Connection) -> Rows:
    for limits in (["viewer", [], [], [], []], [NEXT, [], [], []]):
        yield OutgoingMail.objects.create(
            to="a@example.com",
            subject="Of another",
            text="Of another",
            user=connection.owner,
            connection=connection,
            limits=limits,
        )


def _refreshes(connection: Connection) -> Rows:
    now = timezone.now()
    yield MirrorState.objects.create(connection=connection, kind=NEXT, requested_at=now)


def _rereads(connection: Connection) -> Rows:
    at = timezone.now() - timedelta(days=30)
    yield SessionToRead.objects.create(
        connection=connection, kind="nextkind", session_id="1", notified_at=at
    )


def alerts(connection: Connection) -> Rows:
    """A rule with an alert that lasts."""
    now = timezone.now()
    rule = AlertRule.objects.create(connection=connection, kind=NEXT, threshold=1)
    yield rule
    facts = {"facts": {"kind": NEXT}, "began_at": now, "raised_at": now}
    yield Alert.objects.create(rule=rule, subject="1", **facts)


def _account_changes(connection: Connection) -> Rows:
    own = {"user": connection.owner, "asked_by": connection.owner}
    yield AccountChange.objects.create(kind="next", due_at=timezone.now(), **own)


_NO_NAMES = "its rows name nothing that another release may not have"
# By the task of each queue.
QUEUES: dict[str, Callable[[Connection], Rows] | str] = {
    "jobs.work_on": _jobs,
    "approvals.work_on": _requests,
    "mirror.refresh": _refreshes,
    "sessions.reread": _rereads,
    "reports.begin": _reports,
    "reports.send": _runs,
    "account.begin_check": _baselines,
    "recordings.run_rule": _NO_NAMES,
    "recordings.send_notice": _NO_NAMES,
    "people.count_licences": _NO_NAMES,
    "work.mail": _mails,
    "team.change_account": _account_changes,
}
_BY_AGE = "it deletes by age alone what each release may lose"
# By the name of each periodic task, beside sweeps.
PERIODIC: dict[str, Callable[[Connection], Rows] | str] = {
    "dashboards.sample": alerts,
    "access.clear_sessions": _BY_AGE,
    "connections.end_shares": _NO_NAMES,
    "access.verify_audit": "it changes nothing",
    "dashboards.prune": _BY_AGE,
    "imports.erase_tables": _BY_AGE,
    "jobs.erase_secrets": _jobs,
    "mirror.check_webhooks": _NO_NAMES,
    "mirror.keep_loaded": _refreshes,
    "mirror.prune": _BY_AGE,
    "reports.prune": _BY_AGE,
}
