"""Sessions and messages by period and person, as the service archived them."""

import json
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from portal.ui import range_reading
from tests.support.chat_pages import address, looks, open_archive
from tests.support.dashboard_pages import days, reported, rows_in, seen_in, table_of, words_of
from tests.support.fault_server import answer, depending
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db

TODAY = datetime.now(UTC).date()
Json = dict[str, Any]


def archive(sandbox, first, last):
    """Every message that the service has of days of GMT, with its session; a month at a time."""
    found: dict[tuple[str, str], tuple[str, Json]] = {}
    day = first
    while day <= last:
        end = min(last, (day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(1))
        asked = {"from": day, "to": end}
        for session in reported(sandbox, "/im/chat/sessions", "sessions", **asked):
            path = f"/im/chat/sessions/{session['session_id']}"
            for message in reported(sandbox, path, "messages", **asked):
                key = (session["session_id"], json.dumps(message, sort_keys=True))
                found[key] = (session["session_id"], message)
        day = end + timedelta(days=1)
    return list(found.values())


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland"])
def test_a_file_has_each_message_of_the_viewers_days_once(reader, connection, sandbox, zone):
    first, last = TODAY - timedelta(days=40), TODAY - timedelta(days=2)
    url = address(connection, "messages-export", "csv", columns="all", **days(first, last))
    rows = table_of(seen_in(zone, reader), url)

    def is_within(message):
        moment = datetime.fromisoformat(message["date_time"]).astimezone(ZoneInfo(zone))
        return first <= moment.date() <= last

    around = archive(sandbox, first - timedelta(days=1), last + timedelta(days=1))
    expected = [
        (session, message["sender"], message["message"])
        for session, message in around
        if is_within(message)
    ]
    had = [(row["Session ID"], row["Sender"], row["Message"]) for row in rows]
    assert sorted(had) == sorted(expected)
    assert had


def test_a_session_leads_to_its_messages(reader, connection, sandbox):
    lately = {"from": TODAY - timedelta(days=29), "to": TODAY}
    session = next(reported(sandbox, "/im/chat/sessions", "sessions", **lately))
    listed = reader.get(address(connection, "list", period="30-days")).content.decode()
    url = address(connection, "session", session["session_id"], period="30-days")
    assert url in listed
    page = reader.get(url)
    assert session["name"] in words_of(page.content)
    assert rows_in(page.content.decode()) > 0
    assert looks()[-1].object_label == f"Messages of {session['name']}"
    assert looks()[-1].object_id == session["session_id"]


def message(text="Hello", sender="ada@north.example", **given):
    moment = datetime.now(UTC).replace(microsecond=0)
    return {"sender": sender, "message": text, "date_time": moment.isoformat(), **given}


def chat(*messages, sessions=1):
    """An archive in which these messages stand in each session."""

    def choose(seen):
        if not seen.path.endswith("/sessions"):
            return answer(200, {"next_page_token": "", "messages": list(messages)})
        last = datetime.now(UTC).isoformat()
        listed = [
            {
                "session_id": f"s{number}",
                "name": f"Session {number}",
                "type": "1:1",
                "last_message_sent_time": last,
            }
            for number in range(sessions)
        ]
        return answer(200, {"next_page_token": "", "sessions": listed})

    return depending(choose)


@pytest.fixture
def opened(client, faulty):
    open_archive(client, faulty)
    return client


def test_edits_and_deletions_are_shown_as_such(opened, faulty, fault_server):
    later = datetime.now(UTC).isoformat()
    fault_server.always(
        chat(
            message("Plain"),
            message("Second thoughts", action="edit", action_time=later),
            message("Gone", action="delete", action_time=later),
            message("Odd", action="pinned"),
        )
    )
    url = address(faulty, "session", "s0", period="today")
    text = words_of(opened.get(url).content)
    assert "Edited" in text
    assert "Deleted" in text
    assert "pinned" in text
    only = opened.get(f"{url}&change=delete").content.decode()
    assert rows_in(only) == 1
    assert "Gone" in only


def test_messages_are_searched_by_words_and_sender(opened, faulty, fault_server):
    fault_server.always(
        chat(message("The budget"), message("The weather", "bob@north.example"), sessions=3)
    )
    page = opened.get(address(faulty, "messages", period="today", q="BUDGET")).content.decode()
    assert rows_in(page) == 3
    page = opened.get(address(faulty, "messages", period="today", person="bob")).content.decode()
    assert rows_in(page) == 3
    assert "The budget" not in page


def test_hostile_messages_add_nothing_to_page_or_file(opened, faulty, fault_server):
    long = "long " * 2000
    texts = ["<script>alert(1)</script>", "=cmd|'/c calc'!A1", "\u202egnp.exe", "a\x00b", long]
    fault_server.always(chat(*(message(text) for text in texts)))
    html = opened.get(address(faulty, "session", "s0", period="today")).content.decode()
    assert "<script>alert" not in html
    assert rows_in(html) == len(texts)
    assert html.count(long.strip()) == 1
    url = address(faulty, "session-export", "s0", "csv", period="today")
    content = opened.get(url).getvalue().decode("utf-8-sig")
    assert "'=cmd" in content


def test_a_failing_service_is_said_and_what_was_read_is_kept(opened, faulty, fault_server):
    fault_server.always(chat(message("Kept words")))
    url = address(faulty, "messages", period="today")
    assert "Kept words" in opened.get(url).content.decode()
    fault_server.always(answer(503, {"message": "down"}))
    opened.post(address(faulty, "list-refresh", period="today"))
    page = words_of(opened.get(url).content)
    assert "Kept words" in page


def test_what_is_kept_of_the_archive_is_encrypted(opened, faulty, fault_server, monkeypatch):
    kept: list[object] = []
    cache = SimpleNamespace(get=lambda _key: None, set=lambda _key, value, _for: kept.append(value))
    monkeypatch.setattr(range_reading, "cache", cache)
    fault_server.always(chat(message("A canary of the archive")))
    assert "A canary" in opened.get(address(faulty, "messages", period="today")).content.decode()
    assert len(kept) == 2
    assert not any("canary" in repr(value) or "Session 0" in repr(value) for value in kept)


def test_it_is_read_once_for_paging_and_search(opened, faulty, fault_server):
    fault_server.always(chat(message(), sessions=4))
    url = address(faulty, "messages", period="today")
    opened.get(url)
    asked = len(fault_server.requests)
    opened.get(f"{url}&q=hello&sort=-sent")
    assert len(fault_server.requests) == asked


def test_somebody_elses_archive_is_not_found(operator, connection):
    assert admin_client_for(operator).get(address(connection, "list")).status_code == 404
