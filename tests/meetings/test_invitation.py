"""The invitation to a meeting."""

import pytest

from portal.meetings.spec import MEETINGS
from tests.support.html import text_of
from tests.support.session_pages import url

pytestmark = pytest.mark.django_db

START = {"start_time": "2038-03-22T09:00:00", "timezone": "Europe/Berlin", "duration": 45}


def test_an_invitation_is_the_services_own_text(planner, make_session):
    made = make_session(MEETINGS, topic="Tea & <b>cake</b>", password="hush-1", **START)
    page = planner.client.get(url(planner.connection, made, "invitation"))
    assert "no-store" in page.headers["Cache-Control"]
    assert "Topic: Tea & <b>cake</b>" in text_of(page.text)
    assert "<b>cake" not in page.text
    assert "Password: hush-1" in text_of(page.text)
