"""Which rows of the interface's chapters on meetings and webinars some page reaches, as data.

A row that is on no page, a page that no longer makes its call, and a row that nobody has written
down here all fail.
"""

import csv
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from portal.access.models import Connection, User
from portal.contract import operations
from portal.contract.operation import Operation
from tests.access.routes import NAMED
from tests.contract.samples import sample
from tests.plugins.fault_server import FaultServer, Seen, answer, depending
from tests.plugins.portal import admin_client_for

SESSION, UUID, POLL, PANELIST, FILE = "123456789", "a/b==", "poll-1", "42", "file-1"

_PERSON = {"email": "ada@example.com", "first_name": "Ada", "last_name": "Byron"}
_POLL = {
    "title": "Lunch",
    "questions.0.name": "Where?",
    "questions.0.type": "single",
    "questions.0.answers": ["Inside", "Outside"],
}
_PLACE = {"stream_url": "rtmp://stream.example/in", "stream_key": "key"}
_CHOSEN = {"kept": "registrant-1", "confirmed": "1", "matching": "status=approved"}

# The interface's row: (the page, what its path names, what is sent there; None opens it).
REACHED: dict[str, tuple[str, list[str], dict[str, Any] | None]] = {
    "GET /meetings/{meetingId}": ("meetings:session", [], None),
    "GET /meetings/{meetingId}/invitation": ("meetings:invitation", [], None),
    "DELETE /meetings/{meetingId}": ("meetings:delete", [], {}),
    "PUT /meetings/{meetingId}/status": ("meetings:end", [], {}),
    "PATCH /meetings/{meetingId}/livestream": ("meetings:livestream-place", [], _PLACE),
    "PATCH /meetings/{meetingId}/livestream/status": ("meetings:livestream-start", [], {}),
    "GET /meetings/{meetingId}/polls": ("meetings:polls", [], None),
    "POST /meetings/{meetingId}/polls": ("meetings:poll-new", [], _POLL),
    "DELETE /meetings/{meetingId}/polls/{pollId}": ("meetings:poll-delete", [POLL], {}),
    "GET /meetings/{meetingId}/polls/{pollId}": ("meetings:poll", [POLL], None),
    "PUT /meetings/{meetingId}/polls/{pollId}": ("meetings:poll", [POLL], _POLL),
    "GET /meetings/{meetingId}/recordings": ("meetings:recordings", [], None),
    "DELETE /meetings/{meetingId}/recordings": ("meetings:recordings-remove", [UUID, "trash"], {}),
    "PUT /meetings/{meetingId}/recordings/status": ("meetings:recordings-recover", [UUID], {}),
    "GET /meetings/{meetingId}/recordings/settings": ("meetings:recordings", [], None),
    "PATCH /meetings/{meetingId}/recordings/settings": (
        "meetings:recordings-settings",
        [UUID],
        {"password": "secret"},
    ),
    "DELETE /meetings/{meetingId}/recordings/{recordingId}": (
        "meetings:recording-remove",
        [UUID, FILE, "delete"],
        {"confirmation": "delete"},
    ),
    "PUT /meetings/{meetingId}/recordings/{recordingId}/status": (
        "meetings:recording-recover",
        [UUID, FILE],
        {},
    ),
    "GET /meetings/{meetingId}/registrants": ("meetings:registrants", [], None),
    "POST /meetings/{meetingId}/registrants": ("meetings:registrant-add", [], _PERSON),
    "PUT /meetings/{meetingId}/registrants/status": (
        "meetings:registrants-decide",
        ["deny"],
        _CHOSEN,
    ),
    "GET /past_meetings/{meetingId}/instances": ("meetings:held", [], None),
    "GET /past_meetings/{meetingUUID}": ("meetings:held-one", [UUID], None),
    "GET /past_meetings/{meetingUUID}/participants": ("meetings:held-one", [UUID], None),
    "GET /webinars/{webinarId}": ("webinars:session", [], None),
    "DELETE /webinars/{webinarId}": ("webinars:delete", [], {}),
    "PUT /webinars/{webinarId}/status": ("webinars:end", [], {}),
    "DELETE /webinars/{webinarId}/panelists": ("webinars:panelists-remove-all", [], {}),
    "GET /webinars/{webinarId}/panelists": ("webinars:panelists", [], None),
    "POST /webinars/{webinarId}/panelists": (
        "webinars:panelists-add",
        [],
        {"people": "Ada <ada@example.com>"},
    ),
    "DELETE /webinars/{webinarId}/panelists/{panelistId}": (
        "webinars:panelist-remove",
        [PANELIST],
        {},
    ),
    "GET /webinars/{webinarId}/polls": ("webinars:polls", [], None),
    "POST /webinars/{webinarId}/polls": ("webinars:poll-new", [], _POLL),
    "DELETE /webinars/{webinarId}/polls/{pollId}": ("webinars:poll-delete", [POLL], {}),
    "GET /webinars/{webinarId}/polls/{pollId}": ("webinars:poll", [POLL], None),
    "PUT /webinars/{webinarId}/polls/{pollId}": ("webinars:poll", [POLL], _POLL),
    "GET /webinars/{webinarId}/registrants": ("webinars:registrants", [], None),
    "POST /webinars/{webinarId}/registrants": ("webinars:registrant-add", [], _PERSON),
    "PUT /webinars/{webinarId}/registrants/status": (
        "webinars:registrants-decide",
        ["deny"],
        _CHOSEN,
    ),
    "GET /past_webinars/{webinarId}/instances": ("webinars:held", [], None),
}

