"""Editing a profile where it stands: only what was changed is sent, and nothing is lost."""

import pytest

from portal.access.models import Connection
from portal.audit.models import AuditEntry
from portal.directory.models import MirroredUser
from tests.support.fault_server import answer
from tests.support.html import form_with, text_of
from tests.support.people_pages import part, url
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db


def _open(client, connection, person, section):
    page = client.get(url(connection, person, "profile-edit", section))
    assert page.status_code == 200
    return form_with(page.content.decode(), f"{section}-was")


def _sent():
    """Returns the data that the last write sent."""
    entry = AuditEntry.objects.filter(operation="users.update", intent=None).latest("sequence")
    return dict(entry.sent)


CHANGES = [
    ("name", {"first_name": "Augusta", "last_name": "King", "dept": "Analysis"}),
    ("region", {"timezone": "Europe/London", "language": "en-GB"}),
    ("cms", {"cms_user_id": "cms-42"}),
]


@pytest.mark.parametrize(("section", "changes"), CHANGES)
def test_a_section_is_changed_without_scripts(client, connection, person, section, changes):
    form = _open(client, connection, person, section)
    typed = {f"{section}-{name}": value for name, value in changes.items()}
    saved = client.post(form.action, form.values | typed, follow=True)
    assert saved.redirect_chain == [(f"{url(connection, person, 'profile')}#{section}", 303)]
    assert {name: person.now()[name] for name in changes} == changes
    words = {"en-GB": "English (GB)"}
    for value in changes.values():
        assert words.get(value, value) in text_of(saved.content.decode())


def test_the_departments_that_there_are_are_offered(client, connection, person):
    MirroredUser.objects.filter(user_id=person.id).update(dept="Analysis")
    page = client.get(url(connection, person, "profile-edit", "name")).text
    assert '<option value="Analysis">' in page
    assert 'list="departments"' in page


def test_the_licence_and_the_personal_room_are_changed(client, connection, person):
    form = _open(client, connection, person, "licence")
    client.post(form.action, form.values | {"licence-type": "1"})
    assert person.now()["type"] == 1

    form = _open(client, connection, person, "room")
    name = f"ada.{person.id[:6].strip('-_')}x".replace("_", "-")
    typed = {"room-use_pmi": "on", "room-vanity_name": name, "room-pmi": "9876512340"}
    client.post(form.action, form.values | typed)
    now = person.now()
    assert (now["use_pmi"], now["pmi"]) == (True, "9876512340")
    assert now["vanity_url"].endswith(f"/{name}")


def test_only_the_changed_fields_are_sent(client, connection, person):
    form = _open(client, connection, person, "name")
    client.post(form.action, form.values | {"name-dept": "Analysis"})
    assert _sent() == {"dept": "Analysis"}


def test_a_field_can_be_emptied(client, connection, person, sandbox):
    sandbox.client.patch(f"/users/{person.id}", json={"dept": "Analysis"})
    form = _open(client, connection, person, "name")
    client.post(form.action, form.values | {"name-dept": ""})
    assert person.now()["dept"] == ""


def test_nothing_is_sent_where_nothing_was_changed(client, connection, person):
    form = _open(client, connection, person, "name")
    saved = client.post(form.action, form.values)
    assert saved.status_code == 303
    assert not AuditEntry.objects.filter(operation="users.update").exists()


def test_the_list_is_right_at_once(client, connection, person):
    form = _open(client, connection, person, "name")
    client.post(form.action, form.values | {"name-first_name": "Augusta"})
    assert MirroredUser.objects.get(user_id=person.id).first_name == "Augusta"


REFUSED = [
    ("name", "first_name", "x" * 65, "Use at most 64 characters."),
    ("name", "last_name", "明美明美明美", "Use at most 5 Chinese characters."),
    ("region", "timezone", "Mars/Olympus", "Choose a time zone such as Europe/Berlin."),
    ("room", "pmi", "123", "A personal meeting ID is exactly 10 digits."),
]


@pytest.mark.parametrize("refusal", REFUSED)
def test_a_refused_field_says_why_and_keeps_what_was_typed(client, connection, person, refusal):
    section, name, typed, said = refusal
    form = _open(client, connection, person, section)
    refused = client.post(form.action, form.values | {f"{section}-{name}": typed})
    assert refused.status_code == 422
    html = refused.content.decode()
    summary = html.split("data-summary", 1)[1].split("data-field=", 1)[0]
    field = html.split(f'data-field="{section}-{name}"', 1)[1].split("</ul>", 1)[0]
    assert said in text_of(summary)
    assert said in text_of(field)
    assert form_with(html, f"{section}-was").values[f"{section}-{name}"] == typed


