"""Meetings and webinars from a table: planned row by row, then scheduled and changed by a job."""

import io
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from openpyxl import Workbook, load_workbook

from portal.access.models import Connection
from portal.audit.models import AuditEntry
from portal.directory.models import MirroredUser
from portal.jobs.job_types import job_type_of
from portal.jobs.models import ItemState, Job, JobState
from portal.meetings.spec import MEETINGS
from portal.sessions.jobs.reading import READING
from portal.sessions.models import MirroredSession
from tests.sessions.importing import carried_out, planned, row_of, send
from tests.support.jobs import approve
from tests.support.portal import admin_client_for
from tests.support.session_pages import Planner

pytestmark = pytest.mark.django_db


def _listed(sandbox, spec, host):
    query = {"type": "scheduled", "page_size": 300}
    data = sandbox.client.get(f"/users/{host.id}/{spec.family}", params=query).json()
    return list(data[spec.family])


def test_same_table_again_changes_nothing(planner, spec, host, work):
    series = {"recurrence_type": "weekly", "weekly_days": "Mon, Wed", "end_times": "4"}
    once = row_of(host, password="s3cret", approval_type="Manual approval", agenda="=1+1")
    once |= {"auto_recording": "cloud"}
    gmt = row_of(host, topic="Retro", start_time="2038-03-02T08:00:00Z", timezone="")
    repeated = row_of(host, topic="Weekly", **series)
    job = planned(planner, spec, work, once, gmt, repeated)
    states = [(item.number, item.action, item.state) for item in job.items.all()]
    assert states == [(number, "create", "pending") for number in (2, 3, 4)], [
        item.problems for item in job.items.all()
    ]
    assert [item.label for item in job.items.all()[:2]] == [
        "Budget review, 2038-03-01 09:00",
        "Retro, 2038-03-02 08:00 GMT",
    ]
    assert _listed(planner.sandbox, spec, host) == []
    assert "s3cret" not in str([(item.data, item.changes) for item in job.items.all()])
    job = carried_out(job, work)
    first, second, third = (planner.saved(spec, item.object_id) for item in job.items.all())
    assert (first["topic"], first["start_time"], first["duration"]) == (
        "Budget review",
        "2038-03-01T08:00:00Z",
        45,
    )
    assert first["agenda"] == "=1+1"
    assert first["settings"]["approval_type"] == 1
    assert first["settings"]["auto_recording"] == "cloud"
    assert {"field": "Cost centre", "value": "4711"} in first["tracking_fields"]
    assert first.get("password", "s3cret") == "s3cret"
    assert second["start_time"] == "2038-03-02T08:00:00Z"
    assert [one["start_time"][:10] for one in third["occurrences"]] == [
        "2038-03-01",
        "2038-03-03",
        "2038-03-08",
        "2038-03-10",
    ]
    assert set(job.items.values_list("sealed", flat=True)) == {""}
    assert MirroredSession.objects.filter(session_id=job.items.first().object_id).exists()
    [reading] = Job.objects.filter(kind=READING.job_type)
    assert reading.parameters == {"hosts": [host.id]}
    known = [dict(row) for row in (once, gmt, repeated)]
    for row, item in zip(known, job.items.all(), strict=True):
        row["id"] = item.object_id
        row.pop("password", None)
    again = planned(planner, spec, work, *known)
    assert [item.state for item in again.items.all()] == ["unchanged"] * 3, [
        item.changes for item in again.items.all()
    ]


def test_a_row_with_a_number_changes_only_what_differs(planner, spec, host, make_session, work):
    made = make_session(
        spec,
        agenda="Kept",
        start_time="2038-03-01T09:00:00",
        timezone="Europe/Berlin",
        duration=60,
        settings={"approval_type": 2, "alternative_hosts": ""},
        tracking_fields=[
            {"field": "Cost centre", "value": "8"},
            {"field": "Unit", "value": "East"},
        ],
    )
    row = {"id": made.id, "topic": "Budget review", "duration": "90", "approval_type": "0"}
    job = planned(planner, spec, work, {**row, "agenda": "", "tracking:Cost centre": "9"})
    item = job.items.get()
    assert (item.action, item.object_id) == ("change", made.id)
    assert item.changes == [
        ["Duration", "60 min", "90 min"],
        ["Registration", "No registration", "Automatic approval"],
        ["Cost centre", "8", "9"],
    ]
    carried_out(job, work)
    now = made.now()
    assert (now["duration"], now["agenda"], now["settings"]["approval_type"]) == (90, "Kept", 0)
    assert now["start_time"] == "2038-03-01T08:00:00Z"
    assert {one["field"]: one["value"] for one in now["tracking_fields"]} == {
        "Unit": "East",
        "Cost centre": "9",
    }


