"""The recordings of one meeting: trash, recovery, and who may watch. On an account of its own."""

from datetime import UTC, datetime, timedelta

import httpx
import pytest

from portal.contract.path import encoded
from portal.contract.recordings import RecordedMeeting, RecordingSettings
from tests.sandbox.conftest import Json, done, everybody, refused
from tests.support.sandbox import Sandbox

TODAY = datetime.now(UTC).date()
HALF_A_YEAR = {"from": str(TODAY - timedelta(days=200)), "to": str(TODAY), "page_size": "300"}


@pytest.fixture(scope="module")
def account(tmp_path_factory):
    running = Sandbox(tmp_path_factory.mktemp("recorded"))
    running.start()
    yield running.client
    running.client.close()
    running.stop()


def listed(account, host, trash=False):
    asked = {**HALF_A_YEAR, "trash": str(trash).lower()}
    page = account.get(f"/users/{host}/recordings", params=asked).json()
    return {each["uuid"]: each for each in page["meetings"]}


def address(recorded):
    return f"/meetings/{encoded(recorded['uuid'])}/recordings"


@pytest.fixture(scope="module")
def unspoilt(account):
    """Recordings with several files, which tests take one by one."""
    return [
        each
        for person in everybody(account)
        for each in listed(account, person["id"]).values()
        if len(each["recording_files"]) > 1
    ]


@pytest.fixture
def recorded(unspoilt):
    return unspoilt.pop()


def test_go_by_uuid_slashes_and_all_or_by_number(account, unspoilt):
    assert any("/" in each["uuid"] for each in unspoilt)
    for each in unspoilt[:20]:
        for name in (encoded(each["uuid"]), each["id"]):
            answer = account.get(f"/meetings/{name}/recordings")
            RecordedMeeting.model_validate_json(answer.content)
            assert answer.json() == each


def test_unknown_ones_are_not_found(account):
    recovery = {"action": "recover"}
    for name in ("1", "9" * 30, "nobody"):
        path = f"/meetings/{name}/recordings"
        refused(account.get(path), 404)
        refused(account.delete(path), 404)
        refused(account.put(f"{path}/status", json=recovery), 404)
        refused(account.get(f"{path}/settings"), 404)
        refused(account.patch(f"{path}/settings", json={}), 404)
        refused(account.delete(f"{path}/1"), 404)
        refused(account.put(f"{path}/1/status", json=recovery), 404)


def test_go_to_the_trash_and_come_back(account, recorded):
    path, host, uuid = address(recorded), recorded["host_id"], recorded["uuid"]
    done(account.delete(path))
    refused(account.get(path), 404)
    assert uuid not in listed(account, host)
    for file in listed(account, host, trash=True)[uuid]["recording_files"]:
        assert datetime.now(UTC) - datetime.fromisoformat(file["deleted_time"]) < timedelta(
            minutes=5
        )

    done(account.put(f"{path}/status", json={"action": "recover"}))

    assert account.get(path).json() == recorded
    assert listed(account, host)[uuid] == recorded
    assert uuid not in listed(account, host, trash=True)


@pytest.mark.parametrize("trashed_before", [False, True])
def test_are_deleted_for_good(account, recorded, trashed_before):
    path, host = address(recorded), recorded["host_id"]
    if trashed_before:
        done(account.delete(path))
    done(account.delete(path, params={"action": "delete"}))
    refused(account.get(path), 404)
    refused(account.put(f"{path}/status", json={"action": "recover"}), 404)
    for trash in (False, True):
        assert recorded["uuid"] not in listed(account, host, trash)


class TestOneFile:
    def test_goes_to_the_trash_and_comes_back(self, account: httpx.Client, recorded: Json):
        path, host, uuid = address(recorded), recorded["host_id"], recorded["uuid"]
        file, *others = recorded["recording_files"]

        done(account.delete(f"{path}/{file['id']}"))

        data = account.get(path).json()
        assert data["recording_files"] == others
        assert data["recording_count"] == str(len(others))
        assert data["total_size"] == str(sum(each["file_size"] for each in others))
        [trashed] = listed(account, host, trash=True)[uuid]["recording_files"]
        assert trashed["file_type"] == file["file_type"]
        assert trashed["deleted_time"]
        done(account.put(f"{path}/{trashed['id']}/status", json={"action": "recover"}))
        assert account.get(path).json() == recorded

    def test_is_deleted_for_good(self, account: httpx.Client, recorded: Json):
        path = address(recorded)
        file, *others = recorded["recording_files"]
        done(account.delete(f"{path}/{file['id']}", params={"action": "delete"}))
        refused(account.put(f"{path}/{file['id']}/status", json={"action": "recover"}), 404)
        assert account.get(path).json()["recording_files"] == others

    def test_is_one_of_its_own_meeting(
        self, account: httpx.Client, recorded: Json, unspoilt: list[Json]
    ):
        other = unspoilt[0]["recording_files"][0]["id"]
        refused(account.delete(f"{address(recorded)}/{other}"), 404)


@pytest.mark.parametrize("action", ["burn", "recover", ""])
def test_are_removed_in_two_ways_only(account, recorded, action):
    refused(account.delete(address(recorded), params={"action": action}), 400, "action")
    answer = account.put(f"{address(recorded)}/status", json={"action": "delete"})
    refused(answer, 400, "action")


class TestSettings:
    def test_change_one_by_one(self, account: httpx.Client, recorded: Json):
        path = f"{address(recorded)}/settings"
        before = account.get(path).json()
        RecordingSettings.model_validate(before)
        assert set(before) == set(RecordingSettings.model_fields)
        change = {"share_recording": "internally", "password": "s3cret", "approval_type": 1}
        done(account.patch(path, json=change))
        done(account.patch(path, json={"viewer_download": False}))
        assert account.get(path).json() == {**before, **change, "viewer_download": False}

    @pytest.mark.parametrize(
        ("given", "field"),
        [
            ({"share_recording": "everyone"}, "share_recording"),
            ({"approval_type": 3}, "approval_type"),
            ({"on_demand": "perhaps"}, "on_demand"),
        ],
    )
    def test_that_cannot_be_are_refused(
        self, account: httpx.Client, recorded: Json, given: Json, field: str
    ):
        refused(account.patch(f"{address(recorded)}/settings", json=given), 400, field)
