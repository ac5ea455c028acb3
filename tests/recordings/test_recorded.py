"""Recordings: put into the trash, taken out of it, deleted for good, and shared."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from portal.access.models import Connection
from portal.audit.models import AuditEntry
from portal.contract.path import encoded
from portal.contract.recordings import RecordedMeeting, file_in_words
from portal.meetings.spec import MEETINGS
from tests.support.fault_server import answer, depending
from tests.support.html import form_with, forms, text_of
from tests.support.portal import admin_client_for, member
from tests.support.samples import sample
from tests.support.sandbox import Sandbox
from tests.support.session_pages import spec_url

pytestmark = pytest.mark.django_db

TODAY = datetime.now(UTC).date()
PANEL = {"HX-Request": "true", "HX-Target": "panel"}
PART = {"HX-Request": "true", "HX-Target": "watching"}
DIALOG = {"HX-Request": "true", "HX-Target": "dialog-body"}
TYPED = {"confirmation": "delete"}
SECRET = "sesame-81725"


class Recording:
    """One time that was recorded, in the sandbox, and the portal's pages about it."""

    def __init__(self, sandbox: Sandbox, connection: Connection, recording: dict[str, Any]) -> None:
        self._service, self._connection = sandbox.client, connection
        self.number, self.uuid, self.host = (
            str(recording["id"]),
            recording["uuid"],
            recording["host_id"],
        )
        self.files = {one["id"]: one for one in recording["recording_files"]}

    def url(self, name: str, *more: str) -> str:
        return spec_url(self._connection, MEETINGS, name, self.number, *more)

    def of(self, name: str, *more: str) -> str:
        return self.url(name, self.uuid, *more)

    @property
    def _address(self) -> str:
        return f"/meetings/{encoded(self.uuid)}/recordings"

    def kept(self) -> set[str]:
        data = self._service.get(self._address)
        found = data.json()["recording_files"] if data.status_code == 200 else []
        return {one["id"] for one in found}

    def in_trash(self) -> int:
        asked = {**_days(), "trash": "true"}
        page = self._service.get(f"/users/{self.host}/recordings", params=asked).json()
        found = [one for one in page["meetings"] if one["uuid"] == self.uuid]
        return len(found[0]["recording_files"]) if found else 0

    def settings(self) -> dict[str, Any]:
        return dict(self._service.get(f"{self._address}/settings").json())

    def set(self, **changes: Any) -> None:
        """Changes them behind the portal's back."""
        done = self._service.patch(f"{self._address}/settings", json=changes)
        assert done.status_code == 204, done.text


def _days():
    return {"from": str(TODAY - timedelta(days=190)), "to": str(TODAY), "page_size": "300"}


@pytest.fixture
def recording(sandbox, connection):
    """The recording with the most files; with a slash in its UUID where there is one."""
    found = []
    for user in sandbox.people():
        page = sandbox.client.get(f"/users/{user['id']}/recordings", params=_days()).json()
        found += page["meetings"]
        if len(found) > 30:
            break
    best = max(found, key=lambda one: (len(one["recording_files"]) > 2, "/" in one["uuid"]))
    assert len(best["recording_files"]) > 2
    # What another test left in the trash comes back first.
    path = f"/meetings/{encoded(best['uuid'])}/recordings"
    sandbox.client.put(f"{path}/status", json={"action": "recover"})
    return Recording(sandbox, connection, best | sandbox.client.get(path).json())


def _recovery(page, address):
    return next((one for one in forms(page) if one.action == address), None)


def test_one_file_goes_into_the_trash_and_comes_back(client, recording):
    file_id, *others = recording.files
    asked = recording.of("recording-remove", file_id, "trash")
    tab = recording.url("recordings")
    assert f'href="{asked}"' in client.get(tab, headers=PANEL).text
    question = client.get(asked, headers=DIALOG)
    assert "You can recover" in text_of(question.text)
    assert recording.in_trash() == 0
    done = client.post(asked)
    assert (done.status_code, done.headers["Location"]) == (303, tab)
    assert recording.kept() == set(others)
    assert recording.in_trash() == 1
    page = client.get(tab, headers=PANEL).text
    assert "deleted" in text_of(page)
    # The service reports no id of what is in the trash: this one is known from its removal.
    back = recording.of("recording-recover", file_id)
    assert _recovery(page, back)
    assert client.post(back).status_code == 303
    assert recording.kept() == {file_id, *others}
    assert recording.in_trash() == 0
    assert "In the trash" not in client.get(tab, headers=PANEL).text


