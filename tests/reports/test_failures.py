"""Faults of a service while a report is read cost no row, make no double, and are named."""

from datetime import UTC, date, datetime, timedelta

import pytest

from portal.access.http import Origin
from portal.connections.api import api_for
from portal.jobs.models import JobState
from portal.reports.models import StoredReport
from portal.reports.services.fetching import ReportWindow, gather, lacking, request_reading
from portal.reports.services.rows import gaps, rows_of
from portal.reports.services.sources import PERSON, TELEPHONE
from portal.reports.windows import Span
from tests.reports.pages import address, days, words_of
from tests.support.database_faults import database_that_takes_nothing
from tests.support.fault_server import answer, depending
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db(transaction=True)

TODAY = datetime.now(UTC).date()
MONTH = next(Span(TODAY.replace(day=1) - timedelta(days=40), TODAY).months())
YEAR = Span(TODAY - timedelta(days=360), TODAY)


def meeting(number):
    start = f"{MONTH.first}T10:00:{number:02}Z"
    return {"uuid": f"u{number}", "id": number, "topic": f"T{number}", "start_time": start}


def page(numbers, token, total):
    rows = [meeting(number) for number in numbers]
    data = {"meetings": rows, "next_page_token": token, "total_records": total, "page_size": 300}
    return answer(200, data)


def test_a_token_that_expires_costs_no_row_and_no_double(faulty, fault_server):
    pages = {"": page(range(10), "a", 30), "b": page(range(20, 30), "", 30)}
    expired = [True]

    def service(seen):
        token = seen.query.get("next_page_token", "")
        if token == "a":
            return page(range(10, 20), "b", 30)
        if token == "b" and expired:
            expired.clear()
            return answer(400, {"code": 300, "message": "The token has expired."})
        return pages[token]

    fault_server.always(depending(service))
    wanted = ReportWindow(PERSON, MONTH, "host")
    found = gather(whole(faulty), api_for(whole(faulty)), [wanted], Origin(faulty.owner))
    assert found.fault is None
    uuids = sorted(row.data["uuid"] for row in rows_of(whole(faulty), wanted))
    assert uuids == sorted(f"u{number}" for number in range(30))
    assert not gaps(faulty, wanted)


def call(day, number=0):
    start = f"{day}T12:00:{number:02}Z"
    return {"meeting_id": number, "phone_number": "+1", "call_in_number": "2", "start_time": start}


def calls(seen, reported=None):
    """A call on each day."""
    span = Span(date.fromisoformat(seen.query["from"]), date.fromisoformat(seen.query["to"]))
    rows = [call(day) for day in span.each()] if seen.query.get("page_number", "1") == "1" else []
    total = span.days if reported is None else reported
    data = {"telephony_usage": rows, "total_records": total, "page_number": 1, "page_size": 300}
    return answer(200, data)


def test_days_that_are_refused_are_named_and_others_are_there(faulty, fault_server, work):
    refused = list(YEAR.months())[2]

    def service(seen):
        if refused.has(date.fromisoformat(seen.query["from"])):
            return answer(400, {"code": 300, "message": "This month is being archived."})
        return calls(seen)

    fault_server.always(depending(service))
    wanted = ReportWindow(TELEPHONE, YEAR)
    job = work(request_reading(faulty, Origin(faulty.owner), [wanted]))
    assert job.state == JobState.DONE
    [gap] = gaps(faulty, wanted)
    assert (gap.span, gap.reason) == (refused, "This month is being archived.")
    days = {row.day for row in rows_of(whole(faulty), wanted)}
    assert days == set(YEAR.each()) - set(refused.each())
    assert lacking(faulty, wanted) == [], "it is not read again so soon"


def test_a_list_that_is_shorter_than_it_says_is_named(faulty, fault_server):
    fault_server.always(depending(lambda seen: calls(seen, reported=500)))
    wanted = ReportWindow(TELEPHONE, MONTH)
    gather(whole(faulty), api_for(whole(faulty)), [wanted], Origin(faulty.owner))
    [gap] = gaps(faulty, wanted)
    assert "500 rows" in gap.reason
    assert rows_of(whole(faulty), wanted).count() == MONTH.days


def test_what_is_listed_beside_the_days_is_left_out(faulty, fault_server):
    """Else it would be there twice, once it is read with its own days."""
    rows = [call(MONTH.first - timedelta(days=40)), call(MONTH.first)]
    data = {"telephony_usage": rows, "total_records": 2, "page_number": 1, "page_size": 300}
    fault_server.always(answer(200, data))
    wanted = ReportWindow(TELEPHONE, MONTH)
    gather(whole(faulty), api_for(whole(faulty)), [wanted], Origin(faulty.owner))
    assert [row.day for row in rows_of(whole(faulty), wanted)] == [MONTH.first]


def test_a_service_that_is_down_leaves_what_is_kept(faulty, fault_server):
    fault_server.always(depending(calls))
    wanted = ReportWindow(TELEPHONE, MONTH)
    gather(whole(faulty), api_for(whole(faulty)), [wanted], Origin(faulty.owner))
    fault_server.always(answer(503, {"message": "Down."}))
    week = ReportWindow(TELEPHONE, Span(MONTH.first - timedelta(days=3), MONTH.last))
    found = gather(whole(faulty), api_for(whole(faulty)), [week], Origin(faulty.owner))
    assert found.fault is not None
    assert rows_of(whole(faulty), week).count() == MONTH.days
    [gap] = gaps(faulty, week)
    assert gap.span.days == 3


def test_odd_values_are_kept_as_far_as_a_database_can(faulty, fault_server):
    row = {
        "meeting_id": 10**30,
        "phone_number": "+1\0",
        "host_name": "=1+1",
        "duration": 10**20,
        "dept": "\ud83d\ude00",
        "total": "a lot",
    }
    data = {"telephony_usage": [row | {"start_time": f"{MONTH.first}T00:00:00Z"}, {}]}
    fault_server.always(answer(200, data | {"total_records": 2, "page_number": 1}))
    wanted = ReportWindow(TELEPHONE, MONTH)
    found = gather(whole(faulty), api_for(whole(faulty)), [wanted], Origin(faulty.owner))
    assert found.fault is None
    assert rows_of(whole(faulty), wanted).count() >= 1
    assert rows_of(whole(faulty), wanted, search="=1+1\0").count() == 1


@pytest.mark.parametrize("report", ["daily", "hosts"])
def test_first_look_says_that_nothing_can_be_stored(client, faulty, fault_server, report):
    with database_that_takes_nothing():
        words = words_of(client, address(faulty, report, **days(YEAR.first, YEAR.last)))
        words += words_of(client, address(faulty, report, **days(TODAY, TODAY)))
    assert words.count("Switchboard cannot save changes") == 2
    assert words.count("So nothing new can be loaded here.") == 2
    assert not StoredReport.objects.exists()