@pytest.mark.usefixtures("required_tracking_field")
def test_all_wrong_is_shown_at_once_with_its_row_and_column(planner, spec, host, work):
    bad = {"type": "monthly", "start_time": "tomorrow", "timezone": "Mars", "duration": "0"}
    job = planned(
        planner,
        spec,
        work,
        row_of(host, **bad, password="no spaces allowed"),
        {**row_of(host), "host": "nobody@brightwater.example"},
        {**row_of(host, topic=""), "host": ""},
        row_of(host, timezone="", type=str(spec.once.value)),
        row_of(host, recurrence_type="daily", repeat_interval="99", end_times="2"),
        row_of(host, id="99999999999"),
        row_of(host, id="99999999999"),
        row_of(host, id="12ab"),
        row_of(host, **{"tracking:Cost centre": ""}),
    )
    found = {
        item.number: sorted(column for column, _words in item.problems) for item in job.items.all()
    }
    assert found == {
        2: ["duration", "password", "start_time", "timezone", "type"],
        3: ["host"],
        4: ["host", "topic"],
        5: ["timezone"],
        6: ["repeat_interval"],
        7: ["id"],
        8: ["id"],
        9: ["id"],
        10: ["tracking:Cost centre"],
    }
    assert set(job.items.values_list("state", flat=True)) == {ItemState.INVALID}
    item = job.items.first()
    row = job_type_of(job).row_of(item)
    assert (row["start_time"], row["topic"]) == ("tomorrow", "Budget review")
    assert "password" not in row


def test_what_is_past_odd_or_clashes_is_said_and_never_moved(planner, host, work):
    job = planned(
        planner,
        MEETINGS,
        work,
        row_of(host, start_time="2020-03-02T09:00"),
        row_of(host, start_time="2038-03-28 02:30"),
        row_of(host, topic="One", start_time="2038-05-01 09:00"),
        row_of(host, topic="Two", start_time="2038-05-01 09:30"),
    )
    said = " ".join(words for _tone, words in job.notes)
    assert "1 row begins in the past: 2." in said
    assert "Row 3: 02:30 does not exist" in said
    assert "Row 5: the host has row 4 at that time." in said
    assert job.items.get(number=3).data["body"]["start_time"] == "2038-03-28T02:30:00"


@pytest.mark.parametrize(
    "given",
    [
        ("id", "abc", "“abc” is not a valid ID."),
        ("id", "9223372036854775808", "No meeting has this ID."),
        ("id", "9" * 20, "No meeting has this ID."),
        ("duration", "9" * 400, "This is longer than 366 days."),
        ("duration", "9" * 30, "This is longer than 366 days."),
        ("start_time", "9999-12-31 23:59", "The year 9999 is more than 20 years away."),
        ("start_time", "9999-12-31T23:59:00Z", "The year 9999 is more than 20 years away."),
        ("end_date_time", "9999-12-31", "The year 9999 is more than 20 years away."),
    ],
)
def test_row_has_one_problem_that_is_true(given, planner, host, make_session, work):
    column, value, words = given
    row = row_of(host, **{column: value})
    if column == "end_date_time":
        row["recurrence_type"] = "daily"
    if column == "id":
        row["host"] = ""
    if column == "duration":
        row["id"] = make_session(MEETINGS).id
    job = planned(planner, MEETINGS, work, row)
    [[(heading, said)]] = [item.problems for item in job.items.all()]
    assert (heading, said.startswith(words)) == (column, True), said
    [item] = job.items.all()
    assert "No fixed time" not in job_type_of(job).about(item)


