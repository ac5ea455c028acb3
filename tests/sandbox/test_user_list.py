"""Lists of people: by status, in pages."""

from itertools import count

import pytest

from portal.contract.users import User, UserDetails, UserPage
from tests.sandbox.conftest import done, everybody


def test_reports_active_people_unless_asked_for_others(api):
    assert api.get("/users").json() == api.get("/users", params={"status": "active"}).json()


@pytest.mark.parametrize(
    ("action", "status"), [(None, "active"), ("activate", "active"), ("deactivate", "inactive")]
)
def test_reports_each_person_under_their_status_alone(api, person, action, status):
    if action:
        done(api.put(f"/users/{person['id']}/status", json={"action": action}))

    where = {
        each: person["id"] in {listed["id"] for listed in everybody(api, each)}
        for each in ("active", "inactive", "pending")
    }

    assert where == {each: each == status for each in where}


def test_the_invited_are_pending_until_they_are_activated(api, make_person):
    person = make_person(action="create")
    assert person["id"] in {each["id"] for each in everybody(api, "pending")}

    done(api.put(f"/users/{person['id']}/status", json={"action": "activate"}))

    assert person["id"] in {each["id"] for each in everybody(api)}


def test_pages_hold_every_person_once(api):
    values = []
    for number in count(1):
        asked = {"page_size": 7, "page_number": number}
        page = api.get("/users", params=asked).json()
        assert page["page_size"] == 7
        assert page["page_number"] == number
        assert page["page_count"] == len(page["users"])
        values.extend(each["id"] for each in page["users"])
        if page["page_count"] < 7:
            break

    assert len(values) == len(set(values)) == page["total_records"]


def test_a_page_holds_thirty_people_unless_asked_for_more(api):
    page = api.get("/users").json()
    assert (page["page_size"], page["page_number"], len(page["users"])) == (30, 1, 30)


def test_listed_people_match_contract_and_single_read(api):
    page = UserPage.model_validate_json(api.get("/users", params={"page_size": 300}).content)

    for listed in page.users:
        single = UserDetails.model_validate_json(api.get(f"/users/{listed.id}").content)
        assert listed.sent() == {
            name: value for name, value in single.sent().items() if name in User.model_fields
        }


def test_a_change_shows_in_the_list_at_once(api, person):
    change = {"first_name": "Ümit", "last_name": "O'Neill", "dept": "Legal", "type": 3}
    done(api.patch(f"/users/{person['id']}", json=change))

    [listed] = [each for each in everybody(api) if each["id"] == person["id"]]

    assert {name: listed[name] for name in change} == change
