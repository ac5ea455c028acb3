"""Devices, tracking fields and webhooks: listed, found, added once, changed, deleted."""

from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any

import pytest
from django.urls import reverse

from portal.access.models import Connection
from portal.audit.models import AuditEntry
from portal.sessions.models import MirroredSession
from tests.account.pages import address
from tests.support.dashboard_pages import rows_in, sent, table_of, words_of
from tests.support.fault_server import answer, no_answer
from tests.support.html import form_with
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db

Json = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A resource: where the service lists it, and what is sent for a new one."""

    name: str
    path: str
    records: str
    key: str
    label: str
    data: Json
    changed: tuple[str, str]
    more: Json = field(default_factory=dict)
    namespace: str = "account"

    def url(self, connection: Connection, name: str = "", *more: str, **query: Any) -> str:
        page = f"{self.namespace}:{self.name}{name}"
        return reverse(page, args=[connection.key, *more], query=query or None)

    def filled(self, **given: object) -> Json:
        """Returns the values that a form sends, with a name of its own."""
        return self.data | {self.label: self.data[self.label].replace("*", token_hex(4))} | given


DEVICE = Case(
    "devices",
    "/h323/devices",
    "devices",
    "id",
    "name",
    {"name": "Lobby *", "ip": "192.0.2.7", "protocol": "SIP", "encryption": "auto"},
    ("ip", "192.0.2.8"),
)
FIELD = Case(
    "tracking-fields",
    "/v2/tracking_fields",
    "tracking_fields",
    "id",
    "field",
    {"field": "Cost centre *", "recommended_values": "One\nTwo", "required": "", "visible": "true"},
    ("field", "Renamed"),
)
HOOK = Case(
    "webhooks",
    "/webhooks",
    "webhooks",
    "webhook_id",
    "url",
    {
        "url": "https://hooks.example/*",
        "auth_user": "switch",
        "auth_password": "board-secret",
        "events": ["meeting_started", "meeting_ended"],
    },
    ("auth_user", "other"),
    namespace="webhooks",
)
EACH = pytest.mark.parametrize("case", [DEVICE, FIELD, HOOK], ids=lambda case: case.name)


def listed(sandbox, case):
    found: list[Json] = sandbox.client.get(case.path).json()[case.records]
    return found


@pytest.fixture
def version_2(sandbox):
    sandbox.client.patch("/webhooks/options", json={"version": "v2"})
    yield
    sandbox.client.patch("/webhooks/options", json={"version": "v2"})


@pytest.fixture
def clean(sandbox, version_2):
    """Takes away afterwards what a test added."""
    before = {each[case.key] for case in (DEVICE, FIELD, HOOK) for each in listed(sandbox, case)}
    yield
    for case in (DEVICE, FIELD, HOOK):
        for each in listed(sandbox, case):
            if each[case.key] not in before:
                sandbox.client.delete(f"{case.path}/{each[case.key]}")


def added(client, connection, sandbox, case):
    """One that was added through the page, as the service has it."""
    data = case.filled()
    page = client.get(case.url(connection, "-new")).content.decode()
    form = form_with(page, case.label)
    response = client.post(case.url(connection, "-new"), form.values | data)
    assert response.status_code == 303, words_of(response.content)
    return next(each for each in listed(sandbox, case) if each[case.label] == data[case.label])


@EACH
def test_what_is_added_is_listed_and_found(client, connection, sandbox, clean, case):
    one = added(client, connection, sandbox, case)
    name = one[case.label]
    html = sent(client, case.url(connection, q=name.upper()))
    assert rows_in(html) == 1
    assert name in html
    nothing = sent(client, case.url(connection, q=token_hex(8)))
    assert rows_in(nothing) == 0


@EACH
def test_it_is_added_once_however_often_the_form_is_sent(client, connection, sandbox, clean, case):
    url = case.url(connection, "-new")
    data = form_with(client.get(url).content.decode(), case.label).values | case.filled()
    for _ in range(3):
        assert client.post(url, data).status_code == 303
    found = [each for each in listed(sandbox, case) if each[case.label] == data[case.label]]
    assert len(found) == 1


@EACH
def test_a_change_sends_only_what_differs(client, connection, sandbox, clean, case):
    one = added(client, connection, sandbox, case)
    url = case.url(connection, "-change", one[case.key])
    name, value = case.changed
    form = form_with(client.get(url).content.decode(), name)
    new = f"{value} {token_hex(4)}" if name == "field" else value
    given = {**form.values, name: new}
    if "events" in case.data:
        given["events"] = case.data["events"]
    assert client.post(url, given).status_code == 303
    now = next(each for each in listed(sandbox, case) if each[case.key] == one[case.key])
    assert now == one | {name: new}


@EACH
def test_it_is_deleted_after_a_question(client, connection, sandbox, clean, case):
    one = added(client, connection, sandbox, case)
    url = case.url(connection, "-delete", one[case.key])
    asked = client.get(url)
    assert one[case.label] in words_of(asked.content)
    assert one in listed(sandbox, case)
    assert client.post(url).status_code == 303
    assert one not in listed(sandbox, case)
    family = case.path.strip("/").replace("v2/", "").replace("h323/", "")
    assert AuditEntry.objects.filter(operation=f"{family}.delete").exists()


@EACH
def test_bad_input_is_said_at_its_field_and_stays_typed(client, connection, clean, case):
    data = case.filled(**{case.label: ""})
    response = client.post(case.url(connection, "-new"), data)
    assert response.status_code == 422
    rest = [value for value in data.values() if isinstance(value, str) and len(value) > 6]
    secret = data.get("auth_password")
    html = response.content.decode()
    assert all(value in html for value in rest if value != secret)


@EACH
def test_a_file_has_what_the_list_shows(client, connection, sandbox, clean, case):
    one = added(client, connection, sandbox, case)
    rows = table_of(client, case.url(connection, "-export", "csv", columns="all"))
    found = [row for row in rows if next(iter(row.values())) == one[case.key]]
    assert len(found) == 1
    assert one[case.label] in found[0].values()
    assert not any("assword" in heading for heading in rows[0])


@EACH
def test_an_unknown_one_is_not_found(client, connection, case):
    for part in ("change", "delete"):
        url = case.url(connection, f"-{part}", "no-such-thing")
        assert client.get(url).status_code == 404


@EACH
def test_creation_without_answer_is_looked_for_before_resend(client, faulty, fault_server, case):
    data = case.filled()
    url = case.url(faulty, "-new")
    page = {case.records: [], "total_records": 0, "page_count": 1, "page_number": 1}
    fault_server.always(answer(200, page))
    key = form_with(client.get(url).content.decode(), case.label).values["idempotency_key"]
    fault_server.requests.clear()
    fault_server.always(no_answer())
    client.post(url, data | {"idempotency_key": key})
    made = {case.key: "made-after-all", **data}
    if case is FIELD:
        made |= {"recommended_values": ["One", "Two"], "required": False, "visible": True}
    fault_server.always(answer(200, page | {case.records: [made], "total_records": 1}))
    fault_server.requests.clear()
    again = client.post(url, data | {"idempotency_key": key})
    assert again.status_code == 303
    assert {seen.method for seen in fault_server.requests} == {"GET"}


def test_a_viewer_sees_devices_and_is_offered_no_change(viewer, connect, sandbox):
    html = sent(admin_client_for(viewer), address(connect(viewer), "devices"), "content")
    assert rows_in(html) == len(listed(sandbox, DEVICE)) > 0
    assert "Add device" not in html
    assert "/delete/" not in html
    assert "/change/" not in html


def test_devices_that_the_service_leaves_out_are_counted(client, faulty, fault_server):
    device = {"id": "1", "name": "One", "ip": "192.0.2.1", "protocol": "SIP", "encryption": "no"}
    fault_server.always(answer(200, {"devices": [device], "total_records": 400}))
    text = words_of(client.get(address(faulty, "devices")).content)
    assert "The service lists 1 of its 400 devices." in text


def test_a_tracking_field_says_in_how_many_sessions_it_is_used(client, connection, sandbox, clean):
    one = added(client, connection, sandbox, FIELD)
    for number in range(3):
        MirroredSession.objects.create(
            connection=connection,
            kind="meetings",
            session_id=str(number),
            tracking={one["field"]: "One"} if number else {},
        )
    [row] = table_of(client, address(connection, "tracking-fields-export", "csv", q=one["field"]))
    assert row["Sessions"] == "2"
    asked = client.get(address(connection, "tracking-fields-delete", one["id"]))
    assert "2 known sessions have a value in it" in words_of(asked.content)
