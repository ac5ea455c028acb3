"""Reports of some days, as pages and files: what they say is what the service says."""

from datetime import UTC, datetime, timedelta
from io import BytesIO

import pytest
from openpyxl import load_workbook

from portal.audit.models import AuditEntry
from portal.jobs.models import Job
from portal.reports.windows import Span
from tests.reports.pages import address, days, seen_in, table_of, words_of
from tests.support import report_truth as truth
from tests.support.fault_server import answer, depending

pytestmark = pytest.mark.django_db(transaction=True)

TODAY = datetime.now(UTC).date()
MONTH = next(Span(TODAY.replace(day=1) - timedelta(days=20), TODAY).months())
LONG = Span(TODAY - timedelta(days=150), TODAY - timedelta(days=2))


def total(rows, name):
    return sum(int(row[name]) for row in rows)


def test_daily_use_of_a_month(client, connection, sandbox):
    asked = days(MONTH.first, MONTH.last)
    text = words_of(client, address(connection, "daily", **asked))
    expected = truth.daily(sandbox, MONTH)
    assert f"{sum(one['meetings'] for one in expected):,}" in text
    rows = table_of(client, address(connection, "daily-export", "csv", columns="all", **asked))
    assert total(rows, "Participants") == sum(one["participants"] for one in expected)
    assert len(rows) == MONTH.days


def test_hosts_of_months_have_the_sums_of_the_service(client, connection, sandbox, work):
    asked = days(LONG.first, LONG.last)
    html = words_of(client, address(connection, "hosts", **asked))
    assert "days are being loaded. The report fills up" in html
    work(Job.objects.get())
    html = words_of(client, address(connection, "hosts", **asked))
    assert "days are being loaded" not in html
    rows = table_of(client, address(connection, "hosts-export", "csv", columns="all", **asked))
    expected, page = truth.hosts(sandbox, LONG)
    assert {row["User ID"] for row in rows} == {one["id"] for one in expected}
    assert total(rows, "Participant minutes") == page["total_meeting_minutes"]
    assert f"{page['total_meetings']:,}" in html


def test_inactive_hosts_of_months_are_those_of_the_service(client, connection, sandbox, work):
    asked = days(LONG.first, TODAY)
    words_of(client, address(connection, "inactive", **asked))
    work(Job.objects.get())
    url = address(connection, "inactive-export", "csv", columns="all", **asked)
    expected, _ = truth.hosts(sandbox, Span(LONG.first, TODAY), "inactive")
    assert {row["User ID"] for row in table_of(client, url)} == {one["id"] for one in expected}


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland", "America/New_York"])
def test_calls_are_those_of_the_viewers_days(client, connection, sandbox, zone):
    first, last = TODAY - timedelta(days=20), TODAY - timedelta(days=4)
    asked = days(first, last)
    client = seen_in(zone, client)
    words_of(client, address(connection, "telephone", **asked))
    url = address(connection, "telephone-export", "csv", columns="all", **asked)
    wide = Span(first - timedelta(days=2), last + timedelta(days=2))
    expected = truth.on_days(truth.calls(sandbox, wide), first, last, zone)
    rows = table_of(client, url)
    assert sorted(row["Number"] for row in rows) == sorted(one["phone_number"] for one in expected)
    assert total(rows, "Minutes") == sum(one["duration"] for one in expected)


def test_a_persons_meetings_lead_to_their_reports(client, connection, sandbox):
    person = truth.busiest_host(sandbox, MONTH)
    asked = days(MONTH.first, MONTH.last)
    html = client.get(address(connection, "person", person, **asked)).content.decode()
    expected = truth.meetings_of(sandbox, person, MONTH)
    url = address(connection, "person-export", person, "csv", columns="all", **asked)
    rows = table_of(client, url)
    assert {row["UUID"] for row in rows} == {one["uuid"] for one in expected}
    assert total(rows, "Participant minutes") == sum(one["total_minutes"] for one in expected)
    assert "/reports/meeting" in html or "/reports/webinar" in html
    file = client.get(address(connection, "person-export", person, "xlsx", columns="all", **asked))
    assert f" {MONTH.first} to {MONTH.last}.xlsx" in file["Content-Disposition"]
    sheet = load_workbook(BytesIO(b"".join(file.streaming_content))).active
    heads = {cell.value: sheet.cell(2, cell.column) for cell in sheet[1]}
    assert heads["Start (UTC)"].is_date
    assert heads["End (UTC)"].is_date


def test_storage_is_a_chart_and_a_file(client, connection, sandbox):
    first = TODAY - timedelta(days=25)
    asked = days(first, TODAY)
    html = client.get(address(connection, "storage", **asked)).content.decode()
    assert 'id="chart-storage"' in html
    url = address(connection, "storage-export", "csv", columns="all", **asked)
    answered = sandbox.client.get(
        "/report/cloud_recording", params={"from": str(first), "to": str(TODAY)}
    ).json()["cloud_recording_storage"]
    rows = sorted(table_of(client, url), key=lambda row: row["Day (GMT)"])
    assert [f"{float(row['Used (GB)']):.2f} GB" for row in rows] == [
        one["usage"] for one in answered
    ]


