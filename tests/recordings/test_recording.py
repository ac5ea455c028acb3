"""The page about one recording."""

from typing import Any

import pytest
from django.urls import reverse

from portal.connections.api import announce, api_for
from portal.contract.path import encoded
from portal.contract.recordings import (
    RecordingAction,
    RecordingRemoval,
    RecordingRemovalQuery,
    Recordings,
    RecordingSettings,
    RecordingSharing,
    RecordingStatusChange,
)
from portal.recordings import sharing
from portal.recordings.files import web_address
from portal.recordings.models import MirroredRecording
from tests.recordings.made import available_files, file, mirrored
from tests.support.fault_server import answer
from tests.support.html import text_of
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db

TYPED = {"confirmation": "delete"}


def _url(recording, name="recording", *more):
    args = [recording.connection.key, recording.uuid, *more]
    return reverse(f"recordings:{name}", args=args)


def test_the_page_shows_the_files_and_no_link_of_the_service(client, recorded, sandbox):
    page = client.get(_url(recorded))
    assert page.status_code == 200
    [first, *_] = available_files(sandbox, recorded.uuid)
    assert _url(recorded, "file", first, "play") in page.text
    assert _url(recorded, "file", first, "download") in page.text
    assert "conf.example/recording" not in page.text
    path = f"/meetings/{encoded(recorded.uuid)}/recordings/settings"
    sharing = sandbox.client.get(path).json()["share_recording"]
    assert RecordingSharing(sharing).label in text_of(page.text)
    assert MirroredRecording.objects.get(pk=recorded.pk).stored_sharing.sharing == sharing
    sandbox.client.patch(path, json={"share_recording": "publicly", "password": ""})
    assert "Open to anyone with the link" in text_of(client.get(_url(recorded)).text)


def test_history_is_a_tab_below_the_head_that_says_who_watches(client, recorded, sandbox):
    path = f"/meetings/{encoded(recorded.uuid)}/recordings/settings"
    sandbox.client.patch(path, json={"share_recording": "internally"})
    overview, history = (
        text_of(client.get(_url(recorded) + end).text) for end in ("", "?history=1")
    )
    assert ["Open to the account" in one for one in (overview, history)] == [True, True]
    assert ["Nothing was changed yet" in one for one in (overview, history)] == [False, True]
    assert ["Move all to trash" in one for one in (overview, history)] == [True, False]
    panel = client.get(
        _url(recorded) + "?history=1",
        headers={"HX-Request": "true", "HX-Target": "panel"},
    )
    assert "<h1" not in panel.text
    assert "Nothing was changed yet" in panel.text


def test_a_link_is_asked_for_when_it_is_wanted_and_kept_nowhere(client, recorded, sandbox, caplog):
    [first, *_] = available_files(sandbox, recorded.uuid)
    caplog.set_level("DEBUG")
    for how in ("play", "download"):
        answered = client.get(_url(recorded, "file", first, how))
        assert answered.status_code == 302
        assert answered["Location"] == f"https://conf.example/recording/{how}/{first}"
        assert "no-store" in answered["Cache-Control"]
        assert answered["Referrer-Policy"] == "no-referrer"
        assert "conf.example/recording" not in caplog.text
    assert client.get(_url(recorded, "file", "no-such-file", "play")).status_code == 404
    assert client.get(_url(recorded, "file", first, "steal")).status_code == 404


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("https://a.example/rec?access_token=secret&x=1", "https://a.example/rec?x=1"),
        ("https://a.example/rec?Access_Token=secret", "https://a.example/rec"),
        ("https://user:secret@a.example/rec", "https://a.example/rec"),
        ("javascript:alert(1)", ""),
        ("https:///nowhere", ""),
        ("http://[", ""),
        ("https://a.example/r?pwd=a%2Bb", "https://a.example/r?pwd=a%2Bb"),
    ],
)
def test_links_never_carry_what_signs_in(given, expected):
    assert web_address(given) == expected


def test_a_link_that_holds_the_token_leads_nowhere(client, faulty, fault_server):
    hostile = {
        "id": "f1",
        "play_url": f"https://a.example/{faulty.token.value}/",
        "download_url": "javascript:alert(1)",
    }
    fault_server.always(answer(200, {"uuid": "u", "recording_files": [hostile]}))
    for how in ("play", "download"):
        url = reverse("recordings:file", args=[faulty.key, "u", "f1", how])
        assert client.get(url).status_code == 404


