"""Saved reports are sent when they are due, in their owner's zone; failures are mailed as well."""

import re
from collections.abc import Callable
from csv import DictReader
from datetime import UTC, date, datetime, timedelta
from io import BytesIO, StringIO
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import dateformat
from hypothesis import given, strategies as st
from openpyxl import load_workbook

from portal.access.models import Connection
from portal.access.roles import Role
from portal.audit.acts import Act
from portal.audit.models import AuditEntry
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
from tests.support.fault_server import answer
from tests.support.html import form_with, text_of
from tests.support.portal import admin_client_for, member
from tests.support.shares import share_with

database = pytest.mark.django_db(transaction=True)
Save = Callable[..., SavedReport]
ZONES = ("UTC", "Pacific/Auckland", "America/New_York", "Asia/Kathmandu")


@pytest.fixture
def save(connection):
    """A saved report that is due."""

    def make(home=connection, **given):
        data = {"name": "Use", "slug": "daily", "frequency": "monthly", "file": "csv", **given}
        now = datetime.now(UTC)
        return SavedReport.objects.create(
            connection=home, owner=home.owner, next_at=now - timedelta(minutes=1), **data
        )

    return make


@database
def test_reports_of_many_owners_are_checked_by_two_queries(
    save, connection, django_assert_num_queries
):
    for name in "abc":
        colleague = member(f"{name}@example.com", Role.VIEWER)
        share_with(connection, colleague)
        SavedReport.objects.filter(pk=save().pk).update(owner=colleague)
    with django_assert_num_queries(2):
        SCHEDULES.before_sweep()
    assert SavedReport.objects.count() == 3


def fire(work=None):
    """Runs the scheduler's sweeps and the workers, until nothing is left that they can do."""
    SCHEDULES.before_sweep()
    for saved in SavedReport.objects.filter(SCHEDULES.waiting()):
        schedule.begin(saved.pk)
    for _ in range(3):
        ReportRun.objects.update(leased_until=None)
        for run in ReportRun.objects.filter(RUNS.waiting()):
            schedule.send(run.pk)
        for job in Job.objects.all() if work else ():
            work(job)


def last_month():
    last = datetime.now(UTC).date().replace(day=1) - timedelta(days=1)
    return Span(last.replace(day=1), last)


@database
def test_a_report_that_is_due_is_mailed_with_its_file(save, sandbox, mailoutbox):
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
    html = str(sent.alternatives[0][0])
    assert html.count("Open in Switchboard") == 1
    assert re.search(r'text-align:right;white-space:nowrap">[\d,]+</td>', html), "figures"
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
def test_a_long_report_waits_for_its_job(save, sandbox, work, mailoutbox, monkeypatch):
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
    save, sandbox, work, mailoutbox, client
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
def test_a_large_file_is_a_link_behind_sign_in(save, client, mailoutbox, monkeypatch):
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
def test_a_failure_is_told_by_mail(faulty, save, fault_server, mailoutbox):
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
def test_whoever_is_deactivated_loses_their_schedules(save, mailoutbox):
    saved = save()
    saved.owner.is_active = False
    saved.owner.save()
    fire()
    assert not SavedReport.objects.exists()
    assert not mailoutbox


@database
def test_a_connection_takes_its_schedules_along(save):
    saved = save()
    saved.connection.delete()
    assert not SavedReport.objects.exists()


@database
def test_report_goes_to_chosen_colleagues_too(save, mailoutbox, monkeypatch):
    monkeypatch.setattr(schedule, "LARGEST_ATTACHMENT", 10)
    saved = save()
    chosen, limited, other = (
        member(f"{name}@example.com", Role.ADMINISTRATOR) for name in ("one", "two", "three")
    )
    for person, limits in ((chosen, []), (limited, ["Sales"]), (other, [])):
        share_with(saved.connection, person, Role.ADMINISTRATOR, departments=limits)
    edit = address(saved.connection, "saved-edit", str(saved.pk))
    page = admin_client_for(saved.owner).get(edit).text
    offered = re.findall(r'name="recipients" value="(\d+)"', page)
    assert offered == [str(chosen.pk), str(other.pk)], "neither the owner nor one who sees less"
    saved.recipients.set([chosen, limited])
    fire()
    [sent] = mailoutbox
    assert sent.to == [saved.owner.email, chosen.email]
    url = address(saved.connection, "run-file", ReportRun.objects.get().key)
    assert admin_client_for(chosen).get(url).status_code == 200
    assert admin_client_for(other).get(url).status_code == 404