@pytest.mark.parametrize("sort", ["start", "-duration", "host", "-charge", "country"])
def test_calls_are_sorted_and_searched_in_the_database(client, connection, sandbox, sort):
    asked = days(MONTH.first, MONTH.last)
    words_of(client, address(connection, "telephone", sort=sort, **asked))
    country = truth.calls(sandbox, MONTH)[0]["country_name"]
    url = address(connection, "telephone-export", "csv", q=country.upper(), **asked)
    rows = table_of(client, url)
    assert rows
    assert {row["Country"] for row in rows} == {country}


def test_a_period_is_compared_with_the_one_before(client, connection, sandbox, work):
    asked = days(MONTH.first, MONTH.last)
    url = address(connection, "daily", compare="before", **asked)
    words_of(client, url)
    for job in Job.objects.all():
        work(job)
    text = words_of(client, url)
    before = Span(MONTH.first - timedelta(days=MONTH.days), MONTH.first - timedelta(days=1))
    now, then = (
        sum(one["meetings"] for one in truth.daily(sandbox, span)) for span in (MONTH, before)
    )
    sign = "▲" if now > then else "▼"
    assert sign in text or now == then
    assert f"before: {then:,}" in text
    assert "compared with" in words_of(client, address(connection, "daily", **asked))
    apart = words_of(client, address(connection, "daily", compare="none", **asked))
    assert "compared with" not in apart


def test_a_file_is_in_the_audit_trail(client, connection):
    asked = days(MONTH.first, MONTH.last)
    words_of(client, address(connection, "daily", **asked))
    file = client.get(address(connection, "daily-export", "xlsx", columns="all", **asked))
    sheet = load_workbook(BytesIO(b"".join(file.streaming_content))).active
    assert sheet.max_row == MONTH.days + 1
    assert (sheet.title, sheet["A1"].value, sheet["A2"].is_date) == ("Daily use", "Day (GMT)", True)
    named = f'filename="Daily use {MONTH.first} to {MONTH.last}.xlsx"'
    assert named in file["Content-Disposition"]
    entry = AuditEntry.objects.latest("sequence")
    assert "report-daily" in str(entry.changes if hasattr(entry, "changes") else entry.__dict__)


def test_what_is_kept_is_shown_while_the_service_is_down(client, faulty, fault_server):
    fault_server.always(answer(503, {"message": "Down."}))
    text = words_of(client, address(faulty, "telephone", period="7-days"))
    assert "Some days are missing" in text
    assert "Not loaded." in text


@pytest.mark.parametrize("name", ["index", "people"])
def test_other_pages_open(client, connection, name):
    assert "Meetings of a person" in words_of(client, address(connection, name))


EVIL = "<script>alert(1)</script>"
TURNED = "\N{RIGHT-TO-LEFT OVERRIDE}gnp.exe"


def hostile_report(seen):
    """One row of whichever report is asked for, and nothing in it that is a plain word."""
    paged = {"page_number": 1, "page_size": 300, "total_records": 1, "next_page_token": ""}
    start = f"{seen.query['from']}T10:00:00Z"
    formula, long = "=cmd|' /C calc'!A0", "long " * 2000
    if seen.path.endswith("/telephone"):
        row = {"meeting_id": 1, "host_name": EVIL, "host_email": formula, "dept": long}
        row |= {"phone_number": "@SUM(1)", "country_name": TURNED, "start_time": start}
        return answer(200, {**paged, "telephony_usage": [row]})
    if seen.path.endswith("/meetings"):
        row = {"uuid": "a", "id": 1, "type": 2, "topic": EVIL, "user_name": long}
        row |= {"user_email": formula, "start_time": start}
        return answer(200, {**paged, "meetings": [row]})
    row = {"id": "u", "type": 2, "user_name": EVIL, "email": formula, "dept": TURNED + long}
    return answer(200, {**paged, "users": [{**row, "meetings": 1, "meeting_minutes": 9}]})


@pytest.mark.parametrize(
    ("name", "subject"), [("telephone", []), ("hosts", []), ("inactive", []), ("person", ["u"])]
)
def test_hostile_words_add_nothing_to_page_or_file(client, faulty, fault_server, name, subject):
    fault_server.always(depending(hostile_report))
    asked = {"period": "yesterday"}
    html = client.get(address(faulty, name, *subject, **asked)).content.decode()
    assert EVIL not in html
    assert "&lt;script&gt;" in html
    assert html.count('data-key="') <= 1
    assert len(html) < 200_000
    url = address(faulty, f"{name}-export", *subject, "csv", columns="all", **asked)
    file = client.get(url).getvalue().decode("utf-8-sig")
    assert "'=cmd" in file
    assert len(table_of(client, url)) == 1


def test_empty_report_says_what_it_means(client, faulty, fault_server):
    page = {"from": str(TODAY), "to": str(TODAY), "page_count": 0, "page_number": 1}
    page |= {"page_size": 300, "total_records": 0}
    fault_server.always(answer(200, {**page, "users": [], "telephony_usage": []}))
    for name, words in (("inactive", "Nobody was inactive"), ("telephone", "No calls")):
        assert words in words_of(client, address(faulty, name, period="yesterday"))


def test_report_of_unknown_days_says_nothing_of_them(client, faulty, fault_server):
    fault_server.always(answer(400, {"code": 300, "message": "This month is being archived."}))
    assert "Nobody was inactive" not in words_of(
        client, address(faulty, "inactive", period="yesterday")
    )
