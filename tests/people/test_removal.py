"""Removing a person: what goes with them is shown, nothing is done that was not read."""

from datetime import date, timedelta

import pytest
from django.urls import reverse

from portal.access.models import Connection
from portal.audit.models import AuditEntry
from portal.contract.users import RemovalAction, UserRemoval
from portal.directory.models import MirroredUser
from portal.directory.users import status_of
from portal.people.services.removal import Belongings, RemovedPerson, will_happen
from tests.support.fault_server import answer, depending
from tests.support.html import form_with, text_of
from tests.support.portal import PASSWORD, admin_client_for
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db


def _url(connection, person, name="remove", **query):
    return reverse(f"people:{name}", args=[connection.key, person.id], query=query or None)


def _open(client, connection, person):
    return form_with(client.get(_url(connection, person)).content.decode(), "agreed")


def _chosen(client, connection, person, **choices):
    """The form after these choices, with the sentence that they led to."""
    form = _open(client, connection, person)
    form.values |= {"action": "disassociate", **choices}
    headers = {"HX-Request": "true", "HX-Target": "removal-outcome"}
    url = _url(connection, person, "remove-outcome")
    said = client.post(url, form.values, headers=headers).content.decode()
    form.values["agreed"] = form_with(f"<form>{said}</form>", "agreed").values["agreed"]
    return form


@pytest.fixture
def host(sandbox, client, connection):
    """One of the sandbox's own people who has meetings."""
    for user in sandbox.people():
        listed = sandbox.client.get(f"/users/{user['id']}/meetings", params={"type": "scheduled"})
        if listed.json()["total_records"]:
            return MirroredUser(user_id=user["id"], email=user["email"])
    raise AssertionError("nobody in the sandbox has a meeting")


def test_the_page_counts_what_goes_with_the_person(client, connection, host, sandbox):
    url = reverse("people:remove", args=[connection.key, host.user_id])
    html = client.get(url).content.decode()
    meetings = sandbox.client.get(
        f"/users/{host.user_id}/meetings", params={"type": "scheduled"}
    ).json()["total_records"]
    webinars = sandbox.client.get(f"/users/{host.user_id}/webinars").json()["total_records"]
    assert f"{meetings} Meetings" in text_of(html)
    assert f"{webinars} Webinars" in text_of(html)
    assert "Recordings, last 6 months" in text_of(html)
    values = form_with(html, "agreed").values
    assert values["transfer_meeting"] == "on"
    assert ("transfer_webinar" in values) == bool(webinars)


def test_both_ways_to_leave_are_explained(client, connection, person):
    said = text_of(client.get(_url(connection, person)).content.decode())
    for action in RemovalAction:
        assert action.label in said
        assert action.explanation in said


ADA = RemovedPerson("u1", "ada@x.example", "Ada", Belongings(1, 12, 3))
NOTHING = RemovedPerson("u1", "ada@x.example", "Ada", Belongings(0, 0, 0))
UNKNOWN = RemovedPerson("u1", "ada@x.example", "Ada", Belongings())
TO_GRACE = {"transfer_email": "grace@x.example"}


@pytest.mark.parametrize(
    ("leaver", "how", "sentence"),
    [
        (
            ADA,
            {"action": "delete"},
            "Ada is deleted permanently, and with them 1 meeting, 12 webinars and all recordings "
            "(3 in the last 6 months).",
        ),
        (
            ADA,
            {"action": "delete", **TO_GRACE, "transfer_meeting": True, "transfer_webinar": True},
            "Ada is deleted permanently, and with them all recordings (3 in the last 6 months); "
            "grace@x.example gets 1 meeting and 12 webinars.",
        ),
        (
            ADA,
            {"action": "disassociate", **TO_GRACE, "transfer_recording": True},
            "Ada leaves this account and keeps 1 meeting and 12 webinars; grace@x.example gets "
            "all recordings (3 in the last 6 months).",
        ),
        (
            NOTHING,
            {"action": "delete"},
            "Ada is deleted permanently, and with them any recordings older than 6 months.",
        ),
        (
            UNKNOWN,
            {"action": "disassociate"},
            "Ada leaves this account and keeps all meetings, all webinars and all recordings.",
        ),
    ],
)
def test_one_sentence_says_all_that_will_happen(leaver, how, sentence):
    assert will_happen(leaver, UserRemoval.model_validate(how)) == sentence


