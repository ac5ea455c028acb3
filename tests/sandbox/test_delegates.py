"""Assistants and schedulers."""

from datetime import UTC, datetime, timedelta

import pytest

from portal.contract.delegates import AddedDelegates
from tests.sandbox.conftest import done, refused


def named(api, person, what="assistants"):
    data = api.get(f"/users/{person['id']}/{what}").json()
    assert set(data) == {"assistants"}
    return {each["id"] for each in data["assistants"]}


def add(api, person, *assistants):
    body = {"assistants": [{"id": each["id"]} for each in assistants]}
    return api.post(f"/users/{person['id']}/assistants", json=body)


def test_are_added_by_id_or_by_email_and_the_id_counts(api, person, make_person):
    first, second, third = make_person(), make_person(), make_person()
    body = {
        "assistants": [
            {"id": first["id"]},
            {"email": second["email"].upper()},
            {"id": third["id"], "email": "ignored@brightwater.example"},
        ]
    }

    answer = api.post(f"/users/{person['id']}/assistants", json=body)

    added = AddedDelegates.model_validate_json(answer.content)
    assert answer.status_code == 201
    assert answer.headers["content-location"] == f"/v2/users/{person['id']}/assistants"
    assert added.ids.split(",") == [first["id"], second["id"], third["id"]]
    assert added.add_at
    assert abs(datetime.now(UTC) - added.add_at) < timedelta(minutes=1)
    assert named(api, person) == {first["id"], second["id"], third["id"]}


def test_are_reported_with_their_email(api, person, make_person):
    assistant = make_person()
    add(api, person, assistant)

    data = api.get(f"/users/{person['id']}/assistants").json()

    assert data == {"assistants": [{"id": assistant["id"], "email": assistant["email"]}]}


def test_schedule_for_those_whose_assistants_they_are(api, person, make_person):
    assistant = make_person()
    add(api, person, assistant)
    assert named(api, assistant, "schedulers") == {person["id"]}

    done(api.delete(f"/users/{assistant['id']}/schedulers/{person['id']}"))

    assert named(api, person) == set()


def test_may_be_added_twice(api, person, make_person):
    assistant = make_person()
    add(api, person, assistant)
    again = add(api, person, assistant, assistant)

    assert again.json()["ids"] == assistant["id"]
    assert named(api, person) == {assistant["id"]}


@pytest.mark.parametrize("by", ["id", "email"])
def test_are_removed_one_by_one(api, person, make_person, by):
    gone, stays = make_person(), make_person()
    add(api, person, gone, stays)

    done(api.delete(f"/users/{person['id']}/assistants/{gone[by]}"))

    assert named(api, person) == {stays["id"]}
    refused(api.delete(f"/users/{person['id']}/assistants/{gone[by]}"), 404)
    refused(api.delete(f"/users/{gone['id']}/schedulers/{person[by]}"), 404)


def test_are_removed_all_at_once_from_either_end(api, person, make_person):
    assistant, other = make_person(), make_person()
    add(api, person, assistant, other)
    add(api, other, assistant)

    done(api.delete(f"/users/{person['id']}/assistants"))
    assert named(api, person) == set()
    assert named(api, assistant, "schedulers") == {other["id"]}

    done(api.delete(f"/users/{assistant['id']}/schedulers"))
    assert named(api, other) == set()


def test_are_thirty_at_most(api, person, make_person):
    crowd = [make_person(type=1) for _ in range(31)]
    refused(add(api, person, *crowd), 400, "assistants")
    assert add(api, person, *crowd[:30]).status_code == 201

    refused(add(api, person, crowd[30]), 400, "assistants")
    assert add(api, person, crowd[0]).status_code == 201

    assert named(api, person) == {each["id"] for each in crowd[:30]}


def test_schedule_for_thirty_people_at_most(api, person, make_person):
    for _ in range(30):
        assert add(api, make_person(), person).status_code == 201

    refused(add(api, make_person(), person), 400, "assistants.0.id")


def test_that_will_not_do_are_each_named_and_none_is_added(api, person, make_person):
    pending = make_person(action="create")
    body = {
        "assistants": [
            {"id": make_person()["id"]},
            {"id": "nobody"},
            {"email": "nobody@brightwater.example"},
            {"id": person["id"]},
            {"email": pending["email"]},
        ]
    }

    answer = api.post(f"/users/{person['id']}/assistants", json=body)

    fields = ("1.id", "2.email", "3.id", "4.email")
    refused(answer, 400, *(f"assistants.{field}" for field in fields))
    unnamed = api.post(f"/users/{person['id']}/assistants", json={"assistants": [{}]})
    refused(unnamed, 400, "assistants.0.email")
    assert named(api, person) == set()


def test_forget_those_who_leave(api, person, make_person):
    assistant = make_person()
    add(api, person, assistant)
    add(api, assistant, person)

    done(api.delete(f"/users/{assistant['id']}"))

    assert named(api, person) == set()
    assert named(api, person, "schedulers") == set()