def test_days_that_cannot_be_meant_are_asked_about(planner, host, work):
    weekly = {"recurrence_type": "weekly", "end_date_time": "2099-01-01"}
    job = planned(
        planner,
        MEETINGS,
        work,
        row_of(host, start_time="31/3/2570 9:00"),
        row_of(host, start_time="1448-09-22 09:00"),
        row_of(host, **weekly),
    )
    said = [" ".join(map(" ".join, item.problems)) for item in job.items.all()]
    assert "2570 is more than 20 years away. In the Buddhist calendar it is 2027" in said[0]
    assert "Enter that of the Gregorian calendar" in said[1]
    assert said[2].startswith("end_date_time The year 2099")


def _as_if_sent(job, *numbers):
    items = job.items.filter(number__in=numbers)
    items.update(state=ItemState.SENDING, attempts=1, first_sent_at=timezone.now())


def test_worker_that_died_after_sending_schedules_nothing_twice(
    planner, spec, host, make_session, work
):
    start = {"start_time": "2038-03-01T09:00:00", "timezone": "Europe/Berlin"}
    make_session(spec, **start)  # alike, and there before
    rows = [
        row_of(host),
        row_of(host, topic="Never sent"),
        row_of(host, start_time="2038-04-01 09:00"),
    ]
    job = planned(planner, spec, work, *rows)
    made = make_session(spec, duration=45, **start)
    approve(job)
    _as_if_sent(job, 2, 3, 4)
    job = work(job)
    assert job.state == JobState.DONE
    first, *others = job.items.all()
    assert (first.state, first.object_id) == ("done", made.id)
    assert first.message == "Found on the service."
    assert [item.state for item in others] == ["done", "done"]
    assert len(_listed(planner.sandbox, spec, host)) == 4
    operation = f"{spec.family}.create"
    assert AuditEntry.objects.filter(operation=operation, intent=None).count() == 2


def test_equal_rows_are_told_apart_by_how_many_there_are(planner, host, make_session, work):
    start = {"start_time": "2038-03-01T09:00:00", "timezone": "Europe/Berlin"}
    make_session(MEETINGS, **start)
    job = planned(planner, MEETINGS, work, row_of(host), row_of(host))
    approve(job)
    make_session(MEETINGS, **start)
    _as_if_sent(job, 2, 3)
    job = work(job)
    assert {item.state for item in job.items.all()} == {"unknown"}
    assert "2 rows are identical" in job.items.first().message
    assert len(_listed(planner.sandbox, MEETINGS, host)) == 2
    both = planned(planner, MEETINGS, work, row_of(host, topic="Both"), row_of(host, topic="Both"))
    for _each in range(2):
        make_session(MEETINGS, topic="Both", **start)
    approve(both)
    _as_if_sent(both, 2, 3)
    both = work(both)
    assert [item.state for item in both.items.all()] == ["done", "done"]


def test_session_of_others_is_not_taken_for_own_row(planner, host, make_session, work):
    start = {"start_time": "2038-03-01T09:00:00", "timezone": "Europe/Berlin"}
    job = planned(planner, MEETINGS, work, row_of(host))
    approve(job)
    for _each in range(2):
        make_session(MEETINGS, **start)
    _as_if_sent(job, 2)
    item = work(job).items.get()
    assert item.state == ItemState.UNKNOWN
    assert "imilar" in item.message
    job = planned(planner, MEETINGS, work, row_of(host, topic="Other"))
    make_session(MEETINGS, topic="Other", **start)
    approve(job)
    later = timezone.now() + timedelta(minutes=1)
    job.items.update(state=ItemState.SENDING, attempts=1, first_sent_at=later)
    assert work(job).items.get().state == ItemState.UNKNOWN


@pytest.mark.parametrize(
    ("ahead", "known", "state"),
    [(6, True, "done"), (-6, True, "done"), (6, False, "unknown"), (600, False, "unknown")],
)
def test_a_clock_that_is_wrong_schedules_nothing_twice(
    planner, host, make_session, work, *, ahead, known, state
):
    """As a worker leaves it whose clock is minutes ahead of the service's."""
    job = planned(planner, MEETINGS, work, row_of(host, topic="Once"))
    make_session(MEETINGS, topic="Once", start_time="2038-03-01T09:00:00", timezone="Europe/Berlin")
    approve(job)
    difference = timedelta(minutes=ahead)
    job.items.update(
        state=ItemState.SENDING,
        attempts=1,
        first_sent_at=timezone.now() + difference,
        clock_ahead=difference.total_seconds() + 1 if known else None,
    )
    before = len(_listed(planner.sandbox, MEETINGS, host))
    assert work(job).items.get().state == state
    assert len(_listed(planner.sandbox, MEETINGS, host)) == before


