"""An id is understood however a client encodes it: once, twice, or not at all."""

from collections.abc import Callable
from urllib.parse import quote

import pytest

from portal.contract import operations
from portal.contract.path import MEETING_OR_UUID, PATH_PARAMETERS, WEBINAR_OR_UUID
from tests.sandbox.conftest import fresh_email, refused
from tests.support.sandbox import Sandbox, run_within

pytestmark = pytest.mark.deep

BY_UUID = {MEETING_OR_UUID, WEBINAR_OR_UUID, PATH_PARAMETERS["meetingUUID"]}
OPERATIONS = [each for each in operations() if BY_UUID & set(each.ids)]
# One letter in them distinguishes a meeting from a webinar.
UUIDS = {
    "letters": "{}qH2nXv81LkTzPw4RbYc0d==",
    "plus": "{}qH2n+v81LkTz+w4RbYc0+==",
    "slash": "{}qH2n/v81LkTz/w4RbYc0d==",
    "slash first": "/{}H2nXv81LkTzPw4RbYc0d==",
    "slashes and plus": "//{}+nXv81/LkTz//4RbY+/==",
    "slash last": "{}qH2nXv81LkTzPw4RbYc0/==",
    "as a word of the path": "{}/participants/w4RbYc0==",
}
PAST = """
from datetime import timedelta
from portal.sandbox.models import Instance, RecordedMeeting, RecordingFile
for kind, uuids in {uuids}.items():
    held = Instance.objects.filter(kind=kind, end_time__isnull=False, participants__gt=1)
    for at, uuid in enumerate(uuids):
        one = held.order_by("-start_time", "uuid")[at]
        one.pk, one.number = uuid, 10**11 + at
        one.save(force_insert=True)
        if kind == "meeting":
            kept = RecordedMeeting.objects.create(
                uuid=uuid, number=one.number, host_id=one.host_id, start_time=one.start_time,
                duration=5,
            )
            for name in ("A", "B"):
                RecordingFile.objects.create(
                    id=f"{{name}}{{at}}", meeting=kept, file_type="MP4", file_size=9,
                    recording_start=one.start_time, recording_end=one.end_time,
                )
"""

ENCODINGS: dict[str, Callable[[str], str]] = {
    "not at all": lambda one: one,
    "once": lambda one: quote(one, ""),
    "once in small letters": lambda one: quote(one, "").replace("%2F", "%2f"),
    "twice": lambda one: quote(quote(one, ""), ""),
    "once but for slashes": lambda one: quote(one, "/"),
    "twice the slashes alone": lambda one: one.replace("/", "%252F"),
}


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory):
    """One of its own: nobody else finds what is written into its database."""
    running = Sandbox(tmp_path_factory.mktemp("encoded"), "--frozen")
    running.start()
    yield running
    running.client.close()
    running.stop()


@pytest.fixture(scope="module")
def past(sandbox):
    """Sessions that were held, with a UUID of each shape."""
    uuids = {
        kind: [shape.format(kind[0].upper()) for shape in UUIDS.values()]
        for kind in ("meeting", "webinar")
    }
    run_within(sandbox, PAST.format(uuids=uuids))
    return uuids


@pytest.mark.parametrize("shape", UUIDS)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_a_uuid_leads_to_its_session(api, past, operation, shape):
    at = list(UUIDS).index(shape)
    uuid = past["webinar" if "webinarId" in operation.path else "meeting"][at]
    assert len(uuid) == 24
    asked = asked_of(operation)
    data = {}
    for name, encode in ENCODINGS.items():
        path = operation.path.format(**ids(api, operation, uuid, at, encode))
        answer = api.request(operation.method, path, **asked)
        assert answer.status_code == operation.status, (name, answer.text)
        data[name] = answer.json() if answer.content else {}
        data[name].pop("next_page_token", None)

    assert all(each == data["twice"] for each in data.values())
    if operation.returns and "uuid" in operation.returns.model_fields:
        assert data["twice"]["uuid"] == uuid


def ids(api, operation, uuid, at, encode):
    session, *other = operation.path_parameters
    found = {session: encode(uuid)}
    if "recordingId" in other:
        found["recordingId"] = f"A{at}"
    if "participantId" in other:
        kind = operation.path.split("/")[2]
        path = f"/metrics/{kind}/{ENCODINGS['twice'](uuid)}/participants"
        people = api.get(path, params={"type": "past"}).json()["participants"]
        found["participantId"] = people[0]["id"]
    return found


def asked_of(operation):
    """All of them may be asked again and again."""
    match operation.method:
        case "GET" if operation.path.startswith("/metrics"):
            return {"params": {"type": "past"}}
        case "PUT":
            return {"json": {"action": "recover"}}
        case "PATCH":
            return {"json": {"viewer_download": False}}
    return {}


def test_half_a_uuid_and_one_with_more_to_it_lead_nowhere(api, past):
    uuid = past["meeting"][2]
    for path in (uuid[:-2], f"{uuid}/nonsense", f"{uuid}/participants/more", uuid[2:], f"x/{uuid}"):
        assert "no such operation" in refused(api.get(f"/past_meetings/{path}"), 404)
    twice = ENCODINGS["twice"](uuid)
    assert "no such operation" in refused(api.get(f"/past_meetings/{twice}/nonsense"), 404)
    assert api.put(f"/past_meetings/{uuid}").headers["allow"] == "GET"


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        (name, encoding)
        for name in ("ann", "a+b", "dept/head", "50%off", "50%41", "a/50%2Bb", "ä")
        for encoding in ENCODINGS
        # Where a percent sign itself is not encoded it means something else.
        if "%" not in name or "%25" in ENCODINGS[encoding]("%")
    ],
)
def test_an_email_address_leads_to_its_person(api, make_person, name, encoding):
    made = make_person(email=f"{name}.{fresh_email()}")

    for below in ("", "/settings"):
        answer = api.get(f"/users/{ENCODINGS[encoding](made['email'])}{below}")
        assert answer.status_code == 200, answer.text
    assert api.get(f"/users/{ENCODINGS[encoding](made['email'])}").json()["id"] == made["id"]
