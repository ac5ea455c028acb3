"""Other pages beside the list of people: what they show, written into the same database."""

from django.urls import reverse
from django.utils import timezone

from portal.access.http import Origin
from portal.access.models import Connection
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.dashboards.models import LiveSnapshot
from portal.dashboards.services.live.picture import LiveList, LiveSession, dumped
from portal.directory.models import MirroredUser
from portal.jobs.models import ItemState, Job, JobItem, JobState

_ROWS = 200  # of the job
_ENTRIES = 60
_LIVE = 30


def fill(connection: Connection) -> dict[str, str]:
    """Writes a job that is done, a trail and live sessions. Returns the addresses of the pages."""
    key = connection.key
    person = MirroredUser.objects.filter(connection=connection, status="active").first()
    if person is None:
        raise RuntimeError("There are no people.")
    _live(connection)
    for number in range(_ENTRIES):
        sent = {"Pro": number}
        record(Origin(connection.owner), Act.SEATS_STATED, connection, sent=sent, before={})
    return {
        "Home": reverse("home"),
        "Live": reverse("dashboards:now", args=[key]),
        "A person": reverse("people:person", args=[key, person.user_id]),
        "A job": _job(connection).get_absolute_url(),
        "The trail": reverse("audit:trail"),
    }


def _job(connection: Connection) -> Job:
    now = timezone.now()
    job = Job.objects.create(
        connection=connection,
        owner=connection.owner,
        kind="people.import",
        stored_title="Import people.csv",
        state=JobState.DONE,
        approved_at=now,
        finished_at=now,
    )
    JobItem.objects.bulk_create(
        JobItem(
            job=job,
            number=number,
            label=f"person.{number}@example.com",
            action="create",
            state=ItemState.DONE,
            ended_at=now,
            data={"name": f"Person {number}"},
        )
        for number in range(_ROWS)
    )
    return job


def _live(connection: Connection) -> None:
    now = timezone.now()
    sessions = tuple(
        LiveSession(
            f"k{number}", "meetings", f"u{number}", str(number), f"Session {number}", "Ada",
            "ada@example.com", "Pro", now, number,
            None, None, None, None, None, None, None, quality="good",
        )
        for number in range(_LIVE)
    )  # fmt: skip
    lists = {"meetings": LiveList(sessions, now), "webinars": LiveList((), now)}
    LiveSnapshot.objects.create(
        connection=connection, version="1", content=dumped(lists), asked_at=now
    )