def test_files_go_to_trash_and_back_and_list_shows_it(client, recorded, sandbox):
    first, *others = available_files(sandbox, recorded.uuid)
    removed = client.post(_url(recorded, "recording-remove", first, "trash"))
    assert (removed.status_code, removed["Location"]) == (303, _url(recorded))
    assert available_files(sandbox, recorded.uuid) == others
    row = MirroredRecording.objects.get(pk=recorded.pk)
    assert (row.status, row.file_count) == ("partly", len(others) + 1)
    page = text_of(client.get(_url(recorded)).text)
    assert "In the trash" in page
    assert "days left" in page
    assert client.post(_url(recorded, "recordings-remove", "trash")).status_code == 303
    assert client.get(_url(recorded, "recordings-remove", "delete")).status_code == 200
    assert MirroredRecording.objects.get(pk=recorded.pk).status == "trashed"
    assert client.get(_url(recorded)).status_code == 200
    assert client.post(_url(recorded, "recordings-recover")).status_code == 303
    assert set(available_files(sandbox, recorded.uuid)) == {first, *others}
    assert MirroredRecording.objects.get(pk=recorded.pk).status == "available"


def test_the_list_knows_what_was_approved_or_undone(recorded):
    row = MirroredRecording.objects.filter(pk=recorded.pk)
    [first, *_] = (one["id"] for one in recorded.files)
    count = recorded.file_count
    recovery = RecordingStatusChange(action=RecordingAction.RECOVER)
    for_good = RecordingRemovalQuery(action=RecordingRemoval.DELETE)

    def made(call):
        announce(whole(recorded.connection), api_for(whole(recorded.connection)), call, None)
        found: tuple[str, int] | None = row.values_list("status", "file_count").first()
        return found

    uuid = recorded.uuid
    hidden = RecordingSettings(share_recording="none")
    sharing.store_sharing(recorded.connection, {uuid: hidden})
    written = RecordingSettings(share_recording="publicly", on_demand=True)
    made(Recordings.update_settings.call(uuid, written))
    known = row.get().stored_sharing
    assert (known.sharing, known.on_demand) == ("publicly", True)
    assert made(Recordings.delete_file.call(uuid, first)) == ("partly", count)
    assert made(Recordings.recover_file.call(uuid, first, recovery)) == ("available", count)
    assert made(Recordings.delete.call(uuid)) == ("trashed", count)
    assert made(Recordings.recover.call(uuid, recovery)) == ("available", count)
    assert made(Recordings.delete_file.call(uuid, first, for_good)) == ("available", count - 1)
    assert made(Recordings.delete.call(uuid, for_good)) is None


def test_deleting_for_good_takes_the_word_and_leaves_nothing(client, recorded, sandbox):
    asked = _url(recorded, "recordings-remove", "delete")
    assert "Type “delete” to confirm" in text_of(client.get(asked).text)
    assert client.post(asked).status_code == 422
    assert available_files(sandbox, recorded.uuid)
    assert client.post(asked, TYPED).status_code == 303
    assert not available_files(sandbox, recorded.uuid)
    assert not MirroredRecording.objects.filter(pk=recorded.pk).exists()
    assert client.get(_url(recorded)).status_code == 404
    assert client.get(asked).status_code == 404


def test_sharing_is_changed_on_the_page_and_the_list_knows(client, recorded):
    client.get(_url(recorded))
    address = _url(recorded, "recordings-settings")
    sent = {"share_recording": "internally", "password": "sesame-817"}
    assert client.post(address, sent).status_code == 303
    known = MirroredRecording.objects.get(pk=recorded.pk).stored_sharing
    assert (known.sharing, known.has_password) == ("internally", True)


def test_what_is_nowhere_is_not_found(client, connection):
    for name in ("recording", "recordings-settings"):
        url = reverse(f"recordings:{name}", args=[connection.key, "no/such=="])
        assert client.get(url).status_code == 404


def test_trash_that_cannot_be_read_is_said(client, faulty, fault_server):
    mirrored(faulty, "u", host_id="h", files=[file(deleted="2026-11-01T10:00:00Z")])
    fault_server.always(answer(404, {"message": "Nothing there."}))
    shown: Any = client.get(reverse("recordings:recording", args=[faulty.key, "u"]))
    assert shown.status_code == 404
