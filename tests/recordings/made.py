"""Recordings as a service lists them, in the mirror of a connection, and those of the sandbox."""

from datetime import UTC, datetime, timedelta
from typing import Any

from portal.access.models import Connection
from portal.contract.path import encoded
from portal.directory.users import USERS
from portal.jobs.models import Job
from portal.mirror.refresh import refresh
from portal.recordings.jobs import reading
from portal.recordings.models import MirroredRecording, StoredSharing
from portal.recordings.rows import sum_up
from portal.translation import folded
from tests.support.jobs import Work
from tests.support.sandbox import Sandbox


def file(number: int = 1, **values: Any) -> dict[str, Any]:
    """A file of a row of the mirror."""
    made = {
        "id": f"file-{number}",
        "type": "MP4",
        "kind": "shared_screen",
        "size": 1_000_000,
        "start": "",
        "end": "",
        "deleted": "",
    }
    return {**made, **values}


def mirrored(connection: Connection, uuid: str, **values: Any) -> MirroredRecording:
    """A recording in the mirror; `known` are the fields of its `StoredSharing`."""
    known = values.pop("known", None)
    began = {"start_time": datetime.now(UTC) - timedelta(days=3), "topic": f"Recording {uuid}"}
    row = MirroredRecording(connection=connection, uuid=uuid, **{**began, **values})
    row.files = values.get("files") or [file()]
    row.sort_topic = row.topic.casefold()
    row.search = folded(f"{row.topic} {row.host_name} {row.host_email} {row.session_id}")
    sum_up(row)
    row.stamp()
    row.save()
    if known is not None:
        StoredSharing.objects.create(recording=row, read_at=datetime.now(UTC), **known)
    return row


def read_people(connection: Connection) -> None:
    """Has the people of the account in the mirror."""
    refresh(USERS.request(connection).pk)


def read_all(connection: Connection, work: Work) -> None:
    """Reads all recordings, and who may watch them, as the worker does."""
    reading.request_reading(connection)
    work(Job.objects.get(connection=connection, kind=reading.READING.job_type))
    while job := Job.objects.filter(
        connection=connection, kind=reading.KIND, finished_at=None
    ).first():
        work(job)


def days(back: int = 190) -> dict[str, str]:
    today = datetime.now(UTC).date()
    return {
        "from": str(today - timedelta(days=back)),
        "to": str(today + timedelta(days=1)),
        "page_size": "300",
    }


def listed(sandbox: Sandbox, host: str, *, trash: bool = False) -> list[dict[str, Any]]:
    """Returns the recordings that the sandbox lists of a host."""
    asked = {**days(), **({"trash": "true"} if trash else {})}
    page = sandbox.client.get(f"/users/{host}/recordings", params=asked).json()
    return list(page["meetings"])


def available_files(sandbox: Sandbox, uuid: str) -> list[str]:
    """The files of a recording that are not in the trash, by their ids."""
    answer = sandbox.client.get(f"/meetings/{encoded(uuid)}/recordings")
    found = answer.json()["recording_files"] if answer.status_code == 200 else []
    return [str(one["id"]) for one in found]