@database
def test_report_about_person_out_of_scope_says_so(save, connection, sandbox, mailoutbox):
    viewer = member("viewer@example.com", Role.ADMINISTRATOR)
    share_with(connection, viewer, departments=["Legal"])
    refresh(USERS.request(connection).pk)
    outside = MirroredUser.objects.filter(connection=connection).exclude(dept="Legal").first()
    saved = save(slug="person", subject=outside.user_id)
    SavedReport.objects.filter(pk=saved.pk).update(owner=viewer)
    fire()
    [sent] = mailoutbox
    assert "no longer includes the person of this report" in sent.body
    assert not sent.attachments


@database
def test_a_report_is_saved_from_its_page(client, connection):
    url = address(connection, "saved-new", report="hosts", query="q=ann")
    data = {"name": "Hosts", "slug": "hosts", "subject": "", "query": "q=ann&period=7-days"}
    data |= {"frequency": "weekly", "weekday": "2", "day": "1", "hour": "8", "file": "xlsx"}
    form = client.get(url)
    assert form.status_code == 200
    assert "---" not in form.text
    assert form_with(form.text, "frequency").values["frequency"] == "weekly"
    of_month = client.get(
        address(connection, "saved-new", report="hosts", query="period=last-month")
    )
    assert form_with(of_month.text, "frequency").values["frequency"] == "last-month"
    data["idempotency_key"] = form_with(form.text, "name").values["idempotency_key"]
    for _press in range(2):
        assert client.post(url, data).status_code in (302, 303)
    saved = SavedReport.objects.get()
    assert (saved.slug, saved.query, saved.weekday, saved.hour) == ("hosts", data["query"], 2, 8)
    page = text_of(client.get(address(connection, "saved")).text)
    listed = f"({saved.zone}) Filters: Search: ann Emailed to: {connection.owner.email}"
    assert listed in page
    edit = address(connection, "saved-edit", str(saved.pk))
    assert saved.name in client.get(edit).text
    changed = {**data, "name": "Renamed", "frequency": "daily", "slug": "daily", "query": "q=eve"}
    assert client.post(edit, changed).status_code in (302, 303)
    before = (saved.slug, saved.query)
    saved.refresh_from_db()
    assert (saved.name, saved.frequency) == ("Renamed", "daily")
    assert (saved.slug, saved.query) == before, "what it is of stays"
    send = address(connection, "saved-send", str(saved.pk))
    key = form_with(client.get(send).text, "idempotency_key").values["idempotency_key"]
    for _press in range(2):
        assert client.post(send, {"idempotency_key": key}).status_code in (302, 303)
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
    st.sampled_from(["daily", "weekly", "last-month", "monthly"]),
    st.sampled_from(ZONES),
    st.integers(0, 23),
    st.integers(1, 31),
)
def test_it_is_due_at_its_hour_of_its_zone(now, frequency, zone, hour, day):
    saved = SavedReport(frequency=frequency, zone=zone, hour=hour, day=day, weekday=day % 7)
    at = next_time(saved, now)
    local = at.astimezone(ZoneInfo(zone))
    assert now < at <= now + timedelta(days=32)
    assert local.hour in (hour, hour + 1), "an hour that the clocks leave out is the next one"
    if frequency in ("weekly", "last-month"):
        assert local.weekday() == day % 7
    first, last = days_of(saved, at)
    assert first <= last < local.date()
    lengths = {"daily": 1, "weekly": 7}
    assert Span(first, last).days == lengths.get(frequency, Span(first, last).days)
    if frequency in ("last-month", "monthly"):
        assert (first.day, last) == (1, local.date().replace(day=1) - timedelta(days=1))


def test_a_month_without_the_day_is_told_on_its_last():
    saved = SavedReport(frequency="monthly", zone="UTC", hour=7, day=31)
    at = next_time(saved, datetime(2027, 2, 1, tzinfo=UTC))
    assert at.date() == date(2027, 2, 28)