def test_removal_without_a_chosen_way_does_nothing(client, connection, person):
    form = _open(client, connection, person)
    assert "action" not in form.values, "neither can be undone"
    answered = client.post(_url(connection, person), form.values)
    assert answered.status_code == 422
    assert "Choose one. Neither can be undone." in text_of(answered.content.decode())
    assert person.now()


def test_a_person_is_disassociated_and_leaves_the_list(client, connection, person):
    form = _chosen(client, connection, person, action="disassociate")
    answered = client.post(_url(connection, person), form.values, follow=True)
    assert answered.redirect_chain == [(reverse("people:list", args=[connection.key]), 303)]
    assert "Ada Lovelace left this account" in text_of(answered.content.decode())
    assert not person.now()
    assert not status_of(whole(connection), person.id)
    entry = AuditEntry.objects.get(operation="users.delete", outcome="begun")
    assert entry.sent == {"action": "disassociate"}


def test_a_person_is_deleted_with_a_transfer_to_a_colleague(
    client, connection, person, make_person
):
    heir = make_person(first_name="Grace", last_name="Hopper")
    form = _chosen(
        client,
        connection,
        person,
        action="delete",
        transfer_email=heir.email,
        transfer_webinar="on",
        confirmation=person.email,
    )
    answered = client.post(_url(connection, person), form.values, follow=True)
    said = text_of(answered.content.decode())
    assert f"{heir.email} got" in said or "Ada Lovelace was deleted permanently" in said
    assert not person.now()
    entry = AuditEntry.objects.get(operation="users.delete", outcome="begun")
    assert entry.sent["transfer_email"] == heir.email
    assert entry.sent["transfer_webinar"] is True


@pytest.mark.parametrize("typed", ["", "somebody@else.example"])
def test_deleting_for_good_takes_the_email_to_be_typed(client, connection, person, typed):
    form = _chosen(client, connection, person, action="delete", confirmation=typed)
    answered = client.post(_url(connection, person), form.values)
    assert answered.status_code == 422
    kept = form_with(answered.content.decode(), "agreed").values
    assert (kept["action"], kept["confirmation"]) == ("delete", typed)
    assert person.now()


def test_the_name_confirms_as_well_and_in_any_case(client, connection, person):
    form = _chosen(client, connection, person, action="delete", confirmation=" ada lovelace ")
    client.post(_url(connection, person), form.values)
    assert not person.now()


def test_what_was_not_read_is_not_done(client, connection, person):
    form = _open(client, connection, person)
    typed = form.values | {"action": "delete", "confirmation": person.email}
    answered = client.post(_url(connection, person), typed)
    html = answered.content.decode()
    assert answered.status_code == 422
    assert "The choices changed" in text_of(html)
    assert person.now()
    again = form_with(html, "agreed").values
    assert "is deleted permanently" in again["agreed"]
    client.post(_url(connection, person), again)
    assert not person.now()


@pytest.mark.parametrize(
    ("heir", "said"),
    [
        ("nobody-here@brightwater.example", "No one on this account"),
        ("Grace", "type their email address"),
    ],
)
def test_a_colleague_who_is_not_there_is_an_error_at_their_field(
    client, connection, person, heir, said
):
    form = _chosen(client, connection, person, transfer_email=heir, transfer_meeting="on")
    answered = client.post(_url(connection, person), form.values)
    html = answered.content.decode()
    assert answered.status_code == 422
    assert said in text_of(html)
    assert form_with(html, "agreed").values["transfer_email"] == heir
    assert person.now()


def test_nothing_is_transferred_to_the_one_who_leaves(client, connection, person):
    form = _chosen(client, connection, person, transfer_email=person.email, transfer_meeting="on")
    answered = client.post(_url(connection, person), form.values)
    assert "the person being removed" in text_of(answered.content.decode())
    assert person.now()


