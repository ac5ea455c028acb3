"""Times keep their zone, and several choices are made with check boxes."""

import pytest

from portal.contract.meetings import MeetingUpdate, NewMeeting
from portal.contract.recurrence import Recurrence
from portal.contract.tracking_fields import TrackingField
from portal.contract.webhooks import Webhook, WebhookUpdate
from portal.ui.forms import contract_form

EVENTS = ["meeting_started", "meeting_ended"]
LOCAL, GMT = "2026-03-29T02:30:00", "2026-03-29T02:30:00Z"


def test_a_time_is_asked_for_with_its_day():
    assert 'type="datetime-local"' in str(contract_form(NewMeeting)()["start_time"])


@pytest.mark.parametrize(("typed", "sent"), [(LOCAL[:16], LOCAL), (GMT, GMT)])
def test_a_new_time_is_sent_in_the_zone_that_was_typed(typed, sent):
    form = contract_form(NewMeeting)({"start_time": typed, "timezone": "Europe/Berlin"})
    assert form.is_valid(), form.errors
    assert form.model().sent()["start_time"] == sent


@pytest.mark.parametrize("now", [LOCAL, GMT])
def test_a_changed_time_keeps_its_zone(now):
    made = contract_form(MeetingUpdate, fields=["start_time"])
    assert 'value="2026-03-29T02:30"' in str(made(initial={"start_time": now})["start_time"])

    form = made({"start_time": "2026-03-30T08:00"}, initial={"start_time": now})
    assert form.is_valid(), form.errors
    assert form.changes().sent() == {"start_time": now.replace("29T02:30", "30T08:00")}


@pytest.mark.parametrize("now", [LOCAL, GMT])
def test_a_time_that_is_left_alone_is_not_sent(now):
    made = contract_form(MeetingUpdate, fields=["start_time"])
    form = made({"start_time": "2026-03-29T02:30"}, initial={"start_time": now})
    assert form.is_valid(), form.errors
    assert form.changes() is None


def test_a_time_in_gmt_says_so():
    made = contract_form(MeetingUpdate, fields=["start_time"])
    assert "This one is in GMT." in made(initial={"start_time": GMT})["start_time"].help_text
    assert "This one is" not in made(initial={"start_time": LOCAL})["start_time"].help_text


def test_seconds_are_kept():
    made = contract_form(MeetingUpdate, fields=["start_time"])
    shown = str(made(initial={"start_time": "2026-03-29T02:30:15Z"})["start_time"])
    assert 'value="2026-03-29T02:30:15"' in shown


def test_an_end_is_in_gmt_without_being_reported():
    form = contract_form(Recurrence)({"type": "1", "end_date_time": "2026-03-29T02:30"})
    assert form.is_valid(), form.errors
    assert form.model().sent()["end_date_time"] == GMT


def test_what_is_no_time_is_said_at_the_field():
    form = contract_form(NewMeeting)({"start_time": "tomorrow"})
    assert "start_time" in form.errors
    assert form["start_time"].value() == "tomorrow"


def test_several_choices_are_boxes_with_what_each_means():
    drawn = str(contract_form(Webhook)()["events"])
    assert drawn.count('type="checkbox"') == 9
    assert "Attendee waiting" in drawn
    assert "An attendee has joined before the host." in drawn


def test_choices_that_are_left_alone_are_not_sent():
    made = contract_form(WebhookUpdate, fields=["events"])
    unchanged = made({"events": EVENTS[::-1]}, initial={"events": EVENTS})
    assert unchanged.is_valid(), unchanged.errors
    assert unchanged.changes() is None

    fewer = made({"events": EVENTS[:1]}, initial={"events": EVENTS})
    assert fewer.is_valid(), fewer.errors
    assert fewer.changes().sent() == {"events": EVENTS[:1]}


def test_choice_that_nobody_knows_is_kept_while_it_is_left_alone():
    made = contract_form(WebhookUpdate, fields=["events"])
    known = {"events": ["meeting_started", "lunch_served"]}
    assert 'value="lunch_served" ' in str(made(initial=known)["events"])
    form = made({"events": known["events"]}, initial=known)
    assert form.is_valid(), form.errors
    assert form.changes() is None


def test_choices_that_somebody_else_changed_are_shown():
    made = contract_form(WebhookUpdate, fields=["events", "url"])
    opened = made(initial={"events": EVENTS, "url": "https://a.example"})
    data = {"events": EVENTS, "url": "https://b.example", "was": opened.initial["was"]}
    form = made(data, initial={"events": EVENTS[:1], "url": "https://a.example"})
    assert form.is_valid(), form.errors
    assert form.changes().sent() == {"url": "https://b.example"}


def test_what_is_wrong_with_one_value_of_list_is_said_at_list():
    form = contract_form(TrackingField)()
    assert form.field_named("recommended_values.1") == "recommended_values"


def test_optional_object_asks_for_nothing_until_begun():
    made = contract_form(NewMeeting, fields=["topic", "recurrence"])
    assert made({"topic": "Stand-up"}).is_valid()
    begun = made({"topic": "Stand-up", "recurrence.repeat_interval": "2"})
    assert begun.errors == {"recurrence.type": ["This field is required."]}
