"""Causes of each kind of line of the first page, and the acts that settle it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from django.utils import timezone

from portal.access import availability
from portal.access.models import Connection, User
from portal.account.models import Baseline, Drift
from portal.approvals.models import ApprovalRequest, RequestKind, RequestState
from portal.client import TimedOut
from portal.contract.meetings import MeetingDetails
from portal.contract.users import LicenceType, User as Person, Users, UserStatus
from portal.dashboards.models import Alert, AlertKind, AlertRule, LiveSnapshot
from portal.dashboards.services.live.picture import LiveList, LiveSession, dumped
from portal.directory import users
from portal.jobs.models import ItemState, Job, JobItem, JobState
from portal.mirror.models import MirrorState
from portal.people.models import StatedSeats
from portal.recordings.models import StorageReading
from portal.reports.models import ReportRun, RunState, SavedReport
from portal.sessions import mirror
from portal.webhooks.models import Gap

Settle = Callable[[], object]


def job(connection: Connection, state: JobState, **given: object) -> Job:
    usual = {"kind": "import-people", "title": "New staff", "owner": connection.owner}
    return Job.objects.create(connection=connection, state=state, **{**usual, **given})


def done_with(connection: Connection, state: ItemState) -> Settle:
    made = job(connection, JobState.DONE, finished_at=timezone.now())
    item = JobItem.objects.create(
        job=made, number=1, label="Ada", state=state, ended_at=timezone.now()
    )
    return lambda: JobItem.objects.filter(pk=item.pk).update(state=ItemState.DONE)


def in_state(state: JobState) -> Callable[[Connection], Settle]:
    def cause(connection: Connection) -> Settle:
        made = job(connection, state)
        return lambda: Job.objects.filter(pk=made.pk).update(state=JobState.CANCELLED)

    return cause


def drift(connection: Connection, name: str = "Standard") -> Settle:
    baseline, now = made_baseline(connection, name), timezone.now()
    row = Drift.objects.create(
        baseline=baseline,
        subject_id="ada",
        subject="Ada",
        setting="in_meeting.chat",
        wanted=True,
        actual=False,
        since=now - timedelta(days=2),
        checked_at=now,
    )
    return row.delete


def made_baseline(connection: Connection, name: str) -> Baseline:
    values = {"in_meeting.chat": True}
    return Baseline.objects.create(
        connection=connection, owner=connection.owner, name=name, kind="people", values=values
    )


def alert(connection: Connection) -> Settle:
    rule = AlertRule.objects.create(connection=connection, kind=AlertKind.PARTICIPANTS, threshold=9)
    now = timezone.now()
    made = Alert.objects.create(
        rule=rule, subject="x", words="“Town hall” is full", began_at=now, raised_at=now
    )
    return lambda: Alert.objects.filter(pk=made.pk).update(ended_at=now)


def storage(connection: Connection, used: float = 120.0) -> Settle:
    now = timezone.now()
    made = StorageReading.objects.create(
        connection=connection, day=now.date(), used=used, allowed=100.0, read_at=now
    )
    return lambda: StorageReading.objects.filter(pk=made.pk).update(used=10.0)


def licences(connection: Connection) -> Settle:
    person = Person(id="ada", email="ada@example.com", type=LicenceType.PRO)
    users.put(connection, person, UserStatus.ACTIVE)
    seats = StatedSeats.objects.create(
        connection=connection, licence=LicenceType.PRO.value, seats=1
    )
    return lambda: StatedSeats.objects.filter(pk=seats.pk).update(seats=500)


def deactivated(connection: Connection) -> Settle:
    person = Person(id="bob", email="bob@example.com", type=LicenceType.CORP)
    users.put(connection, person, UserStatus.INACTIVE)
    return lambda: users.record_written(connection, {"bob": {"type": LicenceType.BASIC}})


def meeting(connection: Connection, number: int = 1, password: str = "") -> None:
    start = f"{timezone.now() + timedelta(days=2):%Y-%m-%dT%H:%M:00Z}"
    values = {"id": number, "topic": f"No {number}", "type": 2, "host_id": "h", "duration": 30}
    values |= {"start_time": start, "password": password}
    mirror.put(connection, "meetings", MeetingDetails.model_validate(values))


def policy(connection: Connection) -> Settle:
    meeting(connection)
    return lambda: meeting(connection, password="secret")


def clash(connection: Connection) -> Settle:
    meeting(connection, 1, "secret")
    meeting(connection, 2, "secret")
    return lambda: mirror.drop(connection, "meetings", "2")


def gap(connection: Connection) -> Settle:
    now = timezone.now()
    made = Gap.objects.create(
        connection=connection, began_at=now, noticed_at=now, asked_at=now, why="the webhook is gone"
    )
    return lambda: Gap.objects.filter(pk=made.pk).update(ended_at=now)


def unread_list(connection: Connection) -> Settle:
    state = users.state_of(connection)
    own = MirrorState.objects.filter(pk=state.pk)
    own.update(failure="It did not answer.")
    return lambda: own.update(failure="")


def down(connection: Connection) -> Settle:
    availability.record_health(connection.key, TimedOut(Users.list, "No answer"))
    return lambda: availability.clear_health(connection.key)


def asked(connection: Connection, number: int = 1) -> None:
    """A colleague asks for an approval."""
    email = f"colleague{number}@example.com"
    now, who = timezone.now(), User.objects.get_or_create(email=email, name="Cy")[0]
    ApprovalRequest.objects.create(
        connection=connection,
        requester=who,
        kind=RequestKind.JOB,
        state=RequestState.WAITING,
        title="Remove everybody",
        subject=f"{connection.key[:7]}{number}",
        asked_at=now,
        lapses_at=now + timedelta(days=1),
    )


def declined(connection: Connection, who: User) -> None:
    """Makes a request of the person that was declined."""
    now = timezone.now()
    ApprovalRequest.objects.create(
        connection=connection,
        requester=who,
        kind=RequestKind.CALL,
        state=RequestState.DECLINED,
        title="Delete the group",
        ended_at=now,
    )


def live(connection: Connection, *, with_webinar: bool = False) -> LiveSnapshot:
    """A meeting that runs, with poor quality."""
    one = LiveSession(
        "k", "meetings", "u", "1", "Town hall", "Ada", "ada@example.com", "Pro", timezone.now(), 7,
        None, None, None, None, None, None, None, quality="poor",
    )  # fmt: skip
    now = timezone.now()
    lists = {"meetings": LiveList((one,), now), "webinars": LiveList((), now)}
    if with_webinar:
        lists["webinars"] = LiveList((replace(one, key="l", kind="webinars"),), now)
    return LiveSnapshot.objects.create(
        connection=connection, version="1", content=dumped(lists), asked_at=now
    )


def report(connection: Connection) -> Settle:
    now = timezone.now()
    saved = SavedReport.objects.create(
        connection=connection, owner=connection.owner, name="Usage", slug="daily", next_at=now
    )
    days = {"first": now.date(), "last": now.date(), "created_at": now}
    ReportRun.objects.create(saved=saved, state=RunState.FAILED, reason="Refused.", **days)
    return lambda: ReportRun.objects.create(saved=saved, state=RunState.SENT, **days)


CAUSES: dict[str, tuple[Callable[[Connection], Settle], str]] = {
    "awaiting": (in_state(JobState.PLANNED), "The preview of “New staff” is ready"),
    "unplannable": (in_state(JobState.UNPLANNABLE), "The preview of “New staff” failed"),
    "paused": (in_state(JobState.PAUSED), "“New staff” is paused"),
    "failed": (lambda one: done_with(one, ItemState.FAILED), "“New staff” ended with failed rows"),
    "unknown": (
        lambda one: done_with(one, ItemState.UNKNOWN),
        "“New staff” has rows with unknown outcome",
    ),
    "drift": (drift, "1 setting differs from the baseline “Standard”"),
    "alert": (alert, "“Town hall” is full"),
    "storage": (storage, "Recording storage is full"),
    "licences": (licences, "No Pro licences are left"),
    "deactivated": (deactivated, "1 licence is held by a deactivated person"),
    "policy": (policy, "1 upcoming meeting has no password"),
    "clash": (clash, "2 upcoming sessions overlap with others of their host"),
    "gap": (gap, "Webhook deliveries are missing"),
    "list": (unread_list, "The list of people could not be updated"),
    "down": (down, "The conferencing service is not responding"),
    "report": (report, "The report “Usage” could not be sent"),
}
