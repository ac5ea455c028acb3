"""Assistants and schedulers: found, added, removed one by one or all at once."""

import re
from secrets import token_hex
from urllib.parse import urlencode

import pytest

from portal.access.models import Connection
from portal.audit.models import AuditEntry
from portal.contract.users import UserStatus
from portal.directory.models import MirroredUser
from tests.support.fault_server import answer, depending
from tests.support.html import form_with, text_of
from tests.support.people_pages import part, url
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db


def _assistants(sandbox, person):
    data = sandbox.client.get(f"/users/{person.id}/assistants").json()
    return {each["id"] for each in data["assistants"]}


def _give(sandbox, person, assistants):
    body = {"assistants": [{"id": each.id} for each in assistants]}
    assert sandbox.client.post(f"/users/{person.id}/assistants", json=body).status_code == 201


def test_assistants_and_schedulers_are_listed_by_name(client, connection, make_person, sandbox):
    boss, helper = make_person(), make_person(first_name="Grace", last_name="Hopper")
    _give(sandbox, boss, [helper])
    boss_page = text_of(client.get(url(connection, boss, "delegates")).content.decode())
    assert "Assistants 1 of 30" in boss_page
    assert "Grace Hopper" in boss_page
    helper_page = text_of(client.get(url(connection, helper, "delegates")).content.decode())
    assert "Schedulers 1" in helper_page
    assert boss.name in helper_page
    assert helper.id in client.get(url(connection, boss, "delegates")).content.decode()


def test_somebody_whom_mirror_does_not_know_is_listed_by_email(
    client, connection, make_person, sandbox
):
    boss, helper = make_person(), make_person()
    _give(sandbox, boss, [helper])
    MirroredUser.objects.filter(user_id=helper.id).delete()
    assert helper.email in client.get(url(connection, boss, "delegates")).content.decode()


def test_colleagues_are_found_ticked_and_added_without_scripts(
    client, connection, person, make_person, sandbox
):
    family = f"Hopper{token_hex(4)}"
    first, second = (make_person(first_name=name, last_name=family) for name in ("Grace", "Vera"))
    address = url(connection, person, "assistants-add")
    form = form_with(client.get(address).content.decode(), "search:picked")
    found = client.post(address, form.values | {"search:picked": family, "find": "picked"})
    assert found.status_code == 200
    html = found.content.decode()
    assert "Grace" in html
    assert "Vera" in html
    assert "errorlist" not in html
    kept = client.post(
        address, {"search:picked": "nobody at all", "find": "picked", "picked": [first.id]}
    )
    assert form_with(kept.content.decode(), "search:picked").values["picked"] == first.id
    assert "No other users match." in text_of(kept.content.decode())
    done = client.post(address, {"picked": [first.id, second.id], "emails": ""}, follow=True)
    assert done.redirect_chain == [(url(connection, person, "delegates"), 303)]
    assert "2 assistants added." in text_of(done.content.decode())
    assert _assistants(sandbox, person) == {first.id, second.id}


def test_suggestions_leave_out_who_cannot_be_added(client, connection, make_person, sandbox):
    family = f"Hopper{token_hex(4)}"
    person = make_person(first_name="Self", last_name=family)
    there = make_person(first_name="There", last_name=family)
    gone = make_person(first_name="Gone", last_name=family)
    free = make_person(first_name="Free", last_name=family)
    _give(sandbox, person, [there])
    MirroredUser.objects.filter(user_id=gone.id).update(status=UserStatus.INACTIVE.value)
    typed = urlencode({"field": "picked", "search:picked": family})
    address = f"{url(connection, person, 'assistants-add')}?{typed}"
    answer_ = part(client, address, "found")
    html = answer_.content.decode()
    assert "<html" not in html
    assert free.id in html
    for other in (person, there, gone):
        assert other.id not in html


def test_assistants_are_added_by_email(client, connection, person, make_person, sandbox):
    first, second = make_person(), make_person()
    typed = {"emails": f"{first.email}\r\n {second.email};"}
    client.post(url(connection, person, "assistants-add"), typed)
    assert _assistants(sandbox, person) == {first.id, second.id}


def test_addable_people_are_added_and_others_named_why(
    client, connection, person, make_person, sandbox
):
    address = url(connection, person, "assistants-add")
    first, second, picked = make_person(), make_person(), make_person()
    stranger = f"{token_hex(6)}@example.com"
    typed = "\n".join((first.email, stranger, "half@", person.email, second.email))
    partly = client.post(address, {"emails": typed, "picked": [picked.id, person.id]})
    assert partly.status_code == 422
    said = text_of(partly.text)
    assert "3 people were added, 3 were not" in said
    assert f"{stranger}: No one on the account has this" in said
    assert "half@: Not an email address" in said
    assert f"{person.name}: A person cannot be their own assistant." in said
    assert _assistants(sandbox, person) == {first.id, second.id, picked.id}
    marked = re.search(r'<textarea name="emails"[^>]*>', partly.text)
    assert marked
    assert 'aria-invalid="true"' in marked[0]
    assert partly.text.count(" autofocus") == 1
    errors = re.search(r'id="id_emails_error">(.*?)</ul>', partly.text, re.DOTALL)
    assert errors
    assert stranger in errors[1]
    # What failed stays as it was given, and nothing else.
    again = form_with(partly.text, "emails").values
    assert again["emails"].splitlines() == ["half@", stranger]
    assert again["picked"] == person.id


