"""Sub accounts: from creation to plans, settings and disassociation."""

from typing import Any

import pytest
from django.urls import reverse

from portal.account.services.plans import SubAccountPlan, change_in_words
from portal.audit.models import AuditEntry
from tests.account.conftest import owner
from tests.account.pages import address
from tests.support.dashboard_pages import rows_in, sent, words_of
from tests.support.fault_server import answer, depending
from tests.support.html import form_with, text_of

pytestmark = pytest.mark.django_db

Json = dict[str, Any]
CONTACT = {
    "first_name": "Ada",
    "last_name": "Lane",
    "email": "billing@north.example",
    "phone_number": "+44 20 7946 0000",
    "address": "1 High Street",
    "city": "London",
    "state": "",
    "zip": "N1",
    "country": "GB",
}


@pytest.fixture
def made(sandbox):
    """A sub account without plans."""
    person = owner()
    account = sandbox.client.post("/accounts", json=person).json()
    yield person | account
    sandbox.client.delete(f"/accounts/{account['id']}")


@pytest.fixture
def subscribed(sandbox, made):
    """The same with a base plan of five seats."""
    plans = {"contact": CONTACT, "plan_base": {"type": "Pro", "hosts": 5}}
    assert sandbox.client.post(f"/accounts/{made['id']}/plans", json=plans).status_code == 201
    return made


def test_one_is_created_once_and_found_in_the_list(client, connection, sandbox):
    url, data = address(connection, "sub-accounts-new"), owner()
    form = form_with(client.get(url).content.decode(), "email")
    for _ in range(2):
        response = client.post(url, form.values | data)
        assert response.status_code == 303, words_of(response.content)
    html = sent(client, address(connection, "sub-accounts", q=data["email"]))
    assert rows_in(html) == 1
    page = words_of(client.get(response["Location"]).content)
    assert data["email"] in page
    assert "This account has no plans yet." in page
    sandbox.client.delete(f"/accounts/{response['Location'].rstrip('/').rpartition('/')[2]}")


def test_an_owner_who_has_an_account_is_refused_at_the_field(client, connection, made):
    data = owner() | {"email": made["email"]}
    url = address(connection, "sub-accounts-new")
    form = form_with(client.get(url).content.decode(), "email")
    response = client.post(url, form.values | data)
    assert response.status_code == 422
    assert "An account with this email exists." in words_of(response.content)
    assert data["password"] not in response.content.decode()


def test_what_account_shares_is_changed_and_only_that_is_sent(client, connection, sandbox, made):
    url = address(connection, "sub-account-options", made["id"])
    form = form_with(client.get(url).content.decode(), "pay_mode")
    assert client.post(url, form.values | {"pay_mode": "sub"}).status_code == 303
    options = sandbox.client.get(f"/accounts/{made['id']}").json()["options"]
    assert options["pay_mode"] == "sub"
    entry = AuditEntry.objects.filter(operation="accounts.update_options", sent__isnull=False)
    assert entry.latest("sequence").sent == {"pay_mode": "sub"}


def test_the_billing_contact_is_changed(client, connection, sandbox, made):
    url = address(connection, "sub-account-contact", made["id"])
    form = form_with(client.get(url).content.decode(), "city")
    assert client.post(url, form.values | {"city": "Leeds"}).status_code == 303
    assert sandbox.client.get(f"/accounts/{made['id']}/billing").json()["city"] == "Leeds"
    assert "Leeds" in words_of(client.get(address(connection, "sub-account", made["id"])).content)


def test_an_account_without_plans_is_subscribed(client, connection, sandbox, made):
    url = address(connection, "sub-account-subscribe", made["id"])
    form = form_with(client.get(url).content.decode(), "contact.city")
    data = {f"contact.{name}": value for name, value in CONTACT.items()}
    data |= {"plan_base.type": "Pro", "plan_base.hosts": "5"}
    response = client.post(url, form.values | data)
    assert response.status_code == 303, words_of(response.content)
    plans = sandbox.client.get(f"/accounts/{made['id']}/plans").json()
    assert plans["plan_base"] == {"type": "Pro", "hosts": 5}


def test_change_of_plan_says_what_it_comes_to_before_it_is_sent(
    client, connection, sandbox, subscribed
):
    path = f"/accounts/{subscribed['id']}/plans"
    url = address(connection, "sub-account-base-plan", subscribed["id"])
    form = form_with(client.get(url).content.decode(), "hosts")
    assert (form.values["type"], form.values["hosts"]) == ("Pro", "5")
    given = form.values | {"type": "Business", "hosts": "20"}
    reviewed = client.post(url, given)
    text = words_of(reviewed.content)
    assert "The plan changes from Pro to Business." in text
    assert "It has 5 seats now, and 20 seats then: 15 more." in text
    assert "no way to cancel a plan" in text
    assert sandbox.client.get(path).json()["plan_base"]["hosts"] == 5

    said = form_with(reviewed.content.decode(), "hosts").values
    other = client.post(url, said | {"hosts": "30"})
    assert "25 more" in words_of(other.content)
    assert sandbox.client.get(path).json()["plan_base"]["hosts"] == 5
    assert client.post(url, said).status_code == 303
    assert sandbox.client.get(path).json()["plan_base"] == {"type": "Business", "hosts": 20}


