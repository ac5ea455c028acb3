"""Polls of meetings and webinars."""

import pytest

from portal.contract.polls import PollDetails, PollList
from tests.sandbox.conftest import done, refused

POLL = {
    "title": "Lunch",
    "questions": [
        {"name": "When?", "type": "single", "answers": ["Noon", "One"]},
        {"name": "What?", "type": "multiple", "answers": ["Soup", "Salad", "Pie"]},
    ],
}


@pytest.fixture(params=["meetings", "webinars"])
def path(request, api, person):
    session = api.post(f"/users/{person['id']}/{request.param}", json={}).json()
    return f"/{request.param}/{session['id']}/polls"


@pytest.fixture
def poll(api, path):
    answer = api.post(path, json=POLL)
    assert answer.status_code == 201, answer.text
    assert answer.headers["Content-Location"] == f"/v2{path}/{answer.json()['id']}"
    PollDetails.model_validate_json(answer.content)
    return answer.json()


def test_a_poll_is_reported_as_it_was_made(api, path, poll):
    assert poll == {**POLL, "id": poll["id"], "status": "notstart"}
    assert api.get(f"{path}/{poll['id']}").json() == poll


def test_polls_are_listed_in_the_order_they_were_made(api, path, poll):
    second = api.post(path, json={"title": "Dinner"}).json()
    listed = api.get(path)
    PollList.model_validate_json(listed.content)
    assert listed.json() == {"polls": [poll, second], "total_records": 2}


def test_changing_a_poll_puts_all_of_it_anew(api, path, poll):
    done(api.put(f"{path}/{poll['id']}", json={"title": "Dinner"}))
    data = api.get(f"{path}/{poll['id']}").json()
    assert data == {"id": poll["id"], "status": "notstart", "title": "Dinner"}


def test_a_deleted_poll_is_gone(api, path, poll):
    done(api.delete(f"{path}/{poll['id']}"))
    refused(api.get(f"{path}/{poll['id']}"), 404)
    assert api.get(path).json() == {"polls": [], "total_records": 0}


def test_a_poll_belongs_to_its_own_meeting(api, person, path, poll):
    kind = path.split("/")[1]
    other = api.post(f"/users/{person['id']}/{kind}", json={}).json()["id"]
    for name in (f"/{kind}/{other}/polls/{poll['id']}", f"{path}/nobody", f"/{kind}/1/polls/1"):
        refused(api.get(name), 404)
        refused(api.put(name, json=POLL), 404)
        refused(api.delete(name), 404)
    assert api.get(f"{path}/{poll['id']}").json() == poll


def test_polls_of_something_unknown_are_not_found(api, path):
    kind = path.split("/")[1]
    refused(api.get(f"/{kind}/1/polls"), 404)
    refused(api.post(f"/{kind}/1/polls", json=POLL), 404)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"title": 1}, "title"),
        ({"questions": {}}, "questions"),
        ({"questions": [{"type": "open"}]}, "questions.0.type"),
        ({"questions": [{"answers": [1]}]}, "questions.0.answers.0"),
    ],
)
def test_a_poll_that_cannot_be_is_refused(api, path, given, field):
    refused(api.post(path, json=given), 400, field)