def test_what_the_service_refuses_stands_at_its_field(client, connection, person, make_person):
    taken = make_person().now()["pmi"]
    form = _open(client, connection, person, "room")
    refused = client.post(form.action, form.values | {"room-pmi": taken})
    assert refused.status_code == 422
    error = refused.content.decode().split('data-field="room-pmi"')[1].split("data-field=")[0]
    assert "errorlist" in error


def test_a_taken_link_name_is_refused_and_said_while_it_is_typed(
    client, connection, person, make_person, sandbox
):
    holder = make_person()
    sandbox.client.patch(f"/users/{holder.id}", json={"vanity_name": "grace.hopper"})
    check = url(connection, person, "link-name-check")

    def said(name):
        return text_of(part(client, f"{check}?room-vanity_name={name}", "answer").content.decode())

    assert "Taken" in said("grace.hopper")
    assert "Free" in said("grace.hopper.2")
    assert said("") == ""

    form = _open(client, connection, person, "room")
    refused = client.post(form.action, form.values | {"room-vanity_name": "grace.hopper"})
    assert refused.status_code == 422
    assert "This link name is already in use." in refused.content.decode()
    assert person.now()["vanity_url"] == ""


def test_a_change_made_elsewhere_is_said_and_not_overwritten(client, connection, person, sandbox):
    form = _open(client, connection, person, "name")
    sandbox.client.patch(f"/users/{person.id}", json={"dept": "Elsewhere"})
    refused = client.post(form.action, form.values | {"name-dept": "Mine"})
    assert refused.status_code == 422
    assert "This was changed to “Elsewhere” in the meantime." in text_of(refused.content.decode())
    assert person.now()["dept"] == "Elsewhere"

    again = form_with(refused.content.decode(), "name-was")
    assert again.values["name-dept"] == "Mine"
    client.post(again.action, again.values)
    assert person.now()["dept"] == "Mine"


def test_a_change_made_elsewhere_to_another_field_stays(client, connection, person, sandbox):
    form = _open(client, connection, person, "name")
    sandbox.client.patch(f"/users/{person.id}", json={"dept": "Elsewhere"})
    client.post(form.action, form.values | {"name-first_name": "Augusta"})
    now = person.now()
    assert (now["first_name"], now["dept"]) == ("Augusta", "Elsewhere")


def test_form_returned_during_outage_keeps_input(client, connection, person, fault_server):
    form = _open(client, connection, person, "name")
    fault_server.always(answer(503, {"message": "Closed."}))
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    refused = client.post(form.action, form.values | {"name-first_name": "Augusta"})
    html = refused.content.decode()
    assert "The conferencing service failed" in html
    assert form_with(html, "name-was").values["name-first_name"] == "Augusta"


def test_htmx_swaps_the_section_alone_and_renews_who_it_is(client, connection, person):
    address = url(connection, person, "profile-edit", "name")
    opened = part(client, address, "name").content.decode()
    assert "<html" not in opened
    form = form_with(opened, "name-was")
    saved = part(client, address, "name", form.values | {"name-first_name": "Augusta"})
    html = saved.content.decode()
    assert "<html" not in html
    assert 'id="name"' in html
    assert '<span id="thing-name" hx-swap-oob="true">Augusta Lovelace</span>' in html
    assert "Name and department: saved." in html


def test_a_section_is_closed_again_without_saving(client, connection, person):
    closed = part(client, url(connection, person, "profile-edit", "name") + "?cancel", "name")
    html = closed.content.decode()
    assert "<form" not in html
    assert "autofocus" in html, "the keyboard is back at the section's button"


def test_an_unknown_section_is_not_found(client, connection, person):
    assert client.get(url(connection, person, "profile-edit", "shoes")).status_code == 404


def test_a_viewer_cannot_change_a_profile(viewer, connect, person, connection):
    mine = connect(viewer)
    client = admin_client_for(viewer)
    address = url(mine, person, "profile-edit", "name")
    assert client.get(address).status_code == 403
    assert client.post(address, {"name-first_name": "Mallory"}).status_code == 403
    assert person.now()["first_name"] == "Ada"
