"""Removal of people, and the new owners of their objects."""

import sqlite3
from contextlib import closing
from itertools import islice

import httpx
import pytest

from tests.sandbox.conftest import Json, MakePerson, done, everybody, new_person, refused
from tests.sandbox.test_recordings import HALF_A_YEAR
from tests.support.sandbox import Sandbox

KINDS = ("meeting", "webinar", "recording")
Owned = dict[str, set[str]]


def owned(api, person):
    """The UUIDs of a person's meetings, webinars and recordings."""

    def asked(what, records, **params):
        params["page_size"] = 300
        page = api.get(f"/users/{person['id']}/{what}", params=params).json()
        assert all(each["host_id"] == person["id"] for each in page[records])
        return {each["uuid"] for each in page[records]}

    return {
        "meeting": asked("meetings", "meetings", type="scheduled"),
        "webinar": asked("webinars", "webinars"),
        "recording": asked("recordings", "meetings", **HALF_A_YEAR),
    }


@pytest.fixture(scope="module")
def spacious(tmp_path_factory):
    """A sandbox whose people may be used up."""
    running = Sandbox(tmp_path_factory.mktemp("removal"), "--users=750", "--frozen")
    running.start()
    yield running
    running.client.close()
    running.stop()


@pytest.fixture(scope="module")
def account(spacious):
    return spacious.client


@pytest.fixture(scope="module")
def hosts(account):
    """Eleven who own some of everything, and are in no meeting: one that ends has another UUID."""
    live = {"type": "live"}
    licensed = (
        each
        for each in everybody(account)
        if each["type"] != 1
        and not account.get(f"/users/{each['id']}/meetings", params=live).json()["meetings"]
    )
    return list(islice((each for each in licensed if all(owned(account, each).values())), 11))


@pytest.mark.parametrize("action", ["disassociate", "delete"])
@pytest.mark.parametrize("kinds", [(), ("meeting",), ("webinar",), ("recording",), KINDS], ids=str)
def test_what_is_asked_for_goes_to_colleague_and_nothing_else(account, hosts, action, kinds):
    leaver, heir = hosts.pop(), new_person(account)
    left = owned(account, leaver)
    asked = {f"transfer_{kind}": "true" for kind in kinds}
    asked |= {"action": action, "transfer_email": heir["email"].upper()}

    done(account.delete(f"/users/{leaver['id']}", params=asked))

    assert owned(account, heir) == {kind: left[kind] if kind in kinds else set() for kind in KINDS}


def test_what_is_not_transferred_is_gone(spacious, hosts):
    leaver = hosts.pop()
    left = set().union(*owned(spacious.client, leaver).values())

    done(spacious.client.delete(f"/users/{leaver['id']}", params={"action": "delete"}))

    with closing(sqlite3.connect(spacious.data_dir / "sandbox.sqlite3")) as database:
        rows = database.execute(
            "SELECT uuid FROM sandbox_session UNION SELECT uuid FROM sandbox_recordedmeeting"
        ).fetchall()
    assert rows
    assert not left & {uuid for [uuid] in rows}


@pytest.mark.parametrize("action", [None, "disassociate", "delete"])
def test_who_is_removed_is_not_found_any_more(api, person, action):
    done(api.delete(f"/users/{person['id']}", params={"action": action} if action else {}))

    for name in (person["id"], person["email"]):
        refused(api.get(f"/users/{name}"), 404)
        refused(api.delete(f"/users/{name}"), 404)
    for status in ("active", "inactive", "pending"):
        assert person["id"] not in {each["id"] for each in everybody(api, status)}


def test_one_may_leave_by_email_with_the_flags_off(api, person):
    off = {f"transfer_{kind}": "false" for kind in KINDS}
    done(api.delete(f"/users/{person['email']}", params=off))


class TestColleague:
    def refuse(self, api: httpx.Client, person: Json, **asked: str) -> str:
        answer = api.delete(f"/users/{person['id']}", params=asked)
        refused(answer, 400, "transfer_email")
        assert api.get(f"/users/{person['id']}").status_code == 200
        return answer.json()["errors"][0]["message"]

    @pytest.mark.parametrize("kind", KINDS)
    def test_must_be_named_where_something_goes_to_them(
        self, api: httpx.Client, person: Json, kind: str
    ):
        self.refuse(api, person, **{f"transfer_{kind}": "true"})

    @pytest.mark.parametrize("email", ["nobody@brightwater.example", "nobody", "", "@"])
    def test_must_be_on_the_account(self, api: httpx.Client, person: Json, email: str):
        self.refuse(api, person, transfer_email=email, transfer_meeting="true")

    def test_must_be_named_by_email(self, api: httpx.Client, person: Json, make_person: MakePerson):
        self.refuse(api, person, transfer_email=make_person()["id"], transfer_meeting="true")

    def test_must_be_somebody_else(self, api: httpx.Client, person: Json):
        email = person["email"].upper()
        self.refuse(api, person, transfer_email=email, transfer_recording="true")

    @pytest.mark.parametrize("status", ["pending", "inactive"])
    def test_must_be_active(
        self, api: httpx.Client, person: Json, make_person: MakePerson, status: str
    ):
        heir = make_person(action="create" if status == "pending" else "autoCreate")
        if status == "inactive":
            done(api.put(f"/users/{heir['id']}/status", json={"action": "deactivate"}))
        self.refuse(api, person, transfer_email=heir["email"], transfer_webinar="true")


def test_other_actions_are_not_known(api, person):
    asked = {"action": "archive", "transfer_meeting": "perhaps"}
    answer = api.delete(f"/users/{person['id']}", params=asked)
    refused(answer, 400, "action", "transfer_meeting")


def test_the_owner_of_the_account_stays(account):
    for person in everybody(account):
        permissions = account.get(f"/users/{person['id']}/permissions").json()["permissions"]
        if "Billing:Edit" in permissions:
            answer = account.delete(f"/users/{person['id']}")
            assert "owner" in answer.json()["errors"][0]["message"]
            return
    raise AssertionError
