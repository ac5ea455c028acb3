"""A session on the dashboard: who is in it, what they share, and how well it goes."""

import csv
import io
import re
from typing import Any

import pytest
from django.urls import reverse

from portal.config import cache
from portal.dashboards.models import StoredSample
from portal.dashboards.services.session import readings
from tests.dashboards.session_service import NOW, UUID, measured, participant, service
from tests.support.fault_server import answer, depending, no_answer
from tests.support.html import text_of
from tests.support.random_service import RandomService, seeds

pytestmark = pytest.mark.django_db
NOUNS = pytest.mark.parametrize("noun", ["meeting", "webinar"])
DAYS = {"from": "2020-01-01", "to": "2038-01-01", "page_size": 100}


@pytest.fixture(autouse=True)
def read_anew(monkeypatch):
    """Nothing that was read is fresh for long, so that each page asks."""
    monkeypatch.setattr(readings, "_FRESH", {"live": 0.0, "past": 0.0})


def url(connection, name, *ids, **query):
    address = reverse(f"dashboards:{name}", args=[connection.key, *ids])
    return f"{address}?{'&'.join(f'{key}={value}' for key, value in query.items())}"


def held(sandbox, noun, which):
    """The largest one, with its participants."""
    answered = sandbox.client.get(f"/metrics/{noun}s", params={**DAYS, "type": which}).json()
    found: dict[str, Any] = max(answered[f"{noun}s"], key=lambda one: one["participants"])
    return found


@pytest.mark.whole_pages
@NOUNS
@pytest.mark.parametrize("which", ["live", "past"])
def test_its_pages_show_what_the_service_has(client, connection, sandbox, noun, which):
    session = held(sandbox, noun, which)
    named = str(session["id"]) if which == "live" else session["uuid"]
    found = client.get(url(connection, noun, named))
    assert found.status_code in {302, 303}
    assert found["Location"].endswith(f"?type={which}")
    html = client.get(found["Location"]).text
    assert session["topic"] in text_of(html)
    listed = reverse(
        "dashboards:now" if which == "live" else "dashboards:past", args=[connection.key]
    )
    assert re.findall(r'nav-link active" href="([^"]+)"', html) == [listed]
    rows = re.findall(r'<a class="row-link" href="([^"]+)">([^<]+)</a>', html)
    assert rows
    assert html.count("session-lane") >= 1
    assert 'id="list-export"' in html
    sharing = client.get(url(connection, f"{noun}-sharing", named, type=which))
    assert sharing.status_code == 200
    quality = client.get(url(connection, f"{noun}-quality", named, type=which))
    assert "participants." in text_of(quality.text)
    assert not re.search(r"\d\*\d", text_of(quality.text))
    assert StoredSample.objects.filter(connection=connection).exists()
    address, name = rows[0]
    person = client.get(address.replace("&amp;", "&"))
    assert person.status_code == 200
    assert "data-chart-plot" in person.text
    assert name in person.text


def test_one_that_ended_while_it_was_open_leads_to_how_it_was(client, faulty, fault_server):
    ada = participant("Ada")
    fault_server.always(service([ada]))
    address = url(faulty, "meeting", "123", type="live")
    assert "Live" in client.get(address).text
    fault_server.always(service([participant("Ada", left=2)], live=False))
    ended = client.get(address)
    assert ended.status_code in (302, 303)
    assert ended["Location"] == url(faulty, "meeting", UUID, type="past")
    assert "This meeting has ended." in client.get(ended["Location"]).text


def test_one_that_is_not_there_is_not_found(client, faulty, fault_server):
    fault_server.always(answer(404, {"code": 3001, "message": "No such meeting."}))
    assert client.get(url(faulty, "meeting", "5")).status_code == 404
    assert client.get(url(faulty, "meeting-quality", "5", type="past")).status_code == 404


def test_who_joins_again_stays_in_their_lane(client, faulty, fault_server):
    people = [participant("Ada", 30, 20), participant("Ada", 10, 3), participant("Bob", 25, 3)]
    fault_server.always(service(people, live=False))
    html = client.get(url(faulty, "meeting", UUID, type="past")).text
    lanes = re.findall(r'<svg class="session-lane".*?</svg>', html, re.DOTALL)
    assert [lane.count('class="session-stay"') for lane in lanes] == [2, 1]
    assert html.count('class="row-link"') == 3


def test_who_left_a_live_session_stays_in_sight(client, faulty, fault_server):
    cache.delete("session-seen")
    address = url(faulty, "meeting", "123", type="live")
    ada, bob = participant("Ada"), participant("Bob")
    fault_server.always(service([ada, bob]))
    client.get(address)
    fault_server.always(service([bob]))
    said = text_of(client.get(address).text)
    assert "1 in it now of 2 participants" in said
    assert "About" in said