# Reached by a form whose own tests say so: what is sent depends on what it opened with.
BY_LONG_FORMS = {
    "PATCH /meetings/{meetingId}": "meetings:edit",
    "PATCH /webinars/{webinarId}": "webinars:edit",
}

_ROWS = Path(__file__).parents[1] / "contract" / "operations.csv"


def test_every_row_of_both_chapters_is_written_down():
    with _ROWS.open() as file:
        rows = {
            f"{row['method']} {row['path']}"
            for row in csv.DictReader(file)
            if row["section"] in {"4.5", "4.6"}
        }
    assert rows == {*REACHED, *BY_LONG_FORMS}
    assert set(BY_LONG_FORMS.values()) <= {route.name for route in NAMED}


@pytest.fixture
def client(administrator: User) -> Client:
    return admin_client_for(administrator)


@pytest.mark.django_db
@pytest.mark.parametrize("row", REACHED)
def test_the_page_makes_the_call(
    client: Client, faulty: Connection, fault_server: FaultServer, row: str
):
    name, more, sent = REACHED[row]
    fault_server.always(depending(_respond))
    address = reverse(name, args=[faulty.key, SESSION, *more])
    response = client.get(address) if sent is None else client.post(address, sent)
    assert response.status_code in {200, 303}, response.content
    made = {_operation(seen) for seen in fault_server.requests}
    assert row in {f"{one.method} {one.path}" for one in made if one}


def _respond(seen: Seen) -> Any:
    """A whole object of whatever the operation answers with."""
    operation = _operation(seen)
    if operation is None:
        return answer(404, {"message": "No."})
    data = sample(operation.returns) if operation.returns else None
    if data and operation.name in {"meetings.get", "webinars.get"}:
        data["id"] = SESSION
    if data and "registrants" in data:
        data["registrants"][0] |= {"id": "registrant-1", "status": "approved"}
    if data and "panelists" in data:
        data["panelists"][0]["id"] = PANELIST
    return answer(operation.status, data)


def _operation(seen: Seen) -> Operation[Any, Any] | None:
    path = seen.path.removeprefix("/v2")
    return next((one for one in operations() if _is_of(one, seen.method, path)), None)


def _is_of(operation: Operation[Any, Any], method: str, path: str) -> bool:
    if operation.method != method:
        return False
    parts = re.split(r"\{(\w+)\}", operation.path)
    kinds = {one.name: "[0-9]+" if one.kind is int else "[^/]+" for one in operation.ids}
    pattern = "".join(
        kinds[part] if place % 2 else re.escape(part) for place, part in enumerate(parts)
    )
    return re.fullmatch(pattern, path) is not None
