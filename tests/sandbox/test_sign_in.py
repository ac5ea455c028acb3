"""Email, password, status, permissions and token of a person."""

from typing import Any

import httpx
import pytest

from tests.sandbox.conftest import Json, MakePerson, done, everybody, fresh_email, refused


@pytest.fixture
def owner(api):
    for person in everybody(api):
        data = api.get(f"/users/{person['id']}/permissions").json()
        if "Billing:Edit" in data["permissions"]:
            return person
    raise AssertionError


class TestEmail:
    def test_changes_and_the_old_one_finds_nobody(self, api: httpx.Client, person: Json):
        email = f"New.{fresh_email()}"

        done(api.put(f"/users/{person['email']}/email", json={"email": email}))

        refused(api.get(f"/users/{person['email']}"), 404)
        found = api.get(f"/users/{email.lower()}").json()
        assert (found["id"], found["email"]) == (person["id"], email)

    def test_of_another_person_is_a_conflict_whatever_its_case(
        self, api: httpx.Client, person: Json, make_person: MakePerson
    ):
        taken = make_person(action="create")["email"].upper()

        answer = api.put(f"/users/{person['id']}/email", json={"email": taken})

        refused(answer, 409, "email")
        assert api.get(f"/users/{person['id']}").json()["email"] == person["email"]

    def test_may_change_its_case_alone(self, api: httpx.Client, person: Json):
        email = person["email"].upper()
        done(api.put(f"/users/{person['id']}/email", json={"email": email}))
        assert api.get(f"/users/{person['id']}").json()["email"] == email

    @pytest.mark.parametrize("email", ["", "nobody", "a@b", "a b@c.example", None, 5, "x" * 128])
    def test_that_is_none_is_refused(self, api: httpx.Client, person: Json, email: Any):
        refused(api.put(f"/users/{person['id']}/email", json={"email": email}), 400, "email")


class TestPassword:
    @pytest.mark.parametrize("password", ["correct!", "x" * 31, "пароль-пароль"])
    def test_of_8_to_31_characters_is_set(self, api: httpx.Client, person: Json, password: str):
        done(api.put(f"/users/{person['id']}/password", json={"password": password}))

    @pytest.mark.parametrize("password", ["", "seven77", "x" * 32, None, 12345678])
    def test_of_another_length_is_refused(self, api: httpx.Client, person: Json, password: Any):
        answer = api.put(f"/users/{person['id']}/password", json={"password": password})
        refused(answer, 400, "password")

    def test_that_is_the_email_address_is_refused(self, api: httpx.Client, make_person: MakePerson):
        person = make_person(email=f"a@{fresh_email()[:8]}.example")
        body = {"password": person["email"].upper()}
        refused(api.put(f"/users/{person['id']}/password", json=body), 400, "password")

    @pytest.mark.parametrize("action", ["ssoCreate", "custCreate"])
    def test_is_not_set_for_those_who_sign_in_without_one(
        self, api: httpx.Client, make_person: MakePerson, action: str
    ):
        path = f"/users/{make_person(action=action)['id']}/password"
        refused(api.put(path, json={"password": "correct horse"}), 400, "password")


class TestStatus:
    def test_may_be_set_to_what_it_is_already(self, api: httpx.Client, person: Json):
        for action in ("activate", "activate", "deactivate", "deactivate"):
            done(api.put(f"/users/{person['id']}/status", json={"action": action}))

    @pytest.mark.parametrize("action", ["suspend", "", None, "ACTIVATE"])
    def test_has_no_other_actions(self, api: httpx.Client, person: Json, action: Any):
        refused(api.put(f"/users/{person['id']}/status", json={"action": action}), 400, "action")

    def test_of_the_owner_cannot_be_inactive(self, api: httpx.Client, owner: Json):
        answer = api.put(f"/users/{owner['id']}/status", json={"action": "deactivate"})
        refused(answer, 400, "action")


class TestPermissions:
    def test_of_a_new_person_are_those_of_a_member(self, api: httpx.Client, person: Json):
        data = api.get(f"/users/{person['id']}/permissions").json()
        assert "Meeting:Edit" in data["permissions"]
        assert "User:Edit" not in data["permissions"]

    def test_come_in_three_roles_of_which_the_owners_is_the_widest(self, api: httpx.Client):
        roles = {
            frozenset(api.get(f"/users/{person['id']}/permissions").json()["permissions"])
            for person in everybody(api)
        }

        member, administrator, owner = sorted(roles, key=len)
        assert member < administrator < owner


@pytest.mark.parametrize("action", ["autoCreate", "ssoCreate", "custCreate", "create"])
def test_a_token_can_be_revoked_again_and_again(api, make_person, action):
    path = f"/users/{make_person(action=action)['id']}/token"
    done(api.delete(path))
    done(api.delete(path))
