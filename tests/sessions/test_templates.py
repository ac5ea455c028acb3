"""Templates: kept from a session or a form, private, without a date or a password."""

import pytest

from portal.sessions.models import SessionTemplate
from tests.support.html import form_with, text_of
from tests.support.portal import admin_client_for, member
from tests.support.session_pages import spec_url, typed, url

pytestmark = pytest.mark.django_db


def only_one():
    return SessionTemplate.objects.get()


def test_a_session_becomes_a_template_that_others_begin_with(planner, spec, host, make_session):
    weekly = {"type": 2, "weekly_days": "4", "end_times": 5}
    made = make_session(
        spec,
        type=int(spec.series),
        recurrence=weekly,
        duration=20,
        password="hush-1",
        settings={"approval_type": 0},
        start_time="2038-03-03T09:00:00",
        timezone="Asia/Tokyo",
    )
    address = url(planner.connection, made, "template-new")
    assert planner.client.post(address, {"name": "Weekly <tea>"}).status_code == 303
    kept = only_one()
    assert "hush-1" not in str(kept.values)
    assert "start_time" not in str(kept.values)
    listed = planner.get(planner.url(spec, "templates"))
    assert "Weekly &lt;tea&gt;" in listed
    begun = typed(
        form_with(planner.get(planner.url(spec, "create"), template=str(kept.pk)), "topic")
    )
    assert (begun.values["host"], begun.values["duration"]) == (host.id, "20")
    assert (begun.values["timezone"], begun.values["recurrence.end_times"]) == ("Asia/Tokyo", "5")
    again = {"start_time": "2038-06-02T09:00"}
    data = planner.made_by(planner.send(begun, **again), spec)
    assert len(data["occurrences"]) == 5
    assert data["settings"]["approval_type"] == 0


def test_a_form_becomes_a_template_even_if_it_is_not_complete(planner, spec, host):
    form = planner.filled_in(spec, host, start_time="", topic="Kept", password="hush-1")
    kept = planner.send(form, keep="yes", template_name="Mine", duration="25")
    assert "Template “Mine” saved." in text_of(kept.text)
    assert form_with(kept.text, "topic").values["topic"] == "Kept"
    assert "hush-1" not in str(only_one().values)
    begun = form_with(
        planner.get(planner.url(spec, "create"), template=str(only_one().pk)), "topic"
    )
    assert (begun.values["topic"], begun.values["duration"]) == ("Kept", "25")
    assert begun.values["password"] not in ("", "hush-1")
    planner.send(form, keep="yes", template_name="Mine", topic="Newer")
    assert only_one().values["plan"]["topic"] == "Newer"
    nameless = planner.send(form, keep="yes", template_name=" ")
    assert "Enter a name for the template." in text_of(nameless.text)


def test_a_template_is_renamed_and_deleted(planner, spec, host):
    form = planner.filled_in(spec, host)
    for name in ("One", "Two"):
        planner.send(form, keep="yes", template_name=name)
    one = SessionTemplate.objects.get(name="One")
    rename = planner.url(spec, "template-rename", str(one.pk))
    taken = planner.client.post(rename, {"name": "Two"})
    assert "You already have a template with this name." in text_of(taken.text)
    planner.client.post(rename, {"name": "First"})
    assert set(SessionTemplate.objects.values_list("name", flat=True)) == {"First", "Two"}
    delete = planner.url(spec, "template-delete", str(one.pk))
    assert "Delete the template “First”?" in text_of(planner.get(delete))
    planner.client.post(delete)
    assert only_one().name == "Two"


def test_templates_are_private_to_their_owner_and_connection(
    planner, spec, host, connect, administrator
):
    planner.send(planner.filled_in(spec, host), keep="yes", template_name="Mine")
    number = str(only_one().pk)
    stranger = member("stranger@example.com", administrator.role)
    elsewhere = connect(administrator, "Another")
    for client, connection in (
        (admin_client_for(stranger), connect(stranger)),
        (planner.client, elsewhere),
    ):
        assert "Mine" not in client.get(spec_url(connection, spec, "templates")).text
        begun = client.get(spec_url(connection, spec, "create"), {"template": number})
        assert begun.status_code == 404
        for name in ("template-rename", "template-delete"):
            assert client.post(spec_url(connection, spec, name, number)).status_code == 404
    assert only_one().name == "Mine"
