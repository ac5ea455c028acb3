"""The report on one session says what the service says of it."""

from datetime import UTC, datetime, timedelta

import pytest

from portal.reports.models import StoredWindow
from portal.reports.services.session import SessionAnswer, poll_counts
from tests.reports.pages import address, table_of, words_of
from tests.support.fault_server import answer, depending
from tests.support.sandbox_state import in_path, pages, read

pytestmark = pytest.mark.django_db(transaction=True)

TODAY = datetime.now(UTC).date()
FAMILIES = pytest.mark.parametrize("family", ["meeting", "webinar"])


def held(sandbox, family):
    """The session with the most participants of the last month."""
    asked = {"type": "past", "from": TODAY - timedelta(days=30), "to": TODAY, "page_size": 300}
    found = read(sandbox.client, f"/metrics/{family}s", **asked)[f"{family}s"]
    return max(found, key=lambda one: one["participants"])


def participants(sandbox, family, uuid):
    path = f"/report/{family}s/{in_path(uuid)}/participants"
    for page in pages(sandbox.client, path, page_size=300):
        yield from page["participants"]


@FAMILIES
def test_raw_rows_are_those_of_the_service(client, connection, sandbox, family):
    uuid = held(sandbox, family)["uuid"]
    url = address(connection, f"{family}-participants-export", uuid, "csv", columns="all")
    expected = [one["id"] for one in participants(sandbox, family, uuid)]
    rows = table_of(client, url)
    assert sorted(row["Participant ID"] for row in rows) == sorted(expected)


@FAMILIES
def test_attendance_has_each_person_once(client, connection, sandbox, family):
    uuid = held(sandbox, family)["uuid"]
    text = words_of(client, address(connection, family, uuid))
    assert "Attendance" in text
    url = address(connection, f"{family}-export", uuid, "csv", columns="all", came="came")
    rows = [row for row in table_of(client, url) if row["Came"] != "false"]
    stays = list(participants(sandbox, family, uuid))
    emails = {one["user_email"].casefold() for one in stays if one["user_email"]}
    assert {row["Email"].casefold() for row in rows if row["Email"]} == emails
    assert sum(int(row["Times joined"]) for row in rows) == len(stays)


@FAMILIES
@pytest.mark.parametrize("part", ["polls", "questions"])
def test_answers_are_those_of_the_service(client, connection, sandbox, family, part):
    if (family, part) == ("meeting", "questions"):
        return
    uuid = held(sandbox, family)["uuid"]
    page = words_of(client, address(connection, f"{family}-{part}", uuid))
    name = "qa" if part == "questions" else part
    report = read(sandbox.client, f"/report/{family}s/{in_path(uuid)}/{name}")
    expected = [
        (one["name"], each["question"])
        for one in report["questions"]
        for each in one["question_details"]
    ]
    rows = table_of(client, address(connection, f"{family}-{part}-export", uuid, "csv"))
    assert sorted((row["Name"], row["Question"]) for row in rows) == sorted(expected)
    assert ("answered" in page) == (part == "polls" and bool(expected))


def test_answers_to_a_poll_are_counted_one_by_one():
    given = ("Mon;Tue", "Tue", "", "Tue; Wed")
    [poll] = poll_counts(SessionAnswer("Ada", "", "Which day?", one) for one in given)
    assert (poll.question, poll.people) == ("Which day?", 4)
    assert poll.answers[0] == ("Tue", 3)
    assert dict(poll.answers[1:]) == {"Mon": 1, "Wed": 1}


def test_a_session_that_is_long_over_is_kept_for_good(client, connection, sandbox):
    asked = {"type": "past", "from": TODAY - timedelta(days=40), "to": TODAY - timedelta(days=12)}
    uuid = read(sandbox.client, "/metrics/meetings", **asked)["meetings"][0]["uuid"]
    words_of(client, address(connection, "meeting", uuid))
    old = datetime.now(UTC) - timedelta(days=300)
    StoredWindow.objects.update(read_at=old)
    words_of(client, address(connection, "meeting", uuid))
    assert set(StoredWindow.objects.values_list("read_at", flat=True)) == {old}


def test_hostile_words_add_nothing_to_page_or_file(client, faulty, fault_server):
    evil = "<script>alert(1)</script>"
    right = "\N{RIGHT-TO-LEFT OVERRIDE}gnp.exe" + "x" * 10_000

    def service(seen):
        if seen.path.endswith("/participants"):
            row = {"id": "1", "name": evil, "user_email": "=cmd|' /C calc'!A0"}
            row |= {"join_time": "2026-03-01T10:00:00Z", "leave_time": "2026-03-01T10:10:00Z"}
            return answer(200, {"participants": [row], "total_records": 1})
        if seen.path.endswith(("/polls", "/qa")):
            given = [{"question": right, "answer": "@SUM(1)"}, {"question": None}]
            return answer(200, {"questions": [{"name": evil, "question_details": given}]})
        if "registrants" in seen.path:
            return answer(404, {"code": 3001, "message": "None."})
        return answer(200, {"uuid": "u", "topic": evil, "start_time": "2026-03-01T10:00:00Z"})

    fault_server.always(depending(service))
    for name in ("meeting", "meeting-participants", "meeting-polls", "webinar-questions"):
        html = client.get(address(faulty, name, "u")).content.decode()
        assert evil not in html
        assert "&lt;script&gt;" in html
    file = client.get(address(faulty, "meeting-export", "u", "csv", columns="all"))
    assert b"'=cmd" in file.getvalue()
    file = client.get(address(faulty, "meeting-polls-export", "u", "csv", columns="all"))
    assert b"'@SUM" in file.getvalue()


def test_a_session_that_is_not_there_is_not_found(client, connection):
    assert client.get(address(connection, "meeting", "none/none==")).status_code == 404
