"""Tabs of a person's page that show the sessions they host, and of what was recorded."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.access.models import Connection
from portal.access.roles import Role
from portal.contract.meetings import MeetingDetails
from portal.contract.users import User as Person, UserStatus
from portal.contract.webinars import WebinarDetails
from portal.directory import users
from portal.mirror.models import MirrorState
from portal.sessions import mirror
from portal.sessions.views.person import RecordingPeriod
from tests.support.fault_server import answer, depending
from tests.support.html import form_with, text_of
from tests.support.portal import admin_client_for, member
from tests.support.scopes import whole
from tests.support.session_pages import spec_url

pytestmark = pytest.mark.django_db

PANEL = {"HX-Request": "true", "HX-Target": "panel"}
DETAILS = {"meetings": MeetingDetails, "webinars": WebinarDetails}
ONCE, ANY_TIME, AGAIN = 0, 1, 2
TYPES = {"meetings": (2, 3, 8), "webinars": (5, 6, 9)}
Plan = Callable[..., None]


def read_lately(connection):
    """The connection, with its list of sessions as if that was read a moment ago."""
    state = mirror.state_of(connection)
    MirrorState.objects.filter(pk=state.pk).update(refreshed_at=timezone.now())
    return connection


@pytest.fixture
def connection(connect, administrator):
    """The administrator's connection to the sandbox."""
    return read_lately(connect(administrator))


@pytest.fixture
def plan(connection, host, spec):
    """Puts sessions of the host's into the mirror: `plan("Budget", hours=5)`."""
    numbers = iter(range(81_000_000_001, 81_000_000_099))

    def put(topic, *, hours=None, which=ONCE, of=""):
        data: dict[str, Any] = {"id": next(numbers), "topic": topic, "duration": 30}
        data |= {"type": TYPES[spec.family][which], "host_id": of or host.id}
        if hours is not None:
            data["start_time"] = (timezone.now() + timedelta(hours=hours)).isoformat()
        mirror.put(connection, spec.family, DETAILS[spec.family].model_validate(data))

    return put


def tab(connection, host_id, name, **query):
    return reverse("people:tab", args=[connection.key, host_id, name], query=query or None)


def _topics(html):
    return re.findall(r'class="row-link"[^>]*>([^<]+)<', html)


def test_the_tabs_stand_after_the_profile(client, connection, host):
    html = client.get(reverse("people:person", args=[connection.key, host.id])).content.decode()
    assert re.findall(r'id="tab-(\w+)"', html)[:7] == [
        "person",
        "profile",
        "sessions",
        "recordings",
        "access",
        "settings",
        "history",
    ]


def test_the_tab_lists_what_the_person_hosts_next_first(client, connection, host, spec, plan):
    plan("Later", hours=50)
    plan("Sooner", hours=5)
    plan("Of another host", hours=6, of="somebody-else")
    plan("Over", hours=-50)
    shown = client.get(tab(connection, host.id, spec.family)).content.decode()
    assert f">{host.name}</span></h1>" in shown
    assert _topics(shown) == ["Sooner", "Later"]
    assert "Times are in" in text_of(shown)
    assert "Upcoming (2) Past (1) No fixed time (0) All (3)" in text_of(shown)
    number = mirror.find(whole(connection), mirror.SessionFilter(search="Sooner")).get().session_id
    assert f'href="{spec_url(connection, spec, "session", number)}"' in shown


def test_what_is_over_comes_latest_first_and_order_can_be_chosen(
    client, connection, host, spec, plan
):
    plan("Long ago", hours=-500)
    plan("Yesterday", hours=-24)
    plan("Whenever", which=ANY_TIME)

    def shown(**query):
        return _topics(client.get(tab(connection, host.id, spec.family, **query)).content.decode())

    assert shown(when="past") == ["Yesterday", "Long ago"]
    assert shown(when="past", sort="topic") == ["Long ago", "Yesterday"]
    assert shown(when="unscheduled") == ["Whenever"]
    assert shown(when="all") == ["Yesterday", "Long ago", "Whenever"]
    assert shown(when="live") == shown() == []


def test_many_sessions_come_in_pages(client, connection, host, spec, plan):
    for number in range(27):
        plan(f"Session {number}", hours=number + 1)
    first = client.get(tab(connection, host.id, spec.family, per_page="25")).content.decode()
    second = tab(connection, host.id, spec.family, per_page="25", page="2")
    assert len(_topics(first)) == 25
    assert _topics(client.get(second).content.decode()) == ["Session 25", "Session 26"]


def test_an_empty_tab_says_what_is_missing_and_leads_on(client, connection, host, spec):
    html = client.get(tab(connection, host.id, spec.family), headers=PANEL).content.decode()
    assert "<html" not in html
    assert f"No upcoming {spec.plural}" in text_of(html)
    assert f'{spec_url(connection, spec, "create")}?host={host.id}"' in html
    assert f"{spec_url(connection, spec, 'list')}?host={host.id}" in html


def test_a_list_that_was_never_read_says_that_it_is_being_read(client, connection, host, spec):
    MirrorState.objects.filter(pk=mirror.state_of(connection).pk).update(refreshed_at=None)
    html = client.get(tab(connection, host.id, spec.family)).content.decode()
    assert f"Loading scheduled {spec.plural}" in text_of(html)
    assert "Show progress" in html


