"""The times that a session was held, who was there, and what was recorded."""

import csv
import io
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import resolve

from portal.access.models import Connection
from portal.audit.models import AuditEntry
from portal.webinars.spec import WEBINARS
from tests.support.fault_server import answer, depending
from tests.support.html import text_of
from tests.support.session_pages import spec_url, url

pytestmark = pytest.mark.django_db

TODAY = datetime.now(UTC).date()
PANEL = {"HX-Request": "true", "HX-Target": "panel"}
HALF_A_YEAR = {"from": str(TODAY - timedelta(days=190)), "to": str(TODAY)}


def _past(sandbox, spec):
    asked = {**HALF_A_YEAR, "type": "past", "page_size": 300}
    return list(sandbox.client.get(f"/metrics/{spec.family}", params=asked).json()[spec.family])


@pytest.fixture
def held(sandbox, spec):
    """A time held that many came to; with a slash in its UUID where there is one."""
    found = sorted(_past(sandbox, spec), key=lambda one: ("/" in one["uuid"], one["participants"]))
    return found[-1]


def test_the_times_held_are_listed_and_lead_to_each(client, connection, spec, sandbox):
    numbers = dict.fromkeys(str(one["id"]) for one in _past(sandbox, spec))
    number = next(
        number
        for number in numbers
        if sandbox.client.get(f"/{spec.family}/{number}").status_code == 200
    )
    page = client.get(spec_url(connection, spec, "held", number))
    answer = sandbox.client.get(f"/past_{spec.family}/{number}/instances").json()[spec.family]
    assert answer
    for one in answer:
        assert f'href="{spec_url(connection, spec, "held-one", number, one["uuid"])}"' in page.text


def test_one_time_reports_when_it_was_and_who_was_there(client, connection, spec, held):
    page = client.get(spec_url(connection, spec, "held-one", str(held["id"]), held["uuid"]))
    assert page.status_code == 200
    shown = text_of(page.text)
    assert held["uuid"] in shown
    assert held["host"] in shown
    people = page.context["participants"].people
    assert people
    assert all(one.name in shown for one in people)


def test_everybody_who_was_there_is_taken_along_as_a_file(client, connection, spec, held):
    where = (str(held["id"]), held["uuid"])
    page = client.get(spec_url(connection, spec, "held-one", *where))
    file = client.get(spec_url(connection, spec, "held-export", *where, "csv"))
    rows = list(csv.DictReader(io.StringIO(b"".join(file).decode("utf-8-sig"))))
    assert len(rows) == page.context["participants"].total
    assert {one.id for one in page.context["participants"].people} <= {
        row["Participant ID"].removeprefix("'") for row in rows
    }
    assert not any("%" in row.get("Attentiveness (%)", "") for row in rows), "numbers"
    assert AuditEntry.objects.filter(operation="list.export").count() == 1
    assert client.get(spec_url(connection, spec, "held-export", *where, "pdf")).status_code == 404


@pytest.mark.parametrize("uuid", ["abc", "/a==", "a//b+c==", "ä/%2F?#", "../.."])
def test_a_uuid_of_any_kind_survives_the_way_through_an_address(connection, spec, uuid):
    address = spec_url(connection, spec, "held-one", "123", uuid)
    assert "//" not in address
    assert resolve(address).kwargs["uuid"] == uuid


def test_what_is_no_uuid_is_not_found(client, connection, spec):
    for nonsense in ("%C3%A4", "a", "__-_"):
        address = f"{spec_url(connection, spec, 'held', '123')}{nonsense}/"
        assert client.get(address).status_code == 404


def test_many_participants_are_listed_page_by_page(client, connection, spec, fault_server):
    pages = {"": (["Ada", "Bob"], "next"), "next": (["Eve"], ""), "old": None}

    def respond(seen):
        if not seen.path.endswith("participants"):
            return answer(200, {"id": 123, "uuid": "u", "topic": "Budget", "host_id": "h"})
        page = pages[seen.query.get("next_page_token", "")]
        if page is None:
            return answer(400, {"message": "Expired."})
        people = [{"id": who, "name": who} for who in page[0]]
        return answer(200, {"participants": people, "next_page_token": page[1], "total_records": 3})

    fault_server.always(depending(respond))
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    here = spec_url(connection, spec, "held-one", "123", "u")
    first = client.get(here)
    assert "More participants" in first.text
    assert "?token=next" in first.text
    second = client.get(here, {"token": "next"})
    assert "Eve" in second.text
    assert "First page" in second.text
    assert "More participants" not in second.text
    expired = client.get(here, {"token": "old"}, follow=True)
    assert expired.redirect_chain == [(here, 303)]
    assert "has expired" in expired.text


def test_a_session_that_was_not_held_says_so(client, connection, spec, make_session):
    made = make_session(spec)
    assert "No past instances" in client.get(url(connection, made, "held")).text
    assert "No cloud recordings" in client.get(url(connection, made, "recordings")).text


def _recorded(sandbox):
    for user in sandbox.people():
        asked = {"from": str(TODAY - timedelta(days=170)), "to": str(TODAY)}
        found = sandbox.client.get(f"/users/{user['id']}/recordings", params=asked).json()
        if found["meetings"]:
            return dict(found["meetings"][0])
    pytest.fail("the sandbox has no recordings")


def test_recordings_are_listed_with_links_to_watch(client, connection, sandbox, fault_server):
    data = _recorded(sandbox)
    page = client.get(f"/c/{connection.key}/meetings/{data['id']}/recordings/", headers=PANEL)
    assert page.status_code == 200
    found = sandbox.client.get(f"/meetings/{data['id']}/recordings").json()["recording_files"]
    assert found
    for file in found:
        assert f'href="{file["play_url"]}"' in page.text
        assert "download" not in page.text


def test_an_address_that_is_not_of_the_web_is_no_link(faulty, client, fault_server):
    hostile = {
        "play_url": "javascript:alert(1)",
        "recording_type": "<b>x</b>",
        "recording_start": "2026-13-45T99:99:99Z",
    }
    fault_server.always(answer(200, {"uuid": "u", "recording_files": [hostile]}))
    page = client.get(f"/c/{faulty.key}/meetings/123/recordings/", headers=PANEL)
    assert "javascript:" not in page.text
    assert "<b>x" not in page.text


def test_rows_of_the_waiting_room_say_so(client, faulty, fault_server):
    rows = [
        {"id": "1", "name": "Bob", "duration": 600, "status": "in_waiting_room"},
        {"id": "2", "name": "Bob", "duration": 1740, "status": "in_meeting"},
    ]
    served = {"participants": rows, "uuid": "u", "total_records": 2}
    fault_server.always(answer(200, served))
    page = client.get(spec_url(faulty, WEBINARS, "held-one", "5", "u"))
    assert "Rows of the waiting room are no attendance." in text_of(page.text)
    file = client.get(spec_url(faulty, WEBINARS, "held-export", "5", "u", "csv"))
    found = csv.DictReader(io.StringIO(b"".join(file).decode("utf-8-sig")))
    assert [(one["Seconds present"], one["Status"]) for one in found] == [
        ("0", "In the waiting room"),
        ("1740", "In the session"),
    ]
