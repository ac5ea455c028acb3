"""The page about one session: what it is, who hosts it, and what was done to it."""

import pytest
from django.urls import reverse

from portal.access.models import Connection
from portal.directory import users as mirror
from portal.meetings.spec import MEETINGS
from portal.sessions.mirror import put
from portal.sessions.models import SessionTemplate
from tests.sessions.importing import carried_out, planned, row_of
from tests.support.fault_server import answer, depending
from tests.support.html import form_with, text_of
from tests.support.people_pages import part
from tests.support.portal import admin_client_for
from tests.support.session_made import Made
from tests.support.session_pages import spec_url, typed, url

pytestmark = pytest.mark.django_db


def _person(connection, host):
    return f'href="{reverse("people:person", args=[connection.key, host.id])}"'


def test_a_session_says_what_it_is_and_who_hosts_it(client, connection, spec, host, make_session):
    made = make_session(spec)
    page = client.get(url(connection, made)).text
    assert "Budget review" in text_of(page)
    assert spec.once.label in text_of(page)
    assert host.name in text_of(page)
    assert page.count(_person(connection, host)) == 1
    assert page.count(">Join link<") == 1


def test_a_host_whom_the_lists_do_not_know_is_no_link(client, connection, spec, host, make_session):
    made = make_session(spec)
    mirror.drop(connection, host.id)
    page = client.get(url(connection, made)).text
    assert host.id in text_of(page)
    assert _person(connection, host) not in page


def test_a_session_that_is_gone_is_said_to_be_unknown(client, connection, spec):
    answer = client.get(spec_url(connection, spec, "session", "999999999"))
    assert answer.status_code == 404
    assert "Not found on the service" in text_of(answer.text)


def _says_of_password(client, connection, made):
    """Returns the words of the overview for a session's password."""
    shown = text_of(client.get(url(connection, made)).text)
    invitation = shown.partition(" Invitation ")[2].partition(" Calendar file")[0]
    return invitation.partition(" Password ")[2]


def test_existence_of_password_is_shown_and_never_its_value(viewer, connect, spec, make_session):
    connection, browser = connect(viewer), admin_client_for(viewer)
    closed, opened = make_session(spec, password="hush-1"), make_session(spec)
    words = [_says_of_password(browser, connection, made) for made in (closed, opened)]
    if spec.reports_password:
        assert words == ["Set", "Not set"]
    else:
        assert words == ["Not reported", "Not reported"]
    assert "hush-1" not in browser.get(url(connection, closed)).text


def test_overview_leads_to_polls_and_says_how_many_there_are(
    client, connection, spec, sandbox, make_session
):
    made = make_session(spec)
    link = f'href="{url(connection, made, "polls")}"'
    before = client.get(url(connection, made)).text
    assert "Polls None" in text_of(before)
    assert before.count(link) == 2, "the tab and the overview"
    question = {"name": "Where?", "type": "single", "answers": ["Inside", "Outside"]}
    for title in ("Lunch", "Dinner"):
        poll = {"title": title, "questions": [question]}
        sandbox.client.post(f"/{spec.family}/{made.id}/polls", json=poll)
    assert "Polls 2 polls" in text_of(client.get(url(connection, made)).text)


def test_polls_that_cannot_be_read_spoil_nothing_else(client, spec, faulty, fault_server):
    def service(seen):
        if seen.path.endswith("/polls"):
            return answer(500, {"message": "Out of order."})
        if "/metrics/" in seen.path:
            return answer(404, {"code": 3001, "message": "Not live."})
        data = {"id": 81234567890, "topic": "Sometime", "type": int(spec.once), "host_id": "h"}
        return answer(200, data)

    fault_server.always(depending(service))
    page = client.get(spec_url(faulty, spec, "session", "81234567890"))
    assert page.status_code == 200
    assert "Polls Unknown: The conferencing service failed View polls" in text_of(page.text)


def test_unchangeable_occurrence_is_explained_to_editors(
    planner, spec, viewer, connect, make_session
):
    weekly = {"type": int(spec.series), "recurrence": {"type": 2, "end_times": 3}}
    starts = {"start_time": "2038-03-01T09:00:00", "timezone": "Europe/Berlin"}
    made = make_session(spec, **weekly, **starts)
    words = "The service changes all occurrences together"
    page = planner.get(url(planner.connection, made))
    assert words in text_of(page)
    assert f"{planner.url(spec, 'create')}?copy={made.id}" in page
    theirs = admin_client_for(viewer).get(url(connect(viewer), made)).text
    assert words not in text_of(theirs)


