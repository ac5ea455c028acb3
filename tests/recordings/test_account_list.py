"""The recordings of an account are listed by months and pages, not by people, where that is so."""

from datetime import UTC, datetime, timedelta

import pytest

from portal.jobs.models import Job, JobState
from portal.mirror.models import MirrorState
from portal.recordings.jobs import reading
from portal.recordings.models import MirroredRecording
from tests.support.fault_server import answer, depending

pytestmark = pytest.mark.django_db

TODAY = datetime.now(UTC).date()


class Service:
    """A service of today that lists a month at most, and the trash whatever the days."""

    def __init__(self, people, *, refuses=False, days_apply=False):
        self.refuses, self.days_apply, self.asked = refuses, days_apply, []
        hosts = [f"u{number}" for number in range(people)]
        self.people = [
            {"id": host, "email": f"{host}@b.c", "type": 1, "status": "active"} for host in hosts
        ]
        self.recordings = [
            self._recording(host, TODAY - timedelta(days=7 * at % 700))
            for at, host in enumerate(hosts)
        ]
        self.trash = [self._recording("u1", TODAY - timedelta(days=back)) for back in (5, 90)]

    def _recording(self, host, day):
        file = {"id": f"f{host}{day}", "file_type": "MP4", "file_size": 10}
        started = f"{day}T10:00:00Z"
        return {
            "uuid": f"{host}{day}",
            "id": 1,
            "host_id": host,
            "start_time": started,
            "recording_files": [file],
        }

    def __call__(self, seen):
        if seen.path.endswith("/recordings"):
            return self._recordings(seen)
        if seen.path.endswith("/users"):
            wanted = self.people if seen.query.get("status") == "active" else []
            return self._page(seen, "users", wanted)
        return answer(404, {"code": 3301, "message": "None."})

    def _recordings(self, seen):
        self.asked.append(seen.path)
        is_whole = seen.path.endswith("/accounts/me/recordings")
        if is_whole and self.refuses:
            return answer(400, {"code": 4711, "message": "Invalid access token, no scopes."})
        host = seen.path.split("/")[-2]
        last = datetime.fromisoformat(seen.query["to"]).date()
        first = datetime.fromisoformat(seen.query["from"]).date()
        first = max(first, last - timedelta(days=30))
        is_trash = seen.query.get("trash") == "true"
        found = self.trash if is_trash else self.recordings
        if self.days_apply or not is_trash:
            found = [one for one in found if f"{first}" <= one["start_time"][:10] <= f"{last}"]
        found = [one for one in found if is_whole or one["host_id"] == host]
        return self._page(seen, "meetings", found, {"from": f"{first}", "to": f"{last}"})

    def _page(self, seen, name, rows, more=()):
        start = int(seen.query.get("next_page_token") or 0)
        end = start + int(seen.query.get("page_size", 30))
        token = str(end) if end < len(rows) else ""
        page = {name: rows[start:end], "next_page_token": token, "total_records": len(rows)}
        return answer(200, {"page_size": end - start, **page, **dict(more)})


@pytest.fixture
def read(faulty, fault_server, work):
    faulty.dialect = "current"
    faulty.save()

    def read(service):
        fault_server.always(depending(service))
        reading.request_reading(faulty)
        job = Job.objects.get(connection=faulty, kind=reading.READING.job_type, finished_at=None)
        return work(job)

    return read


def test_calls_grow_with_months_and_not_with_people(read, faulty):
    service = Service(1_000)
    job = read(service)
    assert job.state == JobState.DONE
    months, trash = 25, 1
    assert job.items.count() == months + trash
    assert len(service.asked) == 1 + months + trash, "the first call asks whether there is the list"
    stored = MirroredRecording.objects.filter(connection=faulty)
    assert set(stored.values_list("uuid", flat=True)) == {
        one["uuid"] for one in (*service.recordings, *service.trash)
    }
    assert stored.filter(status="trashed").count() == 2
    assert MirrorState.objects.get(connection=faulty, kind="recordings").failure == ""


def test_recording_that_is_not_listed_any_more_is_forgotten(read, faulty, settings):
    settings.RECORDINGS_DAYS = 100
    service = Service(10)
    read(service)
    gone = service.recordings.pop()
    service.trash.pop()
    back = service.trash.pop()
    service.recordings.append(back)
    MirroredRecording.objects.update(touched_at=datetime.now(UTC) - timedelta(hours=1))
    read(service)
    stored = MirroredRecording.objects.filter(connection=faulty)
    assert stored.count() == len(service.recordings)
    assert not stored.filter(uuid=gone["uuid"]).exists()
    assert stored.get(uuid=back["uuid"]).status == "available"


def test_recording_may_be_partly_in_the_trash(read, faulty, settings):
    settings.RECORDINGS_DAYS = 100
    service = Service(2, days_apply=True)
    parted = service.recordings[0]
    half = {**parted, "recording_files": [{"id": "half", "file_type": "M4A", "file_size": 7}]}
    service.trash.append(half)
    read(service)
    [row] = MirroredRecording.objects.filter(connection=faulty, uuid=parted["uuid"])
    assert (row.status, row.size, row.trashed_size) == ("partly", 17, 7)
    assert MirroredRecording.objects.filter(connection=faulty, status="trashed").count() == 2
    for lists, status, size in (
        (([parted], []), "available", 10),
        (([parted], [half]), "partly", 17),
        (([], [half]), "trashed", 7),
    ):
        service.recordings, service.trash = lists
        MirroredRecording.objects.update(touched_at=datetime.now(UTC) - timedelta(hours=1))
        read(service)
        [row] = MirroredRecording.objects.filter(connection=faulty)
        assert (row.status, row.size) == (status, size)


def test_service_that_refuses_the_list_is_read_by_people(read, faulty, settings):
    settings.RECORDINGS_DAYS = 100
    service = Service(3, refuses=True)
    job = read(service)
    assert job.state == JobState.DONE
    assert job.items.count() == 3
    assert MirroredRecording.objects.filter(connection=faulty).count() == 5