def test_files_trashed_elsewhere_come_back_alone_or_together(client, recording, sandbox):
    first, second, *others = recording.files
    for file_id in (first, second):
        path = f"/meetings/{encoded(recording.uuid)}/recordings/{file_id}"
        assert sandbox.client.delete(path).status_code == 204
    page = client.get(recording.url("recordings"), headers=PANEL).text
    one, back = recording.of("recording-recover", first), recording.of("recordings-recover")
    assert _recovery(page, one)
    assert _recovery(page, back)
    assert client.post(one).status_code == 303
    assert recording.kept() == {first, *others}
    assert client.post(back).status_code == 303
    assert recording.kept() == {first, second, *others}


def test_all_files_go_into_the_trash_and_what_goes_is_named(client, recording):
    asked = recording.of("recordings-remove", "trash")
    question = text_of(client.get(asked, headers=DIALOG).text)
    for file in recording.files.values():
        assert file_in_words(file["recording_type"], file["file_type"]) in question
    assert client.post(f"{asked}?from=held").headers["Location"] == recording.of("held-one")
    assert recording.kept() == set()
    assert recording.in_trash() == len(recording.files)
    assert client.post(recording.of("recordings-recover")).status_code == 303
    assert recording.kept() == set(recording.files)


def test_permanent_deletion_says_so_and_has_no_way_back(client, recording):
    file_id, *others = recording.files
    one = recording.of("recording-remove", file_id, "delete")
    assert "This cannot be undone" in text_of(client.get(one, headers=DIALOG).text)
    for typed in ({}, {"confirmation": "delet"}):
        assert client.post(one, typed).status_code == 422
    assert recording.kept() == {file_id, *others}
    assert client.post(one, TYPED).status_code == 303
    assert recording.kept() == set(others)
    assert recording.in_trash() == 0
    assert client.get(one).status_code == 404
    everything = recording.of("recordings-remove", "delete")
    assert "in the trash are deleted too" in text_of(client.get(everything).text)
    assert client.post(everything, TYPED).status_code == 303
    assert (recording.kept(), recording.in_trash()) == (set(), 0)
    again = client.post(everything, TYPED)
    assert again.status_code == 422
    for how in ("trash", "delete"):
        assert client.get(recording.of("recordings-remove", how)).status_code == 404
    assert client.post(recording.of("recordings-remove", "burn")).status_code == 404


def test_what_is_in_the_trash_alone_can_be_deleted_for_good(client, faulty, fault_server):
    trashed = {"uuid": "abc=", "id": 81234567890, "recording_files": []}
    answers = {
        "/meetings/81234567890": {"id": 81234567890, "host_id": "ada", "topic": "Talk"},
        "/users/ada/recordings": {"meetings": [trashed]},
    }

    def service(seen):
        data = answers.get(seen.path.removeprefix("/v2"))
        return answer(200, data) if data else answer(404, {"code": 3301, "message": "None."})

    fault_server.always(depending(service))
    for uuid, how, expected in (
        ("abc=", "delete", 200),
        ("abc=", "trash", 404),
        ("other=", "delete", 404),
    ):
        address = spec_url(faulty, MEETINGS, "recordings-remove", "81234567890", uuid, how)
        assert client.get(address).status_code == expected, (uuid, how)


def test_a_removal_asks_who_it_is_again(connection, recording):
    stale = admin_client_for(connection.owner, recently=False)
    asked = recording.of("recordings-remove", "trash")
    sent = stale.post(asked)
    assert "reauthenticate" in sent.headers["Location"]
    assert recording.kept() == set(recording.files)


def test_who_may_watch_is_changed_in_its_place(client, recording):
    before = recording.settings()
    address = recording.of("recordings-settings")
    opened = client.get(address, headers=PART).text
    assert "Undo does not bring back: Password." in text_of(opened)
    form = form_with(opened, "share_recording")
    changed = {**form.values, "share_recording": "internally", "password": SECRET}
    done = client.post(form.action.partition("#")[0], changed, headers=PART)
    assert done.status_code == 200
    assert recording.settings() == before | {"share_recording": "internally", "password": SECRET}
    assert "People on the account" in text_of(done.text)
    assert "Set, hidden" in text_of(done.text)
    assert SECRET not in done.text
    assert SECRET not in client.get(recording.url("recordings"), headers=PANEL).text
    assert SECRET not in client.get(address, headers=PART).text
    shown = client.get(recording.of("recordings-password"), headers=PART)
    assert SECRET in shown.text
    assert "no-store" in shown.headers["Cache-Control"]
    [entry] = AuditEntry.objects.filter(operation="recordings.update_settings", intent=None)
    assert SECRET not in f"{entry.sent}{entry.before}"


