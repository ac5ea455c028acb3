"""Billing contacts and plans of sub accounts."""

import pytest

from tests.sandbox.conftest import done, refused
from tests.sandbox.test_accounts import listed, new_account

CONTACT = {
    "first_name": "Ann",
    "last_name": "Lee",
    "email": "billing@alder.example",
    "phone_number": "+1 212 555 0110",
    "address": "1 Mill Square",
    "city": "Denver",
    "state": "CO",
    "zip": "80202",
    "country": "US",
}
PRO = {"type": "Pro", "hosts": 5}


@pytest.fixture
def account(api):
    return new_account(api)


@pytest.fixture
def path(account):
    return f"/accounts/{account['id']}"


def test_invoices_go_to_the_owner_until_another_is_named(api, account, path):
    owner = {"first_name": "Ann", "last_name": "Lee", "email": account["owner_email"]}
    assert api.get(f"{path}/billing").json() == owner
    done(api.patch(f"{path}/billing", json={"city": "Porto", "apt": "4B"}))
    assert api.get(f"{path}/billing").json() == {**owner, "city": "Porto", "apt": "4B"}


def test_a_subscription_makes_the_account_what_its_base_plan_is(api, account, path):
    assert api.get(f"{path}/plans").json() == {}
    wanted = {"plan_base": PRO, "plan_recording": "cmr_monthly_40gb"}
    answer = api.post(f"{path}/plans", json={"contact": CONTACT, **wanted})

    assert answer.status_code == 201
    assert answer.json() == wanted == api.get(f"{path}/plans").json()
    assert api.get(f"{path}/billing").json() == CONTACT
    one = listed(api)[account["id"]]
    assert (one["account_type"], one["seats"]) == ("Pro", 5)
    assert one["subscription_start_time"] < one["subscription_end_time"]
    refused(api.post(f"{path}/plans", json={"contact": CONTACT}), 400, "body")


def test_a_subscription_needs_a_whole_contact(api, path):
    contact = {name: value for name, value in CONTACT.items() if name not in {"zip", "email"}}
    answer = api.post(f"{path}/plans", json={"contact": contact, "plan_base": PRO})
    refused(answer, 400, "contact.email", "contact.zip")


@pytest.mark.parametrize(
    ("kind", "fewest", "most"),
    [("Pro", 1, 9), ("Business", 10, 49), ("Education", 20, 149), ("Free Trial", 1, 9999)],
)
def test_a_base_plan_has_its_hosts(api, path, kind, fewest, most):
    base = f"{path}/plans/base"
    for hosts in (fewest - 1, most + 1):
        refused(api.put(base, json={"type": kind, "hosts": hosts}), 400, "hosts")
    for hosts in (fewest, most):
        done(api.put(base, json={"type": kind, "hosts": hosts}))
        plan = api.get(f"{path}/plans").json()["plan_base"]
        assert plan == {"type": kind, "hosts": hosts}


@pytest.mark.parametrize(
    ("kind", "field", "is_list"),
    [
        ("webinar500_yearly", "plan_webinar", True),
        ("large1000_monthly", "plan_large_meeting", True),
        ("confroom_yearly", "plan_conf_rooms", False),
        ("roomconnector_monthly", "plan_room_connector", False),
    ],
)
def test_an_add_on_is_added_once_and_then_changed(api, path, kind, field, is_list):
    addons = f"{path}/plans/addons"
    plan = {"type": kind, "hosts": 2}
    refused(api.put(addons, json=plan), 400, "type")
    added = api.post(addons, json=plan)
    assert (added.status_code, added.content) == (201, b"")
    refused(api.post(addons, json=plan), 400, "type")
    more = {**plan, "hosts": 3}
    done(api.put(addons, json=more))
    assert api.get(f"{path}/plans").json() == {field: [more] if is_list else more}


def test_recording_and_audio_are_plans_by_name(api, path):
    addons = f"{path}/plans/addons"
    assert api.post(addons, json={"type": "cmr_monthly_40gb", "hosts": 1}).status_code == 201
    assert api.post(addons, json={"type": "audio_monthly", "hosts": 1}).status_code == 201
    done(api.put(addons, json={"type": "cmr_monthly_1tb", "hosts": 1}))
    assert api.get(f"{path}/plans").json() == {
        "plan_audio": {"type": "audio_monthly"},
        "plan_recording": "cmr_monthly_1tb",
    }
    refused(api.post(addons, json={"type": "lunch", "hosts": 1}), 400, "type")
