"""Saved reports are sent when they are due, in their owner's zone; failures are mailed as well."""

from collections.abc import Callable
from csv import DictReader
from datetime import UTC, date, datetime, timedelta
from io import BytesIO, StringIO
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.test import Client
from django.utils import dateformat
from hypothesis import given, strategies as st
from openpyxl import load_workbook

from portal.access.audit import Act
from portal.access.models import AuditEntry, Connection
from portal.access.roles import Role
from portal.directory.models import MirroredUser
from portal.directory.users import USERS
from portal.jobs.models import Job
from portal.mirror.refresh import refresh
from portal.reports import schedule
from portal.reports.models import ReportRun, SavedReport
from portal.reports.schedule import RUNS, SCHEDULES, days_of, next_time
from portal.reports.windows import Span
from tests.reports.pages import address, days, table_of
from tests.support import report_truth as truth
from tests.support.fault_server import FaultServer, answer
from tests.support.jobs import Work
from tests.support.portal import admin_client_for, member
from tests.support.sandbox import Sandbox
from tests.support.shares import share_with

database = pytest.mark.django_db(transaction=True)
Save = Callable[..., SavedReport]
ZONES = ("UTC", "Pacific/Auckland", "America/New_York", "Asia/Kathmandu")


@pytest.fixture
def save(connection: Connection) -> Save:
    """A saved report that is due."""

    def make(home: Connection = connection, **given: Any) -> SavedReport:
        data = {"name": "Use", "slug": "daily", "frequency": "monthly", "file": "csv", **given}
        now = datetime.now(UTC)
        return SavedReport.objects.create(
            connection=home, owner=home.owner, next_at=now - timedelta(minutes=1), **data
        )

    return make


def fire(work: Work | None = None) -> None:
    """Runs the scheduler's sweeps and the workers, until nothing is left that they can do."""
    SCHEDULES.before_sweep()
    for saved in SavedReport.objects.filter(SCHEDULES.waiting()):
        schedule.begin(saved.pk)
    for _ in range(3):
        ReportRun.objects.update(leased_until=None)
        for run in ReportRun.objects.filter(RUNS.waiting()):
            schedule.send(run.pk)
        for job in Job.objects.all() if work else ():
            work(job)  # type: ignore[misc]


def last_month() -> Span:
    last = datetime.now(UTC).date().replace(day=1) - timedelta(days=1)
    return Span(last.replace(day=1), last)


@database
def test_a_report_that_is_due_is_mailed_with_its_file(
    save: Save, sandbox: Sandbox, mailoutbox: list[mail.EmailMessage]
):
    saved = save()
    fire()
    [sent] = mailoutbox
    [(name, content, _)] = sent.attachments
    assert sent.to == [saved.owner.email]
    assert name.endswith(".csv")
    assert "\nParticipants: " in sent.body, "the figures"
    assert "Day (GMT) · New people" in sent.body, "the first rows"
    assert f"\n{dateformat.format(last_month().last, 'D j M Y')} · " in sent.body, "days in words"
    assert "/reports/daily/?" in sent.body, "the report itself"
    text = content if isinstance(content, str) else content.decode("utf-8-sig")
    assert len(text.strip().splitlines()) == last_month().days + 1
    saved.refresh_from_db()
    assert saved.next_at > datetime.now(UTC)
    run = ReportRun.objects.get()
    assert (run.state, run.rows) == ("sent", last_month().days)
    entry = AuditEntry.objects.order_by("-sequence")[0]
    assert (entry.operation, entry.object_label) == (Act.REPORT_MAILED, "Use")
    fire()
    assert len(mailoutbox) == 1, "it is sent once"


@database
def test_a_long_report_waits_for_its_job(
    save: Save, sandbox: Sandbox, work: Work, mailoutbox: list[mail.EmailMessage], monkeypatch: Any
):
    monkeypatch.setattr("portal.reports.services.fetching._WINDOWS_AT_ONCE", 0)
    save(slug="hosts", file="xlsx")
    fire(work)
    [sent] = mailoutbox
    [(_, content, _)] = sent.attachments
    sheet = load_workbook(BytesIO(content)).active
    expected, _ = truth.hosts(sandbox, last_month())
    assert sheet.max_row == len(expected) + 1
    assert ReportRun.objects.get().job is not None


@database
def test_a_saved_report_keeps_to_the_limits_of_its_owner_by_then(
    save: Save, sandbox: Sandbox, work: Work, mailoutbox: list[mail.EmailMessage], client: Client
):
    home = Connection.objects.get(key=save().connection.key)
    SavedReport.objects.all().delete()
    second = member("second@example.com", Role.ADMINISTRATOR)
    share = share_with(home, second)
    saved = save(slug="hosts")
    SavedReport.objects.filter(pk=saved.pk).update(owner=second)
    assert refresh(USERS.request(home).pk)
    inside = truth.hosts(sandbox, last_month())[0][0]["email"]
    MirroredUser.objects.filter(connection=home, email=inside).update(dept="Planted")
    share.departments = ["Planted"]
    share.save()
    fire(work)
    [sent] = mailoutbox
    [(_, content, _)] = sent.attachments
    text = content if isinstance(content, str) else content.decode("utf-8-sig")
    assert [inside] == [line["Email"] for line in DictReader(StringIO(text))]
    whole = days(last_month().first, last_month().last)
    listed = table_of(client, address(home, "hosts-export", "csv", **whole))
    assert len(listed) == len(truth.hosts(sandbox, last_month())[0])


