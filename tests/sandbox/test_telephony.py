"""TSP and PAC accounts."""

import pytest

from portal.contract.telephony import NumberedTspAccount, PacAccountList
from tests.sandbox.conftest import done, everybody, refused

ACCOUNT = {
    "conference_code": "123456",
    "leader_pin": "0042",
    "dial_in_numbers": [
        {"code": "+49", "country_label": "DE", "number": "3023125014", "type": "toll"}
    ],
}


def create(api, person, **changes):
    answer = api.post(f"/users/{person['id']}/tsp", json={**ACCOUNT, **changes})
    assert answer.status_code == 201, answer.text
    assert "content-location" not in answer.headers
    return answer.json()


def indexes(api, person):
    listed = api.get(f"/users/{person['id']}/tsp").json()["tsp_accounts"]
    return [NumberedTspAccount.model_validate(each).id or "" for each in listed]


def test_tsp_accounts_are_counted_from_one(api, person):
    assert indexes(api, person) == []

    assert create(api, person) == {"id": "1", **ACCOUNT}
    assert create(api, person, conference_code="9")["id"] == "2"

    assert indexes(api, person) == ["1", "2"]
    data = api.get(f"/users/{person['id']}/tsp/2").json()
    assert data == {**ACCOUNT, "id": "2", "conference_code": "9"}


def test_tsp_accounts_keep_their_index_when_others_go(api, person):
    for _ in range(3):
        create(api, person)

    done(api.delete(f"/users/{person['id']}/tsp/1"))

    assert indexes(api, person) == ["2", "3"]
    assert create(api, person)["id"] == "4"


def test_a_change_of_a_tsp_account_keeps_what_was_not_sent(api, person):
    create(api, person)
    change = {"conference_code": "77", "leader_pin": "88"}

    done(api.patch(f"/users/{person['id']}/tsp/1", json=change))

    assert api.get(f"/users/{person['id']}/tsp/1").json() == {**ACCOUNT, "id": "1", **change}


@pytest.mark.parametrize("index", ["0", "2", "-1", "one", "1.0", "٣", "9" * 40, "%20"])
@pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
def test_an_unknown_tsp_account_is_not_found(api, person, method, index):
    create(api, person)
    body = {"json": ACCOUNT} if method == "PATCH" else {}
    refused(api.request(method, f"/users/{person['id']}/tsp/{index}", **body), 404)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"conference_code": ""}, "conference_code"),
        ({"conference_code": "1" * 17}, "conference_code"),
        ({"conference_code": "12a"}, "conference_code"),
        ({"leader_pin": "1 2"}, "leader_pin"),
        ({"leader_pin": None}, "leader_pin"),
        ({"dial_in_numbers": [{}]}, "dial_in_numbers.0.number"),
        ({"dial_in_numbers": [{"number": "1" * 17}]}, "dial_in_numbers.0.number"),
        ({"dial_in_numbers": [{"number": "1", "code": "+123456"}]}, "dial_in_numbers.0.code"),
        ({"dial_in_numbers": [{"number": "1", "type": "free"}]}, "dial_in_numbers.0.type"),
    ],
)
def test_a_tsp_account_that_breaks_the_limits_is_refused(api, person, change, field):
    refused(api.post(f"/users/{person['id']}/tsp", json={**ACCOUNT, **change}), 400, field)
    assert indexes(api, person) == []


def test_a_person_has_only_their_own_accounts(api, person):
    create(api, person)
    [other, *_] = [each for each in everybody(api) if each["id"] != person["id"]]
    before = indexes(api, other)

    create(api, person)

    assert indexes(api, other) == before


def test_some_people_have_pac_accounts_and_a_new_one_has_none(api, person):
    assert api.get(f"/users/{person['id']}/pac").json() == {"tsp_accounts": []}

    answer = [api.get(f"/users/{each['id']}/pac").content for each in everybody(api)]

    accounts = [PacAccountList.model_validate_json(each).tsp_accounts for each in answer]
    assert any(accounts)
