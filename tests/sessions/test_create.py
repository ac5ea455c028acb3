"""Planning a session: every type, what is checked, and that one form makes one session."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from portal.audit.models import AuditEntry
from portal.client import limits
from portal.contract.meetings import MeetingType
from portal.contract.webinars import WebinarType
from portal.meetings.spec import MEETINGS
from portal.sessions import mirror
from portal.sessions.forms.plan import plan_form
from portal.sessions.mirror import SessionFilter
from portal.ui import idempotency
from portal.ui.models import SentForm
from portal.webinars.spec import WEBINARS
from tests.support.fault_server import FaultServer, Seen, answer, depending, no_answer
from tests.support.html import form_with, text_of
from tests.support.scopes import whole
from tests.support.session_pages import spec_url

pytestmark = pytest.mark.django_db

TYPES = [
    *((MEETINGS, each) for each in MeetingType),
    *((WEBINARS, each) for each in WebinarType),
]
WEEKLY = {"recurrence.type": "2", "ends": "times", "recurrence.end_times": "3"}
LOOK = "Check whether the meeting exists"


def count(planner, host, spec):
    listed = planner.sandbox.client.get(
        f"/users/{host.id}/{spec.family}", params={"type": "scheduled"}
    )
    return int(listed.json()["total_records"])


@pytest.mark.parametrize(("spec", "chosen"), TYPES, ids=lambda value: str(value)[:20])
def test_each_type_is_planned_with_what_goes_with_it_alone(planner, host, spec, chosen):
    form = planner.filled_in(spec, host, type=str(chosen.value), duration="45")
    form.values |= WEEKLY
    data = planner.made_by(planner.send(form), spec)
    assert (data["type"], data["host_id"], data["topic"]) == (chosen, host.id, "Budget review")
    if chosen in spec.fixed:
        assert (data["start_time"], data["duration"]) == ("2038-03-01T08:00:00Z", 45)
        assert data["timezone"] == "Europe/Berlin"
    assert len(data["occurrences"]) == (3 if chosen == spec.series else 0)
    assert {one["value"] for one in data["tracking_fields"]} <= {"4711"}
    listed = mirror.find(whole(planner.connection), SessionFilter(numbers=[data["id"]]))
    assert [one.topic for one in listed] == ["Budget review"]


def test_a_form_without_a_host_begins_where_the_viewer_is(planner, spec):
    planner.client.cookies["zone"] = "Asia%2FKolkata"
    form = form_with(planner.get(planner.url(spec, "create")), "topic")
    assert form.values["timezone"] == "Asia/Kolkata"
    start = datetime.fromisoformat(form.values["start_time"])
    assert start.minute == 0
    ahead = start.replace(tzinfo=ZoneInfo("Asia/Kolkata")) - datetime.now(UTC)
    assert timedelta(0) < ahead <= timedelta(hours=1)


def test_every_setting_of_the_interface_is_asked_in_some_group(spec):
    for change in (False, True):
        form = plan_form(spec, change=change)
        asked = {name for name in form.base_fields if name.startswith("settings.")}
        grouped = {f"settings.{name}" for each in spec.setting_groups for name in each.fields}
        assert asked - grouped == {"settings.alternative_hosts"}


def test_settings_passwords_and_alternative_hosts_are_sent(planner, host, make_host, spec):
    other, another = make_host(first_name="Grace"), make_host(first_name="Alan")
    more: dict[str, Any] = {
        "password": "a-b_c@1*",
        "settings__host_video": "true",
        "settings__approval_type": "1",
        "settings__alternative_hosts": [other.email, another.email],
    }
    form = planner.filled_in(spec, host, **more)
    data = planner.made_by(planner.send(form), spec)
    assert data.get("password", "a-b_c@1*") == "a-b_c@1*"
    settings = data["settings"]
    assert settings["host_video"] is True
    assert settings["approval_type"] == 1
    assert settings["alternative_hosts"] == f"{other.email},{another.email}"


def test_a_meeting_is_scheduled_for_somebody_else(planner, host, make_host):
    other = make_host(first_name="Grace")
    form = planner.filled_in(MEETINGS, host, schedule_for=other.id)
    data = planner.made_by(planner.send(form), MEETINGS)
    assert data["host_id"] == other.id


@pytest.mark.parametrize(
    ("given", "field", "words"),
    [
        ({"host": ""}, "host", "Choose a host."),
        ({"start_time": ""}, "start_time", "Enter a start time."),
        ({"start_time": "2570-03-31T09:00"}, "start_time", "In the Buddhist calendar it is 2027"),
        (
            {"ends": "until", "recurrence.end_date_time": "2099-03-01"},
            "recurrence-end_date_time",
            "The year 2099 is more than 20 years away.",
        ),
        ({"timezone": "Mars/Olympus"}, "timezone", "Choose a time zone such as"),
        ({"password": "no blanks!"}, "password", "Use letters, digits and the characters"),
        ({"password": "12345678901"}, "password", "Use at most 10 characters."),
        ({"duration": "0"}, "duration", "This must be at least 1."),
        ({"duration": "99999"}, "duration", "This must be at most 43,200 minutes."),
        ({"recurrence.repeat_interval": "13"}, "recurrence-repeat_interval", "at most 12 weeks"),
        ({"recurrence.end_times": "51"}, "recurrence-end_times", "at most 50"),
        ({"recurrence.end_times": ""}, "recurrence-end_times", "Enter the number of occurrences."),
        ({"ends": "until"}, "recurrence-end_date_time", "Enter an end date."),
        (
            {"ends": "until", "recurrence.end_date_time": "2038-02-01"},
            "recurrence-end_date_time",
            "It ends before it takes place.",
        ),
        ({"tracking_fields.0.value": ""}, "tracking_fields-0-value", "Required by the account."),
    ],
)
@pytest.mark.usefixtures("required_tracking_field")
def test_what_is_wrong_is_said_at_its_field(planner, host, given, field, words):
    form = planner.filled_in(MEETINGS, host, type="8")
    form.values |= WEEKLY | given
    refused = planner.send(form)
    assert refused.status_code == 422
    assert f'href="#id_{field}"' in refused.text
    assert words in text_of(refused.text)
    assert form_with(refused.text, "topic").values["topic"] == "Budget review"
    assert count(planner, host, MEETINGS) == 0


def test_a_clash_is_shown_before_saving_and_is_no_bar(planner, host):
    first = planner.filled_in(MEETINGS, host, topic="Stand-up")
    planner.send(first)
    form = planner.filled_in(MEETINGS, host, start_time="2038-03-01T09:59")
    warned = planner.send(form)
    assert warned.status_code == 422
    assert f"{host.name} has “Stand-up” at that time" in text_of(warned.text)
    assert count(planner, host, MEETINGS) == 1
    again = form_with(warned.text, "topic")
    assert "Schedule anyway" in again.buttons
    planner.made_by(planner.send(again), MEETINGS)
    after = planner.filled_in(MEETINGS, host, start_time="2038-03-01T11:00")
    planner.made_by(planner.send(after), MEETINGS)


def test_a_double_click_plans_one_session(planner, host, spec):
    form = planner.filled_in(spec, host, topic="Only once")
    first = planner.send(form)
    second = planner.client.post(form.action, form.values, follow=True)
    assert second.redirect_chain[0][0] == first.headers["Location"]
    assert "was already scheduled by your first click" in text_of(second.text)
    begun = AuditEntry.objects.filter(operation=f"{spec.family}.create", outcome="begun")
    assert begun.count() == 1


def test_a_form_that_is_still_being_sent_is_not_sent_again(
    planner, administrator, host, monkeypatch
):
    form = planner.filled_in(MEETINGS, host)
    SentForm.objects.create(user=administrator, ticket=form.values["idempotency_key"])
    monkeypatch.setattr(idempotency, "TIMEOUT", 0.0)
    page = planner.send(form).text
    assert "already being submitted" in text_of(page)
    assert LOOK in form_with(page, "topic").buttons


class Service:
    """A service that knows no other sessions of the host than the one it is given."""

    def __init__(self, server: FaultServer, creating: Any) -> None:
        self.listed: list[dict[str, Any]] = []
        self.creating = creating
        self.date = ""
        server.always(depending(self._answer))

    def _answer(self, seen: Seen) -> Any:
        if seen.method == "POST":
            return self.creating
        if seen.path.endswith("/tracking_fields"):
            return answer(200, {"tracking_fields": []})
        if seen.path.endswith("/meetings") or seen.path.endswith("/webinars"):
            name = seen.path.rpartition("/")[2]
            listed = self.listed if name == "meetings" else []
            said = {"Date": self.date} if self.date else {}
            return answer(200, {name: listed, "total_records": len(listed)}, headers=said)
        return answer(200, {"id": "123456789", "topic": "Budget review", "host_id": "u1"})


def _lost(client, faulty):
    form = form_with(client.get(spec_url(faulty, MEETINGS, "create")).text, "topic")
    form.values |= {
        "topic": "Budget review",
        "host": "u1",
        "start_time": "2038-03-01T09:00",
        "timezone": "UTC",
    }
    return client.post(form.action, form.values)


@pytest.mark.parametrize("trouble", [no_answer(), answer(500)], ids=["hangs up", "500"])
def test_creation_without_outcome_is_looked_up_not_resent(client, faulty, fault_server, trouble):
    service = Service(fault_server, trouble)
    lost = _lost(client, faulty)
    assert lost.status_code == 422
    assert "The meeting may have been created" in text_of(lost.text)
    page = form_with(lost.text, "topic")
    assert "Schedule meeting" not in page.buttons
    client.post(page.action, page.values)
    assert [seen.method for seen in fault_server.requests].count("POST") == 1

    look = page.buttons[LOOK]["formaction"]
    absent = client.post(look, page.values)
    assert "No new meeting was created" in text_of(absent.text)
    assert "Schedule meeting" in form_with(absent.text, "topic").buttons

    created = "2999-01-01T00:00:00Z"
    service.listed = [
        {"id": 5, "topic": "Budget review", "type": 2, "created_at": "2020-01-01T00:00:00Z"},
        {"id": 6, "topic": "Another", "type": 2, "created_at": created},
        {"id": 7, "topic": "Budget review", "type": 2, "created_at": created},
    ]
    found = client.post(look, page.values)
    assert found.headers["Location"] == spec_url(faulty, MEETINGS, "session", "7")


def test_a_creation_is_found_by_the_clock_of_the_service(client, faulty, fault_server):
    service = Service(fault_server, no_answer())
    page = form_with(_lost(client, faulty).text, "topic")
    an_hour_ago = timezone.now() - timedelta(hours=1)
    service.date = format_datetime(an_hour_ago, usegmt=True)
    limits._ahead_of.clear()
    service.listed = [
        {"id": 7, "topic": "Budget review", "type": 2, "created_at": an_hour_ago.isoformat()},
    ]
    found = client.post(page.buttons[LOOK]["formaction"], page.values)
    assert found.headers["Location"] == spec_url(faulty, MEETINGS, "session", "7")


def test_a_refused_form_keeps_how_often_it_takes_place(planner, host):
    form = planner.filled_in(MEETINGS, host, topic="Kept", type="8", start_time="")
    form.values |= WEEKLY | {"recurrence.repeat_interval": "2", "recurrence.end_times": "7"}
    refused = planner.send(form)
    assert refused.status_code == 422
    kept = form_with(refused.text, "topic").values
    assert (kept["recurrence.repeat_interval"], kept["recurrence.end_times"]) == ("2", "7")
    # A page sends nothing of what it hides.
    hidden = {name: value for name, value in form.values.items() if "recurrence" not in name}
    once = planner.client.post(form.action, hidden | {"type": "2"})
    assert once.status_code == 422
    usual = form_with(once.text, "topic").values
    assert (usual["recurrence.repeat_interval"], usual["recurrence.end_times"]) == ("1", "10")


def test_a_host_who_was_typed_and_not_chosen_is_said(planner, host):
    form = planner.filled_in(MEETINGS, host, topic="Whose")
    refused = planner.send(form, schedule_for="", **{"search:schedule_for": "Grace Hopper"})
    assert refused.status_code == 422
    assert "“Grace Hopper” is not selected" in text_of(refused.text)
    assert form_with(refused.text, "topic").values["search:schedule_for"] == "Grace Hopper"


def test_a_search_keeps_the_form_and_finds_people(planner, host, make_host):
    other = make_host(first_name="Grace", last_name="Hopper")
    form = planner.filled_in(MEETINGS, host, topic="Kept")
    name = "settings.alternative_hosts"
    searched = planner.client.post(
        form.action, form.values | {"find": name, f"search:{name}": other.email}
    )
    assert searched.status_code == 200
    assert f'name="{name}" value="{other.email}"' in searched.text
    assert form_with(searched.text, "topic").values["topic"] == "Kept"
    assert "to correct" not in searched.text
    found = planner.client.get(
        planner.url(MEETINGS, "people"), {"field": "host", "search:host": other.email}
    )
    assert f'type="radio" name="host" value="{other.id}"' in found.text
    unknown = planner.client.get(planner.url(MEETINGS, "people"), {"field": "topic"})
    assert unknown.status_code == 404


def test_a_copy_begins_like_the_other_with_a_new_password(planner, host):
    form = planner.filled_in(MEETINGS, host, type="8", password="secret-1")
    form.values |= WEEKLY | {"settings.waiting_room": "on"}
    first = planner.made_by(planner.send(form), MEETINGS)
    html = planner.client.get(planner.url(MEETINGS, "create"), {"copy": first["id"]}).text
    copy = form_with(html, "topic")
    assert "secret-1" not in html
    assert copy.values["host"] == host.id
    assert copy.values["start_time"] == "2038-03-01T09:00"
    assert copy.values["recurrence.end_times"] == "3"
    assert copy.values["settings.waiting_room"] == "on"
    assert len(copy.values["password"]) == 10
    assert "The original has a password, which is not copied" in text_of(html)
    copied = planner.made_by(planner.client.post(copy.action, copy.values), MEETINGS)
    assert copied["password"] == copy.values["password"]


def test_nul_in_what_is_sent_is_no_error(planner, host):
    nul = "\x00"
    page = planner.client.get(planner.url(MEETINGS, "create"), {"host": f"a{nul}b"})
    assert page.status_code == 200
    found = {"field": "host", "search:host": f"a{nul}b", "host": nul}
    assert planner.client.get(planner.url(MEETINGS, "people"), found).status_code == 200
    form = planner.filled_in(MEETINGS, host, topic=f"a{nul}b", idempotency_key=f"t{nul}")
    assert planner.send(form, keep="yes", template_name=f"a{nul}b").status_code == 200
    assert planner.send(form).status_code == 422


def test_a_form_opens_without_tracking_fields_and_says_why(client, faulty, fault_server):
    fault_server.always(answer(404, {"code": 2300, "message": "Not recognized."}))
    for spec in (MEETINGS, WEBINARS):
        page = client.get(spec_url(faulty, spec, "create"))
        assert page.status_code == 200
        assert "Tracking fields could not be loaded: Not recognized." in text_of(page.text)