def test_recording_changed_elsewhere_is_not_overwritten(client, recording):
    recording.set(share_recording="publicly", viewer_download=True)
    address = recording.of("recordings-settings")
    form = form_with(client.get(address, headers=PART).text, "share_recording")
    recording.set(share_recording="none", viewer_download=False)
    sent = client.post(address, {**form.values, "share_recording": "internally"}, headers=PART)
    assert sent.status_code == 422
    assert "This was changed" in text_of(sent.text)
    assert recording.settings()["share_recording"] == "none"
    again = form_with(sent.text, "share_recording")
    assert client.post(address, again.values, headers=PART).status_code == 200
    now = recording.settings()
    assert (now["share_recording"], now["viewer_download"]) == ("internally", False)


@pytest.mark.parametrize(
    ("role", "offered"),
    [("viewer", ()), ("operator", ("Edit",)), ("administrator", ("Edit", "Move to trash"))],
)
def test_each_role_is_offered_what_it_may_do(connect, recording, role, offered):
    user = member("someone@example.com", role)
    recording.set(password=SECRET)
    own = connect(user)
    address = spec_url(own, MEETINGS, "recordings", recording.number)
    page = text_of(admin_client_for(user).get(address, headers=PANEL).text)
    assert "Sharing" in page
    assert {word for word in ("Edit", "Move to trash") if word in page} == set(offered)


def test_where_all_is_in_the_trash_the_host_is_asked_for_it(client, faulty, fault_server):
    gone = {
        "recording_type": "<b>chat</b>",
        "file_type": "CHAT",
        "deleted_time": "2026-11-01T10:00:00Z",
    }
    trashed = {"uuid": "a/b==", "id": "123", "recording_files": [gone]}
    other = {**trashed, "id": "456", "uuid": "other=="}

    def respond(seen):
        if seen.path.endswith("/meetings/123"):
            meeting = {"id": 123, "topic": "Budget", "type": 2, "host_id": "the-host"}
            return answer(200, meeting)
        if seen.path.endswith("/users/the-host/recordings"):
            return answer(200, {"meetings": [trashed, other]})
        return answer(404, {"message": "Nothing there."})

    fault_server.always(depending(respond))
    page = client.get(spec_url(faulty, MEETINGS, "recordings", "123")).text
    assert "No cloud recordings, or all of them are in the trash." in text_of(page)
    assert _recovery(page, spec_url(faulty, MEETINGS, "recordings-recover", "123", "a/b=="))
    assert not _recovery(page, spec_url(faulty, MEETINGS, "recordings-recover", "123", "other=="))
    assert "<b>chat" not in page


def test_trashed_file_without_id_comes_back_with_all_others(client, faulty, fault_server):
    kept = {"id": "f1", "file_type": "MP4", "recording_type": "audio_only"}
    gone = {"file_type": "CHAT", "deleted_time": "2026-11-01T10:00:00Z"}
    recorded = {"uuid": "a/b==", "id": "123", "host_id": "the-host"}

    def respond(seen):
        if seen.path.endswith("/meetings/123"):
            meeting = {"id": 123, "topic": "Budget", "type": 2, "host_id": "the-host"}
            return answer(200, meeting)
        if seen.path.endswith("/meetings/123/recordings"):
            return answer(200, {**recorded, "recording_files": [kept]})
        if seen.path.endswith("/users/the-host/recordings"):
            return answer(200, {"meetings": [{**recorded, "recording_files": [gone, gone]}]})
        return answer(404, {"message": "Nothing there."})

    fault_server.always(depending(respond))
    page = client.get(spec_url(faulty, MEETINGS, "recordings", "123"), headers=PANEL).text
    assert text_of(page).count("Only together with all files") == 2
    assert _recovery(page, spec_url(faulty, MEETINGS, "recordings-recover", "123", "a/b=="))


def test_unreadable_trash_and_settings_spoil_nothing_else(client, faulty, fault_server):
    def respond(seen):
        if seen.path.endswith("/meetings/123/recordings"):
            return answer(200, {**sample(RecordedMeeting), "id": "123"})
        return answer(400, {"message": "Not today."})

    fault_server.always(depending(respond))
    page = client.get(spec_url(faulty, MEETINGS, "recordings", "123"), headers=PANEL)
    assert page.status_code == 200
    assert "Sharing settings are not available right now" in text_of(page.text)
    assert "The trash is not available right now" in text_of(page.text)