@pytest.mark.parametrize("way", ["copy", "template"])
def test_copy_is_scheduled_at_first_press_with_its_switches(planner, spec, make_session, way):
    settings = {"enforce_login": True, "host_video": True, "audio": "voip"}
    starts = {"start_time": "2038-03-01T09:00:00", "timezone": "Europe/Berlin"}
    made = make_session(spec, settings=settings, **starts)
    query = {"copy": made.id}
    if way == "template":
        address = url(planner.connection, made, "template-new")
        assert planner.client.post(address, {"name": "Mine"}).status_code == 303
        query = {"template": str(SessionTemplate.objects.get().pk)}
    form = form_with(planner.get(planner.url(spec, "create"), **query), "topic")
    form.values.setdefault("start_time", "2038-03-02T09:00")
    copied = planner.made_by(planner.client.post(form.action, form.values), spec)
    assert {name: copied["settings"].get(name) for name in settings} == settings
    again = form_with(planner.get(planner.url(spec, "create"), **query), "topic")
    del again.values["settings.host_video"]
    off = planner.made_by(planner.client.post(again.action, again.values), spec)
    assert not off["settings"].get("host_video")


def test_copy_names_what_it_leaves_out(client, faulty, fault_server):
    settings = {"host_video": True, "audio": "third", "breakout_room": {"enable": True}}
    meeting = {"id": 81234567890, "topic": "Board", "type": 2, "settings": settings}
    fault_server.always(answer(200, meeting))
    address = spec_url(faulty, MEETINGS, "create")
    page = text_of(client.get(address, {"copy": "81234567890"}).text)
    assert "Not copied, since this form does not show it: Breakout room, Audio: third." in page


def _history(client, connection, made):
    return text_of(client.get(url(connection, made, "history")).text)


def test_history_reports_session_from_its_creation_on(planner, spec, host, sandbox):
    made = Made(sandbox, spec, str(planner.plan(spec, host)["id"]))
    page = planner.get(url(planner.connection, made, "edit"))
    assert "Undo does not bring back: Password." in text_of(page)
    edit = form_with(page, "topic")
    saved = planner.send(typed(edit, topic="Budget", password="hush-2"))
    assert saved.status_code == 303, text_of(saved.text)
    shown = _history(planner.client, planner.connection, made)
    created, changed = f"Created a {spec.noun}", f"Changed a {spec.noun}"
    assert f"{created} Done Administrator" in shown
    assert f"{changed} Done Administrator" in shown
    assert "Topic Budget review became Budget" in shown
    assert "hush-2" not in shown
    assert shown.index(changed) < shown.index(created)


def test_the_history_has_what_was_done_to_parts_of_a_session(
    client, connection, spec, sandbox, make_session
):
    made = make_session(spec)
    assert "Nothing was changed yet" in _history(client, connection, made)
    question = {"name": "Where?", "type": "single", "answers": ["Inside", "Outside"]}
    poll = {"title": "Lunch", "questions": [question]}
    data = sandbox.client.post(f"/{spec.family}/{made.id}/polls", json=poll).json()
    client.post(url(connection, made, "poll-delete", data["id"]))
    assert f"Deleted a {spec.noun}'s poll Done" in _history(client, connection, made)
    other = make_session(spec)
    assert "Nothing was changed yet" in _history(client, connection, other)


def test_what_a_job_did_leads_to_the_job(planner, spec, host, work):
    job = carried_out(planned(planner, spec, work, row_of(host)), work)
    made = Made(planner.sandbox, spec, job.items.get().object_id)
    page = planner.get(url(planner.connection, made, "history"))
    assert f"Job: {job.title}" in text_of(page)
    assert f'href="{reverse("jobs:job", args=[planner.connection.key, job.key])}"' in page


def test_the_history_loads_into_an_open_page(client, connection, spec, make_session):
    panel = part(client, url(connection, make_session(spec), "history"), "panel")
    assert "Nothing was changed yet" in text_of(panel.text)
    assert "<html" not in panel.text


def test_stored_session_stays_while_the_service_does_not_answer(
    client, connection, spec, host, fault_server
):
    values = {"id": "81234567890", "topic": "Budget review", "host_id": host.id}
    put(connection, spec.family, spec.get.returns.model_validate({**values, "type": spec.once}))
    fault_server.always(answer(500, {"message": "Out of order."}))
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    for name in ("session", "registrants", "history"):
        page = client.get(spec_url(connection, spec, name, "81234567890"))
        assert page.status_code == 502
        said = text_of(page.text)
        assert "Budget review" in page.text.partition("</h1>")[0]
        assert f'id="tab-{name}"' in page.text
        assert "The conferencing service failed." in said
        assert "Try again" in said


def test_what_is_wrong_with_a_session_stands_on_its_overview(client, connection, make_session):
    made = make_session(MEETINGS, settings={"join_before_host": True})
    said = text_of(client.get(url(connection, made)).text)
    assert "Open to anyone with the link No password Edit" in said
    assert "Can start before the host Join before host is on Edit" in said