def test_an_export_of_the_list_comes_back_as_unchanged(planner, spec, host, work):
    for row in (
        row_of(host, topic="+44 calls"),
        row_of(host, recurrence_type="daily", end_times="3"),
    ):
        carried_out(planned(planner, spec, work, row), work)
    for _each in range(2):  # what was imported while the first one was open is read after it
        work(Job.objects.filter(kind=READING.job_type).latest("pk"))
    for file in ("csv", "xlsx"):
        answer = planner.client.get(planner.url(spec, "export", file), {"host": host.id})
        content = b"".join(answer)
        upload = SimpleUploadedFile(f"{spec.family}.{file}", content)
        job = work(send(planner, spec, file=upload))
        assert job.items.count() >= 2
        mine = [item for item in job.items.all() if item.data["row"]["host"] == host.email]
        assert [item.state for item in mine] == ["unchanged", "unchanged"], [
            (item.changes, item.problems) for item in mine
        ]


def test_template_names_every_column_and_can_be_sent(planner, spec, host, work):
    content = planner.client.get(planner.url(spec, "import-template", "xlsx")).content
    sheet = load_workbook(io.BytesIO(content)).active
    assert sheet is not None
    head, example = ([cell.value for cell in row] for row in sheet.iter_rows())
    example[head.index("host")] = host.email
    book, file = Workbook(), io.BytesIO()
    for row in (head, example):
        book.active.append(row)
    book.save(file)
    job = work(send(planner, spec, file=SimpleUploadedFile("some.xlsx", file.getvalue())))
    assert [item.state for item in job.items.all()] == ["pending"], job.items.get().problems
    assert "not imported" not in str(job.notes)
    page = planner.get(planner.url(spec, "import"))
    assert all(str(name).partition(":")[0] in page for name in head)
    assert "tracking:Cost centre" in head
    assert planner.client.get(planner.url(spec, "import-template", "exe")).status_code == 404


def test_what_is_no_table_of_sessions_is_refused(planner, spec, work, administrator):
    address = planner.url(spec, "import")
    assert planner.client.post(address, {"text": " "}).status_code == 422
    pdf = SimpleUploadedFile("a.pdf", b"%PDF-1.7 nothing")
    assert "This is a PDF" in planner.client.post(address, {"file": pdf}).text
    large = SimpleUploadedFile("a.csv", b"topic,host\n" + b"x" * 10_000_001)
    assert planner.client.post(address, {"file": large}).status_code == 413
    assert Job.objects.count() == 0
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(administrator)
    assert strict.post(address, {"text": "Topic,Host\na,b"}).status_code == 403


def test_a_viewer_imports_nothing(viewer, connect, spec):
    mine: Connection = connect(viewer)
    planner = Planner(admin_client_for(viewer), mine, None)
    sent = planner.client.post(planner.url(spec, "import"), {"text": "Topic,Host\na,b"})
    assert sent.status_code == 403
    assert planner.url(spec, "import") not in planner.get(planner.url(spec, "list"))


def test_alternative_hosts_are_checked_before_job_is_approved(planner, make_host, host, work):
    grace, left = make_host(first_name="Grace"), make_host(first_name="Alan")
    MirroredUser.objects.filter(user_id=left.id).update(status="inactive")
    several = f"Grace <{grace.email}>; {host.email.upper()}"
    rows = [
        row_of(host, alternative_hosts=several),
        row_of(host, alternative_hosts=f"{grace.email}, nobody@elsewhere.example"),
        row_of(host, alternative_hosts=left.email),
        row_of(left),
    ]
    job = planned(planner, MEETINGS, work, *rows)
    said = [str(item.problems) for item in job.items.order_by("number")]
    assert said[0] == "[]"
    assert "No user on the account has this email or ID: nobody@elsewhere.example." in said[1]
    assert "is deactivated and cannot host." in said[2]
    assert "is deactivated and cannot host." in said[3]
