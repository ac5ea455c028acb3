"""Instant meetings, which run as soon as they are made: listed as live, and ended."""

from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.meetings.spec import MEETINGS
from portal.mirror.models import MirrorState
from portal.sessions import mirror
from tests.support.html import text_of
from tests.support.session_pages import spec_url, url

pytestmark = pytest.mark.django_db


def test_running_sessions_are_asked_for_though_lists_are_old(client, connection, make_session):
    state, long_ago = mirror.state_of(connection), timezone.now() - timedelta(minutes=22)
    MirrorState.objects.filter(pk=state.pk).update(refreshed_at=long_ago)
    running = make_session(MEETINGS, type=1, topic="Started just now")
    waiting = make_session(MEETINGS, topic="Not started")
    page = client.get(spec_url(connection, MEETINGS, "list"), {"when": "live"})
    assert url(connection, running) in page.text
    assert url(connection, waiting) not in page.text
    assert "running, as the service said just now" in text_of(page.text)


def test_a_session_that_runs_says_so_and_can_be_ended(client, connection, make_session):
    made = make_session(MEETINGS, type=1)
    page = client.get(url(connection, made))
    assert "Live since" in text_of(page.text)
    assert url(connection, made, "end") in page.text


def test_a_meeting_that_runs_is_ended(client, connection, make_session, sandbox):
    made = make_session(MEETINGS, type=1)
    address = url(connection, made, "end")
    assert "disconnected immediately" in text_of(client.get(address).text)
    assert 'href="https://example.org' not in client.get(f"{address}?next=https://example.org").text
    here = f"{reverse('dashboards:now', args=[connection.key])}?kind=meetings"
    ended = client.post(f"{address}?{urlencode({'next': here})}")
    assert ended.headers["Location"] == here, "who ends it on Live stays there"
    live = sandbox.client.get(f"/users/{made.now()['host_id']}/meetings").json()
    assert live["meetings"] == []