def test_seats_that_plan_does_not_allow_are_refused_at_field(client, connection, subscribed):
    url = address(connection, "sub-account-base-plan", subscribed["id"])
    response = client.post(url, {"type": "Pro", "hosts": "50"})
    assert response.status_code == 422
    assert "A Pro plan has 1 to 9 hosts." in words_of(response.content)


def test_an_add_on_is_added_and_changed(client, connection, sandbox, subscribed):
    url = address(connection, "sub-account-plan-add", subscribed["id"])
    reviewed = client.post(url, {"type": "webinar500", "hosts": "2"})
    assert "webinar500 is added with 2 seats." in words_of(reviewed.content)
    said = form_with(reviewed.content.decode(), "hosts").values
    assert client.post(url, said).status_code == 303
    change = address(connection, "sub-account-plan-change", subscribed["id"], plan="webinar500")
    form = form_with(client.get(change).content.decode(), "hosts")
    assert form.values["hosts"] == "2"
    reviewed = client.post(change, form.values | {"hosts": "1"})
    assert "1 fewer" in words_of(reviewed.content)
    client.post(change, form_with(reviewed.content.decode(), "hosts").values)
    plans = sandbox.client.get(f"/accounts/{subscribed['id']}/plans").json()
    assert plans["plan_webinar"] == [{"type": "webinar500", "hosts": 1}]


def test_a_setting_is_found_reviewed_and_saved_alone(client, connection, sandbox, made):
    url = address(connection, "sub-account-settings", made["id"])
    page = client.get(f"{url}q=host video").content.decode()
    assert "Host video on" in page
    before = sandbox.client.get(f"/accounts/{made['id']}/settings").json()
    form = form_with(page, "schedule_meting.host_video")
    new = not before["schedule_meting"].get("host_video")
    given = form.values | {"schedule_meting.host_video": str(new).lower()}
    reviewed = client.post(address(connection, "sub-account-settings-review", made["id"]), given)
    assert "Host video on" in words_of(reviewed.content)
    saved = client.post(address(connection, "sub-account-settings-save", made["id"]), given)
    assert saved.status_code == 303
    now = sandbox.client.get(f"/accounts/{made['id']}/settings").json()
    before["schedule_meting"]["host_video"] = new
    assert now == before


def test_disassociating_leads_back_to_list_and_says_what_goes(client, connection, sandbox):
    account = sandbox.client.post("/accounts", json=owner()).json()
    url = address(connection, "sub-account-disassociate", account["id"])
    assert "can no longer be seen or changed from here" in words_of(client.get(url).content)
    assert client.post(url)["Location"] == reverse("account:sub-accounts", args=[connection.key])
    assert sandbox.client.get(f"/accounts/{account['id']}").status_code == 404


def test_the_history_of_an_account_has_what_was_changed(client, connection, made):
    url = address(connection, "sub-account-contact", made["id"])
    form = form_with(client.get(url).content.decode(), "city")
    client.post(url, form.values | {"city": "Leeds"})
    page = client.get(address(connection, "sub-account-history", made["id"]))
    assert "Leeds" in words_of(page.content)


def test_a_service_that_reports_little_leaves_no_hole(client, faulty, fault_server):
    nothing, no_domains = answer(200, {}), answer(200, {"domains": []})
    fault_server.always(depending(lambda seen: no_domains if "domains" in seen.path else nothing))
    text = words_of(client.get(address(faulty, "sub-account", "a1")).content)
    assert "No billing contact is set." in text
    assert "This account has no plans yet." in text


@pytest.mark.parametrize(
    ("before", "wanted", "words"),
    [
        (None, ("Pro", 1), ["Pro is added with 1 seat."]),
        (
            SubAccountPlan("Base plan", "Pro", 9),
            ("Pro", 5),
            [
                "It has 9 seats now, and 5 seats then: 4 fewer.",
                "People beyond that number can lose their licence.",
            ],
        ),
        (
            SubAccountPlan("Base plan", "Pro", None),
            ("Pro", 5),
            ["It has an unknown number of seats now, and 5 seats then."],
        ),
        (
            SubAccountPlan("Base plan", "Pro", 5),
            ("Pro", 5),
            ["Nothing changes: the account has this plan with as many seats."],
        ),
    ],
)
def test_a_change_is_said_in_words(before, wanted, words):
    assert change_in_words(before, *wanted) == words


@pytest.mark.parametrize(
    ("part", "typed"),
    [
        ("contact", {"city": "Leeds on the Aire"}),
        ("base-plan", {"type": "Business of ours", "hosts": "20"}),
        ("subscribe", {"contact.city": "Leeds on the Aire"}),
    ],
)
def test_what_was_typed_stays_while_the_service_does_not_answer(
    client, faulty, fault_server, part, typed
):
    fault_server.always(answer(503, {"message": "down"}))
    response = client.post(address(faulty, f"sub-account-{part}", "a1"), typed)
    assert response.status_code == 422
    html = response.content.decode()
    assert all(value in html for value in typed.values())


def test_account_whose_plans_cannot_be_had_has_its_page(client, faulty, fault_server):
    def respond(seen):
        if seen.path.endswith("/plans"):
            return answer(400, {"code": 200, "message": "No permission."})
        return answer(200, {"id": "a1", "domains": [], "address": "1 Main Street"})

    fault_server.always(depending(respond))
    page = client.get(f"/c/{faulty.key}/account/sub-accounts/a1/")
    assert page.status_code == 200
    assert "No permission." in text_of(page.text)