@database
def test_a_large_file_is_a_link_behind_sign_in(
    save: Save, client: Client, mailoutbox: list[mail.EmailMessage], monkeypatch: Any
):
    monkeypatch.setattr(schedule, "LARGEST_ATTACHMENT", 10)
    saved = save()
    fire()
    [sent] = mailoutbox
    assert not sent.attachments
    url = address(saved.connection, "run-file", ReportRun.objects.get().key).rstrip("?")
    assert url in sent.body
    assert client.get(url).status_code == 200
    assert Client().get(url).status_code == 302


@database
def test_a_failure_is_told_by_mail(
    faulty: Connection, save: Save, fault_server: FaultServer, mailoutbox: list[mail.EmailMessage]
):
    fault_server.always(answer(401, {"code": 124, "message": "Invalid access token."}))
    save(faulty, slug="telephone")
    fire()
    [sent] = mailoutbox
    assert "Failed" in sent.subject
    assert not sent.attachments
    run = ReportRun.objects.get()
    assert run.state == "failed"
    assert run.reason.split(".")[0] in sent.body


@database
def test_whoever_is_deactivated_loses_their_schedules(
    save: Save, mailoutbox: list[mail.EmailMessage]
):
    saved = save()
    saved.owner.is_active = False
    saved.owner.save()
    fire()
    assert not SavedReport.objects.exists()
    assert not mailoutbox


@database
def test_a_connection_takes_its_schedules_along(save: Save):
    saved = save()
    saved.connection.delete()
    assert not SavedReport.objects.exists()


@database
def test_report_goes_to_chosen_colleagues_too(
    save: Save, mailoutbox: list[mail.EmailMessage], monkeypatch: Any
):
    monkeypatch.setattr(schedule, "LARGEST_ATTACHMENT", 10)
    saved = save()
    chosen, limited, other = (
        member(f"{name}@example.com", Role.ADMINISTRATOR) for name in ("one", "two", "three")
    )
    for person, limits in ((chosen, []), (limited, ["Sales"]), (other, [])):
        share_with(saved.connection, person, Role.ADMINISTRATOR, departments=limits)
    edit = address(saved.connection, "saved-edit", str(saved.pk))
    page = admin_client_for(saved.owner).get(edit).text
    assert chosen.email in page
    assert limited.email not in page
    saved.recipients.set([chosen, limited])
    fire()
    [sent] = mailoutbox
    assert sent.to == [saved.owner.email, chosen.email]
    url = address(saved.connection, "run-file", ReportRun.objects.get().key)
    assert admin_client_for(chosen).get(url).status_code == 200
    assert admin_client_for(other).get(url).status_code == 404


@database
def test_a_report_is_saved_from_its_page(client: Client, connection: Connection):
    url = address(connection, "saved-new", report="hosts", query="q=ann")
    data = {"name": "Hosts", "slug": "hosts", "subject": "", "query": "q=ann"}
    data |= {"frequency": "weekly", "weekday": "2", "day": "1", "hour": "8", "file": "xlsx"}
    form = client.get(url)
    assert form.status_code == 200
    assert "---" not in form.text
    assert client.post(url, data).status_code in (302, 303)
    saved = SavedReport.objects.get()
    assert (saved.slug, saved.query, saved.weekday, saved.hour) == ("hosts", "q=ann", 2, 8)
    page = client.get(address(connection, "saved")).content.decode()
    assert "Hosts" in page
    edit = address(connection, "saved-edit", str(saved.pk))
    assert saved.name in client.get(edit).text
    changed = {**data, "name": "Renamed", "frequency": "daily", "slug": "daily", "query": "q=eve"}
    assert client.post(edit, changed).status_code in (302, 303)
    before = (saved.slug, saved.query)
    saved.refresh_from_db()
    assert (saved.name, saved.frequency) == ("Renamed", "daily")
    assert (saved.slug, saved.query) == before, "what it is of stays"
    assert client.post(address(connection, "saved-send", str(saved.pk))).status_code in (302, 303)
    assert ReportRun.objects.count() == 1
    assert client.post(address(connection, "saved-delete", str(saved.pk))).status_code in (302, 303)
    assert not SavedReport.objects.exists()
    entries = AuditEntry.objects.filter(operation__in=(Act.REPORT_SAVED, Act.REPORT_DELETED))
    known = [(one.operation, one.email, one.object_label) for one in entries]
    owner = connection.owner.email
    assert known == [
        (Act.REPORT_DELETED, owner, "Renamed"),
        (Act.REPORT_SAVED, owner, "Renamed"),
        (Act.REPORT_SAVED, owner, "Hosts"),
    ]


@given(
    st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)),
    st.sampled_from(["daily", "weekly", "monthly"]),
    st.sampled_from(ZONES),
    st.integers(0, 23),
    st.integers(1, 31),
)
def test_it_is_due_at_its_hour_of_its_zone(
    now: datetime, frequency: str, zone: str, hour: int, day: int
):
    saved = SavedReport(frequency=frequency, zone=zone, hour=hour, day=day, weekday=day % 7)
    at = next_time(saved, now)
    local = at.astimezone(ZoneInfo(zone))
    assert now < at <= now + timedelta(days=32)
    assert local.hour in (hour, hour + 1), "an hour that the clocks leave out is the next one"
    if frequency == "weekly":
        assert local.weekday() == day % 7
    first, last = days_of(saved, at)
    assert first <= last < local.date()
    lengths = {"daily": 1, "weekly": 7}
    assert Span(first, last).days == lengths.get(frequency, Span(first, last).days)
    if frequency == "monthly":
        assert (first.day, last) == (1, local.date().replace(day=1) - timedelta(days=1))


def test_a_month_without_the_day_is_told_on_its_last():
    saved = SavedReport(frequency="monthly", zone="UTC", hour=7, day=31)
    at = next_time(saved, datetime(2027, 2, 1, tzinfo=UTC))
    assert at.date() == date(2027, 2, 28)
