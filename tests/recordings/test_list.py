"""The list of all recordings: read host by host, searched, filtered, sorted and exported."""

import csv
import io
import re
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from django.urls import reverse

from portal.audit.models import AuditEntry
from portal.connections.api import api_for
from portal.connections.services import connections
from portal.contract.recordings import RecordingAction, RecordingRemoval, RecordingSettings
from portal.directory import users
from portal.jobs.models import Job, JobState
from portal.mirror.models import MirrorState
from portal.recordings import mirror, sharing
from portal.recordings.jobs import reading
from portal.recordings.jobs.reading import READING, request_reading
from portal.recordings.mirror import EXPOSED, RecordingFilter
from portal.recordings.models import (
    MirroredRecording,
    RecordingStatus,
    StoredSharing,
    sharing_cell,
    sharing_in_words,
)
from portal.recordings.rows import recordings_of
from portal.recordings.views.sharing import Sharing
from portal.webhooks.deliveries import event_received
from tests.recordings.made import file, listed, mirrored, read_all, read_people
from tests.support.fault_server import answer, depending
from tests.support.html import text_of
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db


@pytest.fixture
def account(connection, work):
    """The connection, with its people and recordings in the mirror."""
    read_people(connection)
    read_all(connection, work)
    return connection


def _uuids(connection, **wanted):
    found = mirror.find(whole(connection), RecordingFilter(**wanted))
    return list(found.values_list("uuid", flat=True))


def _page(client, connection, **query):
    return text_of(client.get(reverse("recordings:list", args=[connection.key]), query).text)


def test_all_recordings_of_everybody_are_read_those_in_trash_too(account, sandbox):
    expected: dict[str, int] = {}
    for user in sandbox.people("active", "inactive"):
        for is_trash in (False, True):
            for one in listed(sandbox, user["id"], trash=is_trash):
                size = sum(each["file_size"] for each in one["recording_files"])
                expected[one["uuid"]] = expected.get(one["uuid"], 0) + size
    known = MirroredRecording.objects.filter(connection=account)
    assert dict(known.values_list("uuid", "size")) == expected
    assert expected
    assert known.filter(status="trashed").exists()
    assert not AuditEntry.objects.filter(operation__startswith="job.").exists()
    assert "download_url" not in repr(list(known.values()))
    # The audience of each is read besides, and stored without its password.
    watched = known.exclude(status="trashed")
    assert set(watched.values_list("stored_sharing__sharing", flat=True)) <= {
        "publicly",
        "internally",
        "none",
    }
    assert not watched.filter(stored_sharing=None).exists()
    row = watched.first()
    assert row
    settings = RecordingSettings(password="sesame-1", viewer_download=False)
    sharing.store_sharing(account, {row.uuid: settings})
    assert StoredSharing.objects.get(recording=row).has_password
    assert "sesame-1" not in repr(list(StoredSharing.objects.values()))


def test_recording_for_the_signed_in_is_not_open_to_anyone(account):
    row = mirrored(account, "one")
    for signs_in, words in ((True, "sign-in required"), (False, "no password")):
        given = {"share_recording": "publicly", "recording_authentication": signs_in}
        settings = RecordingSettings.model_validate(given, extra="allow")
        sharing.store_sharing(account, {row.uuid: settings})
        stored = StoredSharing.objects.get(recording=row)
        assert words in text_of(sharing_cell(stored)) or words in sharing_in_words(stored)
        assert Sharing(row.uuid, settings).is_open is not signs_in
        assert StoredSharing.objects.filter(EXPOSED, recording=row).exists() is not signs_in
        said = {one.name: one.value for one in sharing.rows(settings)}
        assert said["recording_authentication"] == ("Yes" if signs_in else "No")
    assert not any(one.is_reported for one in sharing.rows(settings) if one.name == "on_demand")


def test_settings_that_are_not_known_yet_are_said_to_be(client, connection):
    mirrored(connection, "one")
    page = _page(client, connection)
    assert "Not loaded" in page
    assert "1 recording are not loaded" not in page
    assert "1 recording" in _page(client, connection, status="exposed")


def test_recordings_of_deactivated_people_are_read(connection, sandbox, work):
    read_people(connection)
    host = next(user["id"] for user in sandbox.people() if listed(sandbox, user["id"]))
    users.record_written(connection, {host: {"status": "inactive"}})
    request_reading(connection)
    work(Job.objects.get(kind=READING.job_type))
    assert MirroredRecording.objects.filter(host_id=host).exists()


