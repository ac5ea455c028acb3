"""Tokens that start meetings in a person's name."""

import pytest

from tests.sandbox.conftest import done, refused


def issue(api, person, **query):
    answer = api.get(f"/users/{person['id']}/token", params=query)
    assert answer.status_code == 200, answer.text
    assert set(answer.json()) == {"token"}
    return answer.json()["token"]


def left(api, zpk):
    answer = api.get("/users/zpk", params={"zpk": zpk})
    assert answer.status_code == 200, answer.text
    return answer.json()["expire_in"]


@pytest.mark.parametrize("query", [{}, {"type": "token"}, {"type": "zpk"}, {"type": "zak"}])
def test_are_of_the_type_that_is_asked_for(api, person, query):
    token = issue(api, person, **query)
    assert len(token) > 40
    assert token.replace("-", "").replace("_", "").isalnum()


def test_another_type_is_refused(api, person):
    refused(api.get(f"/users/{person['id']}/token", params={"type": "cookie"}), 400, "type")


def test_a_zpk_holds_for_two_hours(api, person):
    assert 7100 < left(api, issue(api, person, type="zpk")) <= 7200


def test_a_zpk_that_is_none_of_ours_is_refused(api, person):
    zpk = issue(api, person, type="zpk")
    zak = issue(api, person, type="zak")
    for wrong in (zpk[:-2], zak, "", "né", "x" * 5000):
        refused(api.get("/users/zpk", params={"zpk": wrong}), 400, "zpk")
    refused(api.get("/users/zpk"), 400, "zpk")


def test_revoking_ends_those_that_were_issued_before(api, person):
    zpk = issue(api, person, type="zpk")
    done(api.delete(f"/users/{person['id']}/token"))
    assert left(api, zpk) == 0
    assert left(api, issue(api, person, type="zpk")) > 0


def test_who_is_not_active_gets_none_and_has_none(api, make_person):
    person = make_person()
    zpk = issue(api, person, type="zpk")
    done(api.put(f"/users/{person['id']}/status", json={"action": "deactivate"}))
    refused(api.get(f"/users/{person['id']}/token"), 400, "userId")
    assert left(api, zpk) == 0


def test_nobody_has_none(api):
    refused(api.get("/users/nobody/token"), 404)
