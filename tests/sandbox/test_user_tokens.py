"""Tokens that start meetings in a person's name."""

import httpx
import pytest

from tests.sandbox.conftest import Json, MakePerson, done, refused


def issue(api: httpx.Client, person: Json, **query: str) -> str:
    answer = api.get(f"/users/{person['id']}/token", params=query)
    assert answer.status_code == 200, answer.text
    assert set(answer.json()) == {"token"}
    return answer.json()["token"]


def left(api: httpx.Client, zpk: str) -> int:
    answer = api.get("/users/zpk", params={"zpk": zpk})
    assert answer.status_code == 200, answer.text
    return answer.json()["expire_in"]


@pytest.mark.parametrize("query", [{}, {"type": "token"}, {"type": "zpk"}, {"type": "zak"}])
def test_are_of_the_type_that_is_asked_for(api: httpx.Client, person: Json, query: Json):
    token = issue(api, person, **query)
    assert len(token) > 40
    assert token.replace("-", "").replace("_", "").isalnum()


def test_another_type_is_refused(api: httpx.Client, person: Json):
    refused(api.get(f"/users/{person['id']}/token", params={"type": "cookie"}), 400, "type")


def test_a_zpk_holds_for_two_hours(api: httpx.Client, person: Json):
    assert 7100 < left(api, issue(api, person, type="zpk")) <= 7200


def test_a_zpk_that_is_none_of_ours_is_refused(api: httpx.Client, person: Json):
    zpk = issue(api, person, type="zpk")
    zak = issue(api, person, type="zak")
    for wrong in (zpk[:-2], zak, "", "né", "x" * 5000):
        refused(api.get("/users/zpk", params={"zpk": wrong}), 400, "zpk")
    refused(api.get("/users/zpk"), 400, "zpk")


def test_revoking_ends_those_that_were_issued_before(api: httpx.Client, person: Json):
    zpk = issue(api, person, type="zpk")
    done(api.delete(f"/users/{person['id']}/token"))
    assert left(api, zpk) == 0
    assert left(api, issue(api, person, type="zpk")) > 0


def test_who_is_not_active_gets_none_and_has_none(api: httpx.Client, make_person: MakePerson):
    person = make_person()
    zpk = issue(api, person, type="zpk")
    done(api.put(f"/users/{person['id']}/status", json={"action": "deactivate"}))
    refused(api.get(f"/users/{person['id']}/token"), 400, "userId")
    assert left(api, zpk) == 0


def test_nobody_has_none(api: httpx.Client):
    refused(api.get("/users/nobody/token"), 404)
