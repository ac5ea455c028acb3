"""The four ways to create a person."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from portal.contract.users import CreatedUser, UserDetails
from tests.sandbox.conftest import MakePerson, done, fresh_email, refused
from tests.support import plain_http

ACTIONS = ["create", "autoCreate", "custCreate", "ssoCreate"]


@pytest.mark.parametrize("action", ACTIONS)
def test_reports_who_was_created_and_where_they_are(api, action):
    info = {"email": fresh_email(), "first_name": "José", "last_name": "O'Brien-Łuk", "type": 2}
    if action == "autoCreate":
        info["password"] = "correct horse"
    answer = api.post("/users", json={"action": action, "user_info": info})

    created = CreatedUser.model_validate_json(answer.content)
    assert answer.status_code == 201
    assert created.sent() == {
        "id": created.id,
        **{name: value for name, value in info.items() if name != "password"},
    }
    assert answer.headers["content-location"] == f"/v2/users/{created.id}"
    found = UserDetails.model_validate_json(api.get(f"/users/{created.id}").content)
    assert (found.email, found.first_name) == (info["email"], "José")
    assert len(found.pmi) == 10
    assert len(found.host_key) == 6


@pytest.mark.parametrize(
    ("action", "status"),
    [
        ("create", "pending"),
        ("autoCreate", "active"),
        ("custCreate", "active"),
        ("ssoCreate", "active"),
    ],
)
def test_only_the_invited_wait_for_their_activation(api, make_person, action, status):
    person = make_person(action=action)
    verified = api.get(f"/users/{person['id']}").json()["verified"]

    assert bool(verified) == (status == "active")


@pytest.mark.parametrize(
    ("action", "login_type"),
    [("create", "100"), ("autoCreate", "100"), ("custCreate", "99"), ("ssoCreate", "101")],
)
def test_a_person_has_the_sign_in_they_were_created_with(api, make_person, action, login_type):
    path = f"/users/{make_person(action=action)['id']}"
    for asked in ("0", "1", "99", "100", "101"):
        expected = 200 if asked == login_type else 404
        for below in ("", "/settings"):
            answer = api.get(path + below, params={"login_type": asked})
            assert answer.status_code == expected


class TestPassword:
    @pytest.mark.parametrize("action", ["create", "custCreate", "ssoCreate"])
    def test_is_refused_where_the_person_sets_it_or_has_none(self, api: httpx.Client, action: str):
        info = {"email": fresh_email(), "type": 1, "password": "correct horse"}
        answer = api.post("/users", json={"action": action, "user_info": info})
        refused(answer, 400, "user_info.password")

    @pytest.mark.parametrize("given", [{}, {"password": None}, {"password": "short"}])
    def test_is_required_where_the_administrator_sets_it(
        self, api: httpx.Client, given: dict[str, str]
    ):
        info = {"email": fresh_email(), "type": 1, **given}
        answer = api.post("/users", json={"action": "autoCreate", "user_info": info})
        refused(answer, 400, "user_info.password")


class TestEmail:
    @pytest.mark.parametrize("status", ["active", "inactive", "pending"])
    def test_that_anyone_has_is_a_conflict_whatever_its_case(
        self, api: httpx.Client, make_person: MakePerson, status: str
    ):
        person = make_person(action="create" if status == "pending" else "autoCreate")
        if status == "inactive":
            done(api.put(f"/users/{person['id']}/status", json={"action": "deactivate"}))
        info = {"email": person["email"].upper(), "type": 1}

        answer = api.post("/users", json={"action": "create", "user_info": info})

        assert "exists" in refused(answer, 409, "user_info.email")

    def test_that_many_want_at_once_is_given_to_one(self, api: httpx.Client):
        body = {"action": "create", "user_info": {"email": fresh_email(), "type": 1}}
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda _: api.post("/users", json=body), range(16)))

        assert Counter(each.status_code for each in answers) == {201: 1, 409: 15}

    def test_of_someone_who_left_is_free_again(self, api: httpx.Client, make_person: MakePerson):
        person = make_person()
        done(api.delete(f"/users/{person['id']}"))

        assert make_person(email=person["email"])["id"] != person["id"]

    def test_can_be_asked_for(self, api: httpx.Client, make_person: MakePerson):
        taken = make_person(action="create")["email"]

        asked = [
            api.get("/users/email", params={"email": email}).json()
            for email in (taken, taken.upper(), fresh_email(), "no address")
        ]

        assert [each["existed_email"] for each in asked] == [True, True, False, False]


class TestPersonalLink:
    def link(self, api: httpx.Client, person_id: str) -> str:
        return api.get(f"/users/{person_id}").json()["vanity_url"].rpartition("/")[2]

    def test_of_a_licensed_sso_user_is_the_name_in_their_email(
        self, api: httpx.Client, make_person: MakePerson
    ):
        email = f"Ann.{fresh_email()}"
        person = make_person(action="ssoCreate", email=email, type=3)

        assert self.link(api, person["id"]) == email.partition("@")[0].lower()

    def test_is_a_random_one_if_that_name_is_taken(
        self, api: httpx.Client, make_person: MakePerson
    ):
        email = f"ann.{fresh_email()}"
        make_person(action="ssoCreate", email=email)
        name = email.partition("@")[0]
        person = make_person(action="ssoCreate", email=f"{name}@other.example")

        link = self.link(api, person["id"])

        assert link
        assert link != name

    @pytest.mark.parametrize("local_part", ["7", "żółw", "a+b", "x" * 60])
    def test_is_a_random_one_if_that_name_will_not_do(
        self, api: httpx.Client, make_person: MakePerson, local_part: str
    ):
        email = f"{local_part}@{fresh_email().replace('@', '.')}"
        person = make_person(action="ssoCreate", email=email)

        assert self.link(api, person["id"]) not in {"", local_part}

    @pytest.mark.parametrize(
        ("action", "licence"), [("ssoCreate", 1), ("create", 2), ("custCreate", 2)]
    )
    def test_is_made_for_nobody_else(
        self, api: httpx.Client, make_person: MakePerson, action: str, licence: int
    ):
        assert self.link(api, make_person(action=action, type=licence)["id"]) == ""


def test_of_many_who_ask_for_one_email_at_once_one_gets_it(sandbox):
    wanted = [fresh_email(), fresh_email()]

    def ask(at):
        email = wanted[at % 2]
        body = {"action": "create", "user_info": {"email": email, "type": 1}}
        headers = {"Authorization": f"Bearer {sandbox.token}"}
        return email, plain_http.post(
            f"{sandbox.url}/users", json=body, headers=headers
        ).status_code

    with ThreadPoolExecutor(8) as pool:
        answers = Counter(pool.map(ask, range(24)))
    assert answers == Counter(
        {(each, 201): 1 for each in wanted} | {(each, 409): 11 for each in wanted}
    )