def test_a_viewer_sees_the_tab_and_schedules_nothing(connect, host, viewer, spec):
    connection = read_lately(connect(viewer))
    html = admin_client_for(viewer).get(tab(connection, host.id, spec.family)).content.decode()
    assert f"{spec.title} hosted by this person" in text_of(html)
    assert spec_url(connection, spec, "create") not in html


def test_a_tab_that_nobody_declared_is_not_found(client, connection, host):
    assert client.get(tab(connection, host.id, "jobs")).status_code == 404


class Recorder:
    """A person of the sample account whose sessions were recorded, and when."""

    def __init__(self, reported: list[dict[str, Any]]) -> None:
        self.reported = sorted(reported, key=lambda one: one["start_time"], reverse=True)
        self.id: str = reported[0]["host_id"]

    def month(self) -> tuple[str, list[dict[str, Any]]]:
        """The latest month, as an address has it, and what was recorded in it."""
        month = self.reported[0]["start_time"][:7]
        return month, [one for one in self.reported if one["start_time"][:7] == month]


@pytest.fixture
def recorder(sandbox, connection):
    """The one with the most recordings of the last half year."""
    today = datetime.now(UTC).date()
    asked = {"from": str(today - timedelta(days=180)), "to": str(today), "page_size": "300"}
    found: list[dict[str, Any]] = []
    for user in sandbox.people():
        page = sandbox.client.get(f"/users/{user['id']}/recordings", params=asked).json()
        found = max(found, page["meetings"], key=len)
    assert found
    answer = Person.read(sandbox.client.get(f"/users/{found[0]['host_id']}").content)
    users.put(connection, answer, UserStatus.ACTIVE)
    return Recorder(found)


def test_a_month_of_recordings_is_listed_latest_first(client, connection, recorder, sandbox):
    month, data = recorder.month()
    said = text_of(client.get(tab(connection, recorder.id, "recordings", month=month)).text)
    assert f"Cloud recordings {len(data)}" in said
    shown = re.findall(r"\w{3} \d+ \w{3} \d{4}, \d\d:\d\d", said)
    starts = [datetime.strptime(one, "%a %d %b %Y, %H:%M").replace(tzinfo=UTC) for one in shown]
    assert len(starts) == len(data)
    assert starts == sorted(starts, reverse=True)
    assert all(" ".join(one["topic"].split()) in said for one in data)
    files = len(data[0]["recording_files"])
    assert f"{files} file{'' if files == 1 else 's'} ·" in said
    assert "Times are in" in said


def test_recording_leads_to_its_page_where_session_is_known(client, connection, recorder, sandbox):
    month, data = recorder.month()
    address = tab(connection, recorder.id, "recordings", month=month)
    number = str(data[0]["id"])
    assert f"/{number}/recordings/" not in client.get(address).text
    details = {"id": number, "topic": "T", "type": 2, "host_id": recorder.id}
    mirror.put(connection, "meetings", MeetingDetails.model_validate(details))
    once = reverse("meetings:recordings", args=[connection.key, number])
    assert f'href="{once}"' in client.get(address).text
    again = MeetingDetails.model_validate({**details, "type": 8})
    mirror.put(connection, "meetings", again)
    one_time = reverse("meetings:held-one", args=[connection.key, number, data[0]["uuid"]])
    assert f'href="{one_time}"' in client.get(address).text


def test_without_a_month_the_last_30_days_are_asked_for(client, connection, host, fault_server):
    fault_server.always(depending(lambda seen: answer(200, _answer_for(seen.path, host.id))))
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    today = timezone.now().date()
    for query, first, last in (
        ({}, today - timedelta(days=30), today),
        ({"month": "nonsense"}, today - timedelta(days=30), today),
        ({"month": f"{today:%Y-%m}"}, today.replace(day=1), today),
    ):
        said = text_of(client.get(tab(connection, host.id, "recordings", **query)).text)
        asked = [seen for seen in fault_server.requests if seen.path.endswith("/recordings")][-1]
        assert asked.query["from"] == str(first)
        assert asked.query["to"] == str(last)
        assert "No recordings on these days" in said
        assert form_with(client.get(tab(connection, host.id, "recordings")).text, "month")


def _answer_for(path, user_id):
    return (
        {"meetings": []}
        if path.endswith("/recordings")
        else {"id": user_id, "email": "a@b.example"}
    )


@pytest.mark.parametrize(
    ("today", "first", "last"),
    [
        (date(2026, 3, 31), date(2026, 2, 1), date(2026, 2, 28)),
        (date(2026, 1, 1), date(2025, 12, 1), date(2025, 12, 31)),
        (date(2026, 1, 9), date(2026, 1, 1), date(2026, 1, 9)),
    ],
)
def test_a_period_is_a_month_at_most(today, first, last):
    assert RecordingPeriod.month(first, today) == RecordingPeriod(first, last)
    assert RecordingPeriod.until(today).last - RecordingPeriod.until(today).first == timedelta(
        days=30
    )


def test_a_viewer_sees_recordings(connect, host, sandbox):
    user = member("looks@example.com", Role.VIEWER)
    connection = connect(user)
    html = admin_client_for(user).get(tab(connection, host.id, "recordings")).text
    assert 'id="tab-recordings"' in html


def test_while_service_does_not_report_recordings_tab_says_so(
    client, connection, host, fault_server
):
    fault_server.always(answer(500))
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    failed = client.get(tab(connection, host.id, "recordings"), headers=PANEL)
    assert "The conferencing service failed" in failed.text
    assert "<html" not in failed.text