def test_nothing_is_transferred_to_somebody_who_is_not_active(
    client, connection, person, make_person, sandbox
):
    heir = make_person()
    sandbox.client.put(f"/users/{heir.id}/status", json={"action": "deactivate"})
    MirroredUser.objects.filter(user_id=heir.id).update(status="inactive")
    form = _chosen(client, connection, person, transfer_email=heir.email, transfer_meeting="on")
    answered = client.post(_url(connection, person), form.values)
    assert "deactivated" in text_of(answered.content.decode())
    MirroredUser.objects.filter(user_id=heir.id).delete()
    answered = client.post(_url(connection, person), form.values)
    assert "not active" in text_of(answered.content.decode())
    assert person.now()


def test_naming_a_colleague_takes_something_to_transfer(client, connection, person, make_person):
    form = _chosen(client, connection, person, transfer_email=make_person().email)
    answered = client.post(_url(connection, person), form.values)
    assert "Choose what they get" in text_of(answered.content.decode())
    assert person.now()


def test_colleagues_are_suggested_by_name_but_not_one_who_leaves(
    client, connection, person, make_person
):
    colleague = make_person(first_name="Zuzanna", last_name="Lovelace")
    pending = make_person(first_name="Zuzanna", last_name="Away")
    MirroredUser.objects.filter(user_id=pending.id).update(status="inactive")
    headers = {"HX-Request": "true", "HX-Target": "colleagues"}

    def suggested(typed):
        url = _url(connection, person, "remove-colleagues", transfer_email=typed)
        return client.get(url, headers=headers).content.decode()

    assert colleague.email in suggested("zuzanna")
    assert pending.email not in suggested("zuzanna")
    assert person.email not in suggested("lovelace")
    assert not suggested("").strip()


def test_removal_needs_recent_sign_in_and_keeps_choices(administrator, connection, person):
    client = admin_client_for(administrator, recently=False)
    form = _chosen(client, connection, person, action="delete", confirmation=person.email)
    asked = client.post(_url(connection, person), form.values)
    assert asked.status_code == 302
    assert person.now()
    proved = client.post(asked.headers["Location"], {"password": PASSWORD}, follow=True)
    assert "was deleted permanently" in text_of(proved.content.decode())
    assert not person.now()


def test_somebody_who_is_gone_is_not_found(client, connection, person, sandbox):
    sandbox.client.delete(f"/users/{person.id}")
    assert client.get(_url(connection, person)).status_code == 404
    assert not status_of(whole(connection), person.id)


def test_what_cannot_be_counted_is_said_and_stops_nothing(
    client, connect, administrator, fault_server
):
    connection = connect(administrator, "Faulty")
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    user = {"id": "u1", "email": "ada@x.example", "first_name": "Ada", "last_name": "Lovelace"}

    def service(seen):
        if seen.path.endswith("/meetings"):
            return answer(200, {"meetings": [{"id": 7}], "total_records": 4})
        if seen.path.endswith("/recordings"):
            return answer(200, {"meetings": [], "total_records": 23_376_633})
        if seen.path.endswith("/webinars"):
            return answer(400, {"message": "No plan for this."})
        return answer(204) if seen.method == "DELETE" else answer(200, user)

    fault_server.always(depending(service))
    url = reverse("people:remove", args=[connection.key, "u1"])
    html = client.get(url).content.decode()
    assert "4 Meetings" in text_of(html)
    assert "Not known Webinars" in text_of(html)
    assert "23,376,633" not in text_of(html)
    form = form_with(html, "agreed")
    form.values["action"] = "disassociate"
    form = form_with(client.post(url, form.values).content.decode(), "agreed")
    assert "all webinars" in form.values["agreed"]
    assert client.post(url, form.values).status_code == 303
    recordings = next(s for s in fault_server.requests if s.path.endswith("/recordings"))
    asked_for = (recordings.query["from"], recordings.query["to"])
    span = date.fromisoformat(asked_for[1]) - date.fromisoformat(asked_for[0])
    assert timedelta(days=180) < span < timedelta(days=185)


@pytest.mark.parametrize("role", ["viewer", "operator"])
def test_only_administrators_remove_people(request, connect, person, role):
    user = request.getfixturevalue(role)
    connection = connect(user)
    client = admin_client_for(user)
    assert client.get(_url(connection, person)).status_code == 403
    for name in ("remove", "remove-outcome"):
        assert client.post(_url(connection, person, name), {}).status_code == 403
    assert client.get(_url(connection, person, "remove-colleagues")).status_code == 403
    assert person.now()