def test_a_list_is_narrowed_by_everything_that_is_known(connection):
    now = datetime.now(UTC)
    public = {"sharing": "publicly", "has_password": False, "viewer_download": True}
    closed = {"sharing": "internally", "has_password": True, "viewer_download": False}
    mirrored(connection, "a", topic="Ünion <b>", dept="Legal", host_id="h1", known=public)
    mirrored(
        connection,
        "b",
        topic="Budget",
        start_time=now - timedelta(days=100),
        files=[file(1, size=3_000_000_000, type="MP4"), file(2, type="CHAT")],
        known=closed,
    )
    mirrored(connection, "c", files=[file(1, deleted="2026-11-01T10:00:00Z")], known=public)
    mirrored(connection, "d", files=[file(1), file(2, deleted="2026-11-01T10:00:00Z")])
    for wanted, expected in (
        ({"search": "üNION"}, "a"),
        ({"depts": ["Legal"]}, "a"),
        ({"hosts": ["h1"]}, "a"),
        ({"kinds": ["CHAT"]}, "b"),
        ({"kinds": ["MP"]}, ""),
        ({"before": (now - timedelta(days=90)).isoformat()}, "b"),
        ({"since": (now - timedelta(days=90)).isoformat()}, "acd"),
        ({"larger": 10**9}, "b"),
        ({"smaller": 10**9}, "acd"),
        ({"statuses": ["trashed", "partly"]}, "cd"),
        ({"has_password": True}, "b"),
        ({"has_password": False}, "ac"),
        ({"sharing": "unknown"}, "d"),
        ({"sharing": "publicly"}, "ac"),
        ({"exposed": True}, "a"),
        ({"ids": []}, ""),
        ({"ids": ["a", "z"]}, "a"),
    ):
        assert "".join(sorted(_uuids(connection, **wanted))) == expected, wanted
    by_size = mirror.find(whole(connection), RecordingFilter(), "-size")
    assert by_size.first() == MirroredRecording.objects.get(uuid="b")


@pytest.mark.parametrize(
    "query",
    [
        {"age": "over-90"},
        {"size": "over-1000"},
        {"from_date": "0001-01-01", "to_date": "9999-12-31"},
        {"password": "yes"},
        {"host": "nobody\x00", "q": "a\x00b"},
        {"sort": "-size", "status": "trash"},
        {"sort": "trashed_at"},
        {"dept": "no such", "kind": "x", "group": "none", "age": "over-x"},
    ],
)
def test_any_filter_is_answered(client, connection, query):
    mirrored(connection, "a")
    assert client.get(reverse("recordings:list", args=[connection.key]), query).status_code == 200


def test_recordings_are_read_also_before_people_have_been(connection, work):
    read_all(connection, work)
    assert MirroredRecording.objects.filter(connection=connection).exists()


def test_local_writes_are_not_overwritten_by_reading(account, sandbox, work):
    row = MirroredRecording.objects.filter(connection=account, status="available").first()
    assert row
    request_reading(account, [row.host_id])
    job = Job.objects.get(kind=READING.job_type, finished_at=None)
    mirror.record_files(account, {row.uuid: ()}, RecordingRemoval.TRASH)
    MirroredRecording.objects.filter(pk=row.pk).update(
        touched_at=datetime.now(UTC) + timedelta(minutes=1)
    )
    assert work(job).state == JobState.DONE
    row.refresh_from_db()
    assert (row.status, row.trashed_size) == ("trashed", row.size)
    mirror.record_files(account, {row.uuid: ()}, RecordingAction.RECOVER)
    mirror.record_files(account, {row.uuid: ()}, RecordingRemoval.DELETE)
    assert not MirroredRecording.objects.filter(pk=row.pk).exists()


def test_an_event_has_the_recordings_of_its_host_read_again(account):
    host = MirroredRecording.objects.filter(connection=account).values_list("host_id", flat=True)[0]
    MirrorState.objects.filter(kind="recordings").update(viewed_at=datetime.now(UTC))
    for _ in range(2):
        event_received.send(
            object, connection=account, event="recording_completed", data={"host_id": host}
        )
    job = Job.objects.get(kind=READING.job_type, finished_at=None)
    assert job.parameters["hosts"] == [host]
    assert job.parameters["again"] == [host]


