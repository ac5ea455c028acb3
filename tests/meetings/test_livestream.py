"""A meeting's live stream: set up, started and stopped, its key kept nowhere."""

import pytest
from django.urls import reverse

from portal.audit.models import AuditEntry
from portal.meetings.spec import MEETINGS
from tests.support.fault_server import answer, depending
from tests.support.html import form_with, forms, text_of
from tests.support.portal import admin_client_for
from tests.support.session_pages import url

pytestmark = pytest.mark.django_db

KEY = "live-key-93751"
PLACE = {
    "stream_url": "rtmp://stream.example/in",
    "stream_key": KEY,
    "page_url": "https://watch.example/budget",
}


@pytest.fixture
def meeting(make_session):
    return make_session(MEETINGS)


@pytest.fixture
def placed(client, connection, meeting):
    done = client.post(url(connection, meeting, "livestream-place"), PLACE)
    assert done.status_code == 303


def _invitation(sandbox, meeting):
    """The service reports a running stream in the invitation alone."""
    return str(sandbox.client.get(f"/meetings/{meeting.id}/invitation").json()["invitation"])


def test_a_stream_is_set_up_and_its_key_is_kept_nowhere(client, connection, meeting):
    tab = url(connection, meeting, "livestream")
    assert "Not set up through Switchboard" in client.get(tab).text
    done = client.post(url(connection, meeting, "livestream-place"), PLACE, follow=True)
    assert done.redirect_chain == [(tab, 303)]
    shown = text_of(done.text)
    assert f'data-copy="{PLACE["page_url"]}"' in done.text
    assert "Not started" in shown
    assert "administrator@example.com" in shown
    assert KEY not in done.text
    again = client.get(url(connection, meeting, "livestream-place")).text
    typed = form_with(again, "stream_key").values
    assert typed["stream_url"] == PLACE["stream_url"]
    assert typed["stream_key"] == ""
    [entry] = AuditEntry.objects.filter(operation="meetings.update_livestream", intent=None)
    assert KEY not in f"{entry.sent}{entry.before}"


def test_a_stream_starts_with_what_it_shows_and_stops(client, connection, meeting, sandbox, placed):
    start, stop = (
        url(connection, meeting, "livestream-start"),
        url(connection, meeting, "livestream-stop"),
    )
    shown = {"display_name": "Budget, live", "active_speaker_name": "true"}
    started = client.post(start, shown, follow=True)
    assert "Started" in text_of(started.text)
    assert "Budget, live" in started.text
    assert PLACE["page_url"] in _invitation(sandbox, meeting)
    [entry] = AuditEntry.objects.filter(operation="meetings.change_livestream_status", intent=None)
    assert entry.sent["settings"] == {"display_name": "Budget, live", "active_speaker_name": True}
    stopped = client.post(stop, follow=True)
    assert "Stopped" in text_of(stopped.text)
    assert PLACE["page_url"] not in _invitation(sandbox, meeting)


def test_a_stream_without_address_is_neither_started_nor_stopped(client, connection, meeting):
    for name in ("livestream-start", "livestream-stop"):
        address = url(connection, meeting, name)
        page = client.get(address)
        assert "Set the stream address first" in text_of(page.text)
        assert not [form for form in forms(page.text) if form.action == address]
        refused = client.post(address, {"display_name": "Live"}, follow=True)
        assert "Set the stream address first" in text_of(refused.text)
    sent = AuditEntry.objects.filter(operation="meetings.change_livestream_status")
    assert not sent.exists()
    assert (
        "Not set up through Switchboard" in client.get(url(connection, meeting, "livestream")).text
    )


def test_what_the_form_refuses_is_said_and_stays_typed(client, connection, meeting, placed):
    too_long = client.post(url(connection, meeting, "livestream-start"), {"display_name": "x" * 51})
    assert "at most 50 characters" in too_long.text
    missing = client.post(url(connection, meeting, "livestream-place"), PLACE | {"stream_key": ""})
    assert missing.status_code == 422
    assert "This field is required." in missing.text
    assert form_with(missing.text, "stream_url").values["stream_url"] == PLACE["stream_url"]


def test_a_viewer_sees_what_is_known_and_changes_nothing(viewer, connect, meeting, placed):
    mine = connect(viewer)
    page = admin_client_for(viewer).get(url(mine, meeting, "livestream"))
    assert page.status_code == 200
    assert "livestream/" not in page.text.partition('aria-labelledby="stream-title"')[2]


def test_stream_that_is_reported_is_shown_without_its_key(faulty, fault_server, administrator):
    faulty.dialect = "current"
    faulty.save()
    meeting = {"id": 81234567890, "topic": "Budget", "type": 2, "uuid": "u==", "host_id": "h1"}

    def reported(seen):
        return answer(200, PLACE if seen.path.split("?")[0].endswith("/livestream") else meeting)

    fault_server.always(depending(reported))
    own = admin_client_for(administrator)
    tab = reverse("meetings:livestream", args=[faulty.key, meeting["id"]])
    page = own.get(tab).text
    assert f'data-copy="{PLACE["stream_url"]}"' in page
    assert "Set, not shown here" in text_of(page)
    assert KEY not in page
    assert reverse("meetings:livestream-start", args=[faulty.key, meeting["id"]]) in page
    nothing = {"stream_url": "", "stream_key": "", "page_url": ""}
    fault_server.always(
        depending(lambda seen: answer(200, nothing if "livestream" in seen.path else meeting))
    )
    assert "No live stream is set up" in text_of(own.get(tab).text)