def test_what_was_shared_stands_in_the_lane_of_who_shared_it(client, faulty, fault_server):
    ada = participant("Ada")
    details = [{"content": "Roadmap.pptx", "start_time": ada["join_time"], "end_time": "-"}]
    shared = [{"id": ada["id"], "user_id": "user-Ada", "user_name": "Ada", "details": details}]
    fault_server.always(service([ada, participant("Bob")], sharing=shared))
    html = client.get(url(faulty, "meeting", "123", type="live")).text
    assert html.count('<rect class="session-share" x=') == 1
    assert "Shared Roadmap.pptx since" in html
    tab = text_of(client.get(url(faulty, "meeting-sharing", "123", type="live")).text)
    assert "Roadmap.pptx" in tab
    assert "Unknown (-)" in tab


def test_participants_are_searched_sorted_and_taken_along(client, faulty, fault_server):
    people = [
        participant("Ada", network_type="Wired"),
        participant("Bob"),
        participant("=cmd()", 5),
    ]
    fault_server.always(service(people))
    asked = {"type": "live", "network": "Wifi", "sort": "-name"}
    html = client.get(url(faulty, "meeting", "123", **asked)).text
    names = re.findall(r'class="row-link" href="[^"]+">([^<]+)<', html)
    assert names == ["Bob", "=cmd()"]
    file = client.get(url(faulty, "meeting-export", "123", "csv", **asked, columns="all"))
    content = b"".join(file.streaming_content).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(content)))
    assert {row["Name"] for row in rows} == {"Bob", "'=cmd()"}
    assert rows[0]["Joined"].startswith(f"{NOW.year}-")


def test_however_many_watch_the_service_is_asked_once(client, faulty, fault_server, monkeypatch):
    monkeypatch.setattr(readings, "_FRESH", {"live": 60.0, "past": 60.0})
    fault_server.always(service([participant("Ada")]))
    for _ in range(5):
        assert client.get(url(faulty, "meeting", "123", type="live")).status_code == 200
    assert len(fault_server.requests) == 3  # the session, its participants, what they share


def test_while_the_service_is_down_the_last_picture_stays(client, faulty, fault_server):
    ada = participant("Ada")
    fault_server.always(service([ada], qualities=[measured(ada, "20 ms")]))
    names = ("meeting", "meeting-quality")
    for name in names:
        client.get(url(faulty, name, "123", type="live"))
    fault_server.always(answer(503, {"message": "Down"}))
    for name in names:
        html = client.get(url(faulty, name, "123", type="live")).text
        assert "Ada" in html
        assert "The conferencing service failed" in html
        assert "Shown is what was loaded" in text_of(html)
        assert "alert-warning" not in html, "it would push the rows down"


def test_a_service_that_never_answered_is_said_to_be_down(client, faulty, fault_server):
    fault_server.always(no_answer())
    found = client.get(url(faulty, "meeting", "123", type="live"))
    assert found.status_code >= 500
    assert "service" in text_of(found.text)


@pytest.mark.parametrize("seed", seeds(0, 1, all_of=6))
@NOUNS
def test_answers_that_make_no_sense_are_shown(client, faulty, fault_server, seed, noun):
    fault_server.always(depending(RandomService(seed)))
    for part in ("", "-sharing", "-quality"):
        for which in ("live", "past"):
            found = client.get(url(faulty, f"{noun}{part}", "123", type=which))
            assert found.status_code in (200, 302, 303, 404), text_of(found.text)
            assert "-4711" not in found.text
    found = client.get(
        url(faulty, f"{noun}-quality", "123", type="live", at="1890-01-01T00:00:00Z")
    )
    assert found.status_code in (200, 302, 303, 404)


def test_who_waits_to_be_admitted_is_not_in_it(client, faulty, fault_server):
    once = {"user_id": "16778240", "id": ""}
    waits = {"status": "in_waiting_room"}
    people = [
        participant("Ada", 30, **once),
        participant("Bob", 30, 20, id="", user_id="16779264", **waits),
        participant("Bob", 20, id="", user_id="16780288", status="in_meeting"),
        participant("Eve", 10, id="", user_id="16781312", **waits),
    ]
    fault_server.always(service(people))
    html = client.get(url(faulty, "meeting", "123", type="live")).text
    assert "2 in it now of 2 participants" in text_of(html)
    assert "In the waiting room" in text_of(html)
    lanes = re.findall(r'<svg class="session-lane".*?</svg>', html, re.DOTALL)
    assert [lane.count('class="session-stay"') for lane in lanes] == [1, 1]
