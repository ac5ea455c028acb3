"""Sub accounts: their life, options, settings and domains."""

import pytest

from portal.contract.accounts import AccountPage
from tests.sandbox.conftest import done, fresh_email, refused


@pytest.fixture
def account(api):
    return new_account(api)


def new_account(api, **given):
    owner = {"email": fresh_email(), "first_name": "Ann", "last_name": "Lee"}
    answer = api.post("/accounts", json={**owner, "password": "correct horse", **given})
    assert answer.status_code == 201, answer.text
    created = answer.json()
    assert answer.headers["content-location"] == f"/v2/accounts/{created['id']}"
    return created


def listed(api):
    found = api.get("/accounts", params={"page_size": 300}).json()["accounts"]
    return {each["id"]: each for each in found}


def test_the_sample_account_has_some_with_plans_and_some_without(api):
    page = AccountPage.read(api.get("/accounts", params={"page_size": 10}).content)

    assert page.page_count == len(page.accounts) == 10
    assert page.total_records >= 12
    kinds = {each["account_type"] for each in listed(api).values()}
    assert {"Basic", "Business"} <= kinds
    names = [each.account_name for each in page.accounts]
    assert names == sorted(names)


def test_a_new_one_is_reported_and_listed(api, account):
    assert set(account) == {"id", "owner_id", "owner_email", "created_at"}
    data = api.get(f"/accounts/{account['id']}").json()
    for name in account:
        assert data[name] == account[name]
    assert data["options"] == {"pay_mode": "master", "share_mc": False, "share_rc": False}
    one = listed(api)[account["id"]]
    assert (one["account_name"], one["account_type"], one["seats"]) == ("Ann Lee", "Basic", 1)
    assert "subscription_start_time" not in one


def test_an_owner_owns_one_account_only(api, account, person):
    for email in (account["owner_email"].upper(), person["email"]):
        body = {"email": email, "first_name": "A", "last_name": "L", "password": "correct horse"}
        refused(api.post("/accounts", json=body), 409, "email")


def test_one_without_an_owner_is_refused(api):
    refused(
        api.post("/accounts", json={"password": "short"}),
        400,
        "email",
        "first_name",
        "last_name",
        "password",
    )


def test_options_change_one_by_one(api):
    account = new_account(api, options={"pay_mode": "sub", "meeting_connectors": "10.0.0.1"})
    path = f"/accounts/{account['id']}"
    done(api.patch(f"{path}/options", json={"share_rc": True}))

    assert api.get(path).json()["options"] == {
        "pay_mode": "sub",
        "share_mc": False,
        "share_rc": True,
        "meeting_connectors": "10.0.0.1",
    }
    refused(api.patch(f"{path}/options", json={"pay_mode": "nobody"}), 400, "pay_mode")


def test_one_that_is_let_go_is_gone(api, account):
    path = f"/accounts/{account['id']}"
    done(api.delete(path))

    refused(api.delete(path), 404)
    refused(api.get(path), 404)
    assert account["id"] not in listed(api)
    new_account(api, email=account["owner_email"])


def test_domains_are_those_of_its_people(api, account):
    assert api.get(f"/accounts/{account['id']}/managed_domains").json() == {
        "domains": [],
        "total_records": 0,
    }
    found = [api.get(f"/accounts/{each}/managed_domains").json() for each in listed(api)]
    statuses = {domain["status"] for each in found for domain in each["domains"]}
    assert statuses == {"verified", "pending"}


def test_settings_change_one_by_one(api, account):
    path = f"/accounts/{account['id']}/settings"
    before = api.get(path).json()
    assert before["schedule_meting"]["audio_type"] == "both"
    assert before["feature"]["meeting_capacity"] == 100
    done(
        api.patch(
            path,
            json={
                "in_meeting": {"p2p_connetion": True, "ports_range": "8801,8802"},
                "email_notification": {"cloud_recording_avaliable_reminder": False},
            },
        )
    )

    before["in_meeting"].update(p2p_connetion=True, ports_range="8801,8802")
    before["email_notification"]["cloud_recording_avaliable_reminder"] = False
    assert api.get(path).json() == before


def test_settings_have_their_limits(api, account):
    path = f"/accounts/{account['id']}/settings"
    beyond = {"in_meeting": {"dscp_audio": 64, "ports_range": "0"}}
    refused(api.patch(path, json=beyond), 400, "in_meeting.dscp_audio", "in_meeting.ports_range")
    larger = {"feature": {"meeting_capacity": 500}}
    refused(api.patch(path, json=larger), 400, "feature.meeting_capacity")
    plan = {"type": "large500_yearly", "hosts": 1}
    assert api.post(f"/accounts/{account['id']}/plans/addons", json=plan).status_code == 201
    done(api.patch(path, json=larger))


def test_unknown_ones_are_not_found(api):
    for method, path, body in (
        ("GET", "", None),
        ("DELETE", "", None),
        ("PATCH", "/options", {}),
        ("GET", "/managed_domains", None),
        ("GET", "/settings", None),
        ("PATCH", "/settings", {}),
        ("GET", "/billing", None),
        ("PATCH", "/billing", {}),
        ("GET", "/plans", None),
        ("POST", "/plans/addons", {"type": "webinar100", "hosts": 1}),
        ("PUT", "/plans/addons", {"type": "webinar100", "hosts": 1}),
        ("PUT", "/plans/base", {"type": "Pro", "hosts": 1}),
    ):
        answer = api.request(method, f"/accounts/nothing{path}", json=body)
        assert refused(answer, 404) == "There is no such account."
