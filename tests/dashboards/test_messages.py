"""The use of instant messages: what each person's numbers come to over all that was asked for."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.support.dashboard_pages import (
    address,
    days,
    reported,
    rows_in,
    seen_in,
    sent,
    table_of,
    words_of,
)
from tests.support.fault_server import answer, depending

pytestmark = pytest.mark.django_db

TODAY = datetime.now(UTC).date()
LATELY = {"period": "7-days"}


def use(number, **given):
    return {
        "user_id": f"u{number}",
        "user_name": f"Person {number}",
        "email": f"p{number}@north.example",
        "total_send": number,
        "total_receive": 2 * number,
        **given,
    }


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland"])
def test_is_what_the_service_counts_over_all_windows(client, connection, sandbox, zone):
    first, last = TODAY - timedelta(days=45), TODAY - timedelta(days=2)
    expected: dict[str, int] = {}
    day = first
    while day <= last:
        end = min(last, (day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(1))
        found = reported(sandbox, "/metrics/im", "users", **{"from": day, "to": end})
        for one in found:
            expected[one["user_id"]] = expected.get(one["user_id"], 0) + one["total_send"]
        day = end + timedelta(days=1)

    url = address(connection, "messages-export", "csv", columns="all", **days(first, last))
    rows = table_of(seen_in(zone, client), url)
    assert {row["User ID"]: int(row["Sent"]) for row in rows} == expected != {}


def test_is_of_the_days_of_gmt_and_says_so(client, connection):
    page = seen_in("Pacific/Auckland", client).get(address(connection, "messages", **LATELY))
    text = words_of(page.content)
    assert text.count("(GMT)") == 1


def test_leads_to_people_and_puts_those_who_write_most_first(client, faulty, fault_server):
    page = {"next_page_token": "", "users": [use(1), use(3), use(2, total_send=-4711)]}
    fault_server.always(answer(200, page))
    html = sent(client, address(faulty, "messages", period="today"))
    places = [html.index(f"Person {number}") for number in (3, 1, 2)]
    assert places == sorted(places)
    assert rows_in(html) == 3
    assert "4711" not in words_of(html.encode())
    assert "Unknown" in html


def test_a_person_of_whom_a_part_is_unknown_has_no_sum(client, faulty, fault_server):
    """Two months; a number of one of them makes no sense."""

    def choose(seen):
        is_first = seen.query["from"].endswith("-01")
        users = [use(5, total_send=-1 if is_first else 5)]
        return answer(200, {"next_page_token": "", "users": users})

    fault_server.always(depending(choose))
    url = address(
        faulty, "messages-export", "csv", columns="all", **days("2026-02-20", "2026-03-04")
    )
    [row] = table_of(client, url)
    assert row["Sent"] == ""
    assert row["Received"] == "20"


def test_a_failing_service_is_said_and_nothing_counts_as_zero(client, faulty, fault_server):
    fault_server.always(answer(503, {"message": "down"}))
    response = client.get(address(faulty, "messages", **LATELY))
    text = words_of(response.content)
    assert response.status_code == 200
    assert "Nothing of these days could be loaded" in text
    assert "people who wrote" not in text