def test_range_that_service_cuts_is_asked_for_month_by_month(faulty, fault_server):
    asked: list[tuple[date, date]] = []

    def respond(seen):
        first, last = (date.fromisoformat(seen.query[name]) for name in ("from", "to"))
        shown = max(first, last - timedelta(days=30))
        if seen.query.get("trash") != "true" and first == shown:
            asked.append((first, last))
        meetings = [
            {"uuid": str(day), "id": 1, "host_id": "h", "start_time": f"{day}T10:00:00Z"}
            for day in _days(first, last)
            if seen.query.get("trash") != "true" and day >= shown and day.day == 15
        ]
        return answer(200, {"from": str(shown), "to": str(last), "meetings": meetings})

    fault_server.always(depending(respond))
    first, last = date(2025, 1, 1), date(2025, 12, 31)
    found = recordings_of(api_for(whole(faulty)), "h", first, last)
    assert sorted(one.data.uuid for one in found) == [
        f"2025-{month:02}-15" for month in range(1, 13)
    ]
    asked.sort()
    assert (asked[0][0], asked[-1][1]) == (first, last)
    pairs = pairwise(asked)
    assert all(after[0] - before[1] == timedelta(days=1) for before, after in pairs)


def _days(first, last):
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]


def test_files_hold_what_is_listed_and_selected(client, connection):
    mirrored(connection, "a", topic="=cmd|' /C calc'!A0", host_email="=1+1@example.com")
    files = [file(), file(2, type="CHAT"), file(3, type="NEW_ONE")]
    mirrored(connection, "b", topic="\u202eevil", dept="Legal", files=files)
    url = reverse("recordings:export", args=[connection.key, "csv"])
    rows = list(csv.DictReader(io.StringIO(_csv(client.get(url, {"columns": "all"})))))
    kinds = {row["UUID"]: row["File types"] for row in rows}
    assert kinds == {"a": "Video (MP4)", "b": "Chat messages, Video (MP4), NEW ONE"}
    assert not [cell for row in rows for cell in row.values() if cell.startswith("=")]
    assert {"Size (bytes)", "File types", "Sharing", "Files"} <= rows[0].keys()
    chosen = {"chosen": ["b"], "matching": ""}
    assert [row["UUID"] for row in csv.DictReader(io.StringIO(_csv(client.post(url, chosen))))] == [
        "b"
    ]
    everything = {"all": "1", "matching": "dept=Legal"}
    found = csv.DictReader(io.StringIO(_csv(client.post(url, everything))))
    assert [row["UUID"] for row in found] == ["b"]
    book = client.get(reverse("recordings:export", args=[connection.key, "xlsx"]))
    assert book.getvalue().startswith(b"PK")


def _csv(sent):
    return str(sent.getvalue().decode("utf-8-sig"))


def test_trash_offers_to_recover_first_and_not_to_trash(client, account):
    mirrored(account, "b", status=RecordingStatus.TRASHED)
    url = reverse("recordings:list", args=[account.key])
    offered = {}
    for status in ("", "trash"):
        page = client.get(url, {"status": status}).text
        offered[status] = re.findall(r'formaction="[^"]*/recordings/chosen/([a-z-]+)/', page)
    assert offered[""][0] == "trash"
    assert offered["trash"][0] == "recover"
    assert "trash" not in offered["trash"]


def test_recordings_are_found_by_the_search_over_everything(client, connection):
    mirrored(connection, "a", topic="Quarterly zebra")
    page = client.get(reverse("mirror:search", args=[connection.key]), {"q": "zebra"}).text
    assert reverse("recordings:recording", args=[connection.key, "a"]) in page


def test_the_copy_goes_with_its_connection(connection):
    mirrored(connection, "a", known={"sharing": "none"})
    connections.Connection.objects.filter(pk=connection.pk).delete()
    assert not MirroredRecording.objects.exists()
    assert not StoredSharing.objects.exists()


def test_settings_are_read_again_after_a_day_and_no_sooner(connection):
    row = mirrored(connection, "a", known={"sharing": "none"})
    reading.read_missing(connection)
    assert not Job.objects.filter(kind=reading.KIND).exists()
    StoredSharing.objects.filter(recording=row).update(
        read_at=datetime.now(UTC) - timedelta(hours=25)
    )
    reading.read_missing(connection)
    assert Job.objects.filter(kind=reading.KIND).count() == 1


@pytest.mark.parametrize(
    ("sharing", "has_password", "words", "state"),
    [
        ("publicly", False, "Open", "status-danger"),
        ("publicly", True, "Open, password", "status-warning"),
        ("internally", True, "Account, password", "text-secondary"),
    ],
)
def test_sharing_with_anyone_alone_has_a_colour(sharing, has_password, words, state):
    cell = sharing_cell(StoredSharing(sharing=sharing, has_password=has_password))
    assert text_of(cell) == words
    assert state in cell
