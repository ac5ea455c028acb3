"""The account that is made up looks like a real one."""

import unicodedata
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from tests.sandbox.conftest import everybody
from tests.support.sandbox import Sandbox


@pytest.fixture(scope="module")
def account(tmp_path_factory):
    """As it is without any flags: 250 people."""
    running = Sandbox(tmp_path_factory.mktemp("sample"), "--users=250")
    running.start()
    yield running.client
    running.client.close()
    running.stop()


@pytest.fixture(scope="module")
def people(account):
    statuses = ("active", "inactive", "pending")
    return [each for status in statuses for each in everybody(account, status)]


def test_most_people_are_active_some_deactivated_or_pending(account):
    numbers = [len(everybody(account, each)) for each in ("active", "inactive", "pending")]
    assert sum(numbers) == 250
    assert numbers[0] > 200
    assert min(numbers) >= 5


@pytest.mark.parametrize(
    ("field", "least"), [("type", 3), ("dept", 8), ("timezone", 20), ("last_client_version", 5)]
)
def test_people_differ(people, field, least):
    assert len({each[field] for each in people}) >= least


@pytest.mark.parametrize("field", ["id", "email", "pmi"])
def test_what_must_be_unique_is(people, field):
    assert len({each[field].lower() for each in people}) == len(people)


def test_names_are_written_as_their_bearers_write_them(people):
    names = [each["first_name"] + each["last_name"] for each in people]
    scripts = {
        unicodedata.name(letter).split()[0] for name in names for letter in name if letter.isalpha()
    }

    assert {"LATIN", "CYRILLIC", "CJK", "ARABIC", "DEVANAGARI"} <= scripts
    assert any("'" in name for name in names)
    assert any("-" in name for name in names)
    assert all(each["email"].isascii() for each in people)


def test_most_were_here_lately_and_some_never(people):
    now = datetime.now(UTC)
    seen = [
        datetime.fromisoformat(each.get("last_login_time") or "0001-01-01T00:00Z")
        for each in people
    ]

    assert sum(now - moment < timedelta(days=30) for moment in seen) > 100
    assert sum(now - moment > timedelta(days=60) for moment in seen) > 20
    assert sum(moment.year == 1 for moment in seen) > 10
    assert all(moment <= now for moment in seen)


def test_nobody_was_here_before_they_came(people):
    for each in people:
        assert each.get("last_login_time", "9") >= each["created_at"]


def test_people_have_what_people_have(account, people):
    has: Counter[str] = Counter()
    settings = {each["id"]: account.get(f"/users/{each['id']}/settings").text for each in people}
    usual = {one for one, count in Counter(settings.values()).items() if count > 20}
    for each in people:
        path = f"/users/{each['id']}"
        profile = account.get(path).json()
        has["personal link"] += bool(profile["vanity_url"])
        has["content system ID"] += bool(profile["cms_user_id"])
        has["assistants"] += bool(account.get(f"{path}/assistants").json()["assistants"])
        has["TSP accounts"] += bool(account.get(f"{path}/tsp").json()["tsp_accounts"])
        has["PAC accounts"] += bool(account.get(f"{path}/pac").json()["tsp_accounts"])
        has["settings of their own"] += settings[each["id"]] not in usual
        has["groups"] += bool(each["group_ids"])
        has["IM groups"] += bool(each["im_group_ids"])

    assert len(has) == 8
    for what, number in has.items():
        assert 5 <= number <= 200, what


def test_recordings_are_orderly_but_for_a_handful(account, people):
    today = datetime.now(UTC).date()
    days = {"from": f"{today - timedelta(days=29)}", "to": f"{today}", "page_size": 300}
    shared: Counter[str] = Counter()
    for each in people:
        for one in account.get(f"/users/{each['id']}/recordings", params=days).json()["meetings"]:
            answer = account.get(f"/meetings/{one['uuid']}/recordings/settings")
            if answer.status_code == 200:
                is_open = answer.json()["share_recording"] == "publicly"
                shared["open" if is_open and not answer.json()["password"] else "orderly"] += 1
    assert shared["orderly"] > 20
    assert 0 < shared["open"] * 5 < shared["orderly"]


def test_departments_differ_in_licences(people):
    basic = {
        dept: sum(each["dept"] == dept and each["type"] == 1 for each in people)
        for dept in ("Sales", "Operations")
    }
    assert basic["Sales"] == 0 < basic["Operations"]