def test_people_not_added_are_named_and_nothing_is_lost(
    client, connection, person, make_person, sandbox
):
    address = url(connection, person, "assistants-add")
    stranger = f"{token_hex(6)}@example.com"
    for emails, said in (
        ("", "Choose a colleague or enter an email address."),
        ("half@", "half@: Not an email address, such as name@example.com."),
        ("\n".join(f"a{n}@example.com" for n in range(31)), "there is room for 30 more"),
        (stranger, f"{stranger}: No one on the account has this"),
        (person.email, "A person cannot be their own assistant."),
    ):
        refused = client.post(address, {"emails": emails})
        assert refused.status_code == 422, said
        assert said in text_of(refused.content.decode())
        assert form_with(refused.content.decode(), "emails").values["emails"] == emails
    assert _assistants(sandbox, person) == set()


def test_form_returned_during_outage_keeps_input(client, connection, person, fault_server):
    fault_server.always(answer(503, {"message": "Closed."}))
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    typed = {"emails": "grace@example.com"}
    refused = client.post(url(connection, person, "assistants-add"), typed)
    assert refused.status_code == 422
    html = refused.content.decode()
    assert form_with(html, "emails").values["emails"] == "grace@example.com"
    assert "The conferencing service failed" in html


def test_one_assistant_and_one_scheduler_are_removed(client, connection, make_person, sandbox):
    boss, helper, other = make_person(), make_person(first_name="Grace"), make_person()
    _give(sandbox, boss, [helper, other])
    address = url(connection, boss, "assistant-remove", helper.id)
    asked = text_of(client.get(address).content.decode())
    assert f"{helper.name} can no longer schedule meetings for {boss.name}." in asked
    done = client.post(address, follow=True)
    assert f"{helper.name} is removed as assistant." in text_of(done.content.decode())
    assert _assistants(sandbox, boss) == {other.id}
    client.post(url(connection, other, "scheduler-remove", boss.id))
    assert _assistants(sandbox, boss) == set()


def test_the_history_names_who_was_added_and_removed(client, connection, make_person):
    boss, helper, other = make_person(), make_person(), make_person()
    add = url(connection, boss, "assistants-add")
    client.post(add, {"picked": [helper.id]})
    client.post(add, {"emails": other.email})
    client.post(url(connection, boss, "assistant-remove", helper.id))
    client.post(url(connection, boss, "assistants-remove-all"))
    shown = text_of(client.get(url(connection, boss, "history")).content.decode())
    assert shown.count(f"Assistants {helper.email} became Removed") == 1
    assert shown.count(f"Assistants {other.email} became Removed") == 1
    assert shown.count(f"Assistants {helper.email}") == 2
    assert shown.count(f"Assistants {other.email}") == 2


def test_somebody_who_is_no_assistant_cannot_be_removed(client, connection, person, make_person):
    address = url(connection, person, "assistant-remove", make_person().id)
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("name", ["assistants-remove-all", "schedulers-remove-all"])
def test_all_are_removed_after_naming_them(client, connection, make_person, sandbox, name):
    boss, helper = make_person(first_name="Grace"), make_person(first_name="Vera")
    _give(sandbox, boss, [helper])
    whose, named = (boss, helper) if name.startswith("assistants") else (helper, boss)
    asked = text_of(client.get(url(connection, whose, name)).content.decode())
    assert named.name in asked
    assert "Meetings that are scheduled already stay." in asked
    assert _assistants(sandbox, boss) == {helper.id}
    assert client.post(url(connection, whose, name)).status_code == 303
    assert _assistants(sandbox, boss) == set()


def test_all_are_removed_by_administrators_alone(operator, connect, make_person, sandbox):
    boss, helper = make_person(), make_person()
    _give(sandbox, boss, [helper])
    mine = connect(operator)
    client = admin_client_for(operator)
    assert "assistants/remove-all" not in client.get(url(mine, boss, "delegates")).content.decode()
    assert client.post(url(mine, boss, "assistants-remove-all")).status_code == 403
    assert _assistants(sandbox, boss) == {helper.id}


def test_all_are_removed_only_after_a_recent_proof_of_who_one_is(
    administrator, connection, make_person, sandbox
):
    boss, helper = make_person(), make_person()
    _give(sandbox, boss, [helper])
    client = admin_client_for(administrator, recently=False)
    asked = client.post(url(connection, boss, "assistants-remove-all"))
    assert asked.status_code == 302
    assert "reauthenticate" in asked["Location"]
    assert _assistants(sandbox, boss) == {helper.id}
    assert not AuditEntry.objects.filter(operation="assistants.remove_all").exists()


def test_unlisted_delegates_are_absent_with_a_reason(client, faulty, fault_server):
    def respond(seen):
        if seen.path.endswith("/assistants"):
            return answer(200, {"assistants": [{"id": "u2", "email": "bob@example.com"}]})
        if seen.path.endswith("/schedulers"):
            return answer(200, {"schedulers": []})
        return answer(200, {"id": "u1", "email": "ann@example.com"})

    fault_server.always(depending(respond))
    page = client.get(f"/c/{faulty.key}/people/u1/delegates/")
    assert page.status_code == 200
    assert "bob@example.com" in page.text
    assert "This list could not be loaded: The answer does not match" in text_of(page.text)
