"""The fixtures of tests of recordings."""

import pytest

from portal.access.models import Connection
from portal.recordings.models import MirroredRecording
from tests.recordings.made import file, listed, mirrored
from tests.support.sandbox import Sandbox


@pytest.fixture
def several(sandbox: Sandbox, connection: Connection) -> list[MirroredRecording]:
    """Three recordings of the sandbox with several files and none in the trash, in the mirror."""
    found: list[MirroredRecording] = []
    for user in sandbox.people():
        in_trash = {one["uuid"] for one in listed(sandbox, user["id"], trash=True)}
        for one in listed(sandbox, user["id"]):
            if len(one["recording_files"]) > 2 and one["uuid"] not in in_trash:
                files = [
                    file(id=each["id"], size=each["file_size"], type=each["file_type"])
                    for each in one["recording_files"]
                ]
                values = {"host_id": user["id"], "session_id": one["id"], "topic": one["topic"]}
                start = one["start_time"]
                made = mirrored(connection, one["uuid"], start_time=start, files=files, **values)
                made.refresh_from_db()
                found.append(made)
                if len(found) == 3:
                    return found
    pytest.fail("the sandbox has too few recordings")


@pytest.fixture
def recorded(several: list[MirroredRecording]) -> MirroredRecording:
    """A recording of the sandbox with several files, in the mirror."""
    return several[0]
