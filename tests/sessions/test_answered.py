"""Settings of a new session that the service reports otherwise than they were sent."""

import pytest

from portal.contract.meetings import MeetingDetails, NewMeeting
from portal.meetings.spec import MEETINGS
from portal.sessions.services.answered import not_taken
from tests.sessions.test_create import Service, spec_url
from tests.support.fault_server import answer
from tests.support.html import form_with, text_of

SENT = {
    "enforce_login": True,
    "host_video": True,
    "audio": "both",
    "alternative_hosts": "a@x.de, b@x.de",
}


def said(sent, answered, **beside):
    wanted = NewMeeting.model_validate({"topic": "T", "settings": sent})
    details = {"id": 1, "settings": answered, **beside}
    return not_taken(wanted, MeetingDetails.model_validate(details, extra="allow"))


def test_settings_that_were_not_taken_are_named_with_both_values():
    answered = {
        **SENT,
        "enforce_login": False,
        "audio": "voip",
        "alternative_hosts": "B@x.de,a@x.de",
    }
    words = said(SENT, answered)
    assert words.startswith("The service did not take every setting.")
    assert "Sign-in required: Off instead of On" in words
    assert "Audio" in words
    assert "Host video" not in words
    assert "Alternative hosts" not in words


@pytest.mark.parametrize("answered", [SENT, {}, {"other": 1}])
def test_what_is_as_sent_or_not_reported_is_no_difference(answered):
    assert said(SENT, answered) == ""


def test_password_of_the_service_is_named_without_its_value():
    words = said({}, {}, password="hush-4711")
    assert "Password: set by the service" in words
    assert "hush-4711" not in words


@pytest.mark.django_db
def test_the_page_of_a_new_meeting_says_what_was_not_taken(client, faulty, fault_server):
    made = {"id": 123456789, "topic": "Budget review", "host_id": "u1"}
    Service(fault_server, answer(201, {**made, "settings": {"enforce_login": False}}))
    form = form_with(client.get(spec_url(faulty, MEETINGS, "create")).text, "topic")
    form.values |= {
        "topic": "Budget review",
        "host": "u1",
        "start_time": "2038-03-01T09:00",
        "timezone": "UTC",
        "settings.enforce_login": "true",
    }
    page = client.post(form.action, form.values, follow=True)
    assert "Sign-in required: Off instead of On" in text_of(page.text)
