"""Small tables and lists as people really have them, by each way in: upload, paste, command."""

import io
import json
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from portal.access.http import Origin
from portal.access.models import Connection
from portal.connections.services import connections
from portal.contract.users import UserDetails, UserStatus
from portal.directory import users as mirror
from portal.jobs.models import Job
from portal.meetings.spec import MEETINGS
from portal.people.services.groups import GROUPS
from portal.webinars.spec import WEBINARS
from tests.people.test_groups import of
from tests.sessions.registered import register
from tests.support.html import form_with, text_of
from tests.support.jobs import approve
from tests.support.session_pages import url

pytestmark = [pytest.mark.django_db, pytest.mark.deep]
CASES = Path(__file__).parent / "cases"
WAYS = pytest.mark.parametrize("way", ["file", "text"])
THREE = ["ada.l@client.example", "grace.h@client.example", "alan.t@client.example"]


def _planned(client, work, address, case, way, *, of="", **more):
    """The plan of a case that was uploaded or pasted, about the session `of`."""
    content = (CASES / case).read_bytes().replace(b"220770182", of.encode())
    file = io.BytesIO(content)
    file.name = case
    taken = client.post(address, {way: file if way == "file" else content.decode()}, follow=True)
    form = form_with(taken.text, "column_0")
    begun = client.post(form.action, form.values | more)
    assert begun.status_code == 303, text_of(begun.text)
    return work(Job.objects.get(key=begun["Location"].rstrip("/").rpartition("/")[2]))


def _read(job):
    """What each row is about, and what is wrong with it."""
    return {
        one.number: (one.label, " ".join(words for _heading, words in one.problems))
        for one in job.items.all()
    }


@pytest.fixture
def registering(connection, make_session):
    meeting = make_session(MEETINGS, settings={"approval_type": 1})
    return url(connection, meeting, "registrants-import")


@WAYS
def test_line_of_mail_program_registers_each_of_three(client, work, registering, way):
    job = _planned(client, work, registering, "outlook-to-line.txt", way)
    names = ["Ada Lovelace", "Grace Hopper", "Alan Turing"]
    expected = {
        number: (f"{name}, {email}", "")
        for number, (name, email) in enumerate(zip(names, THREE, strict=True), start=1)
    }
    assert _read(job) == expected


@WAYS
def test_addresses_with_unseen_characters_register_without_them(client, work, registering, way):
    job = _planned(client, work, registering, "registrants-invisible.csv", way)
    emails = ["grace.bidi", "ada.zw", "alan.m", "jean.b"]
    read = _read(job)
    assert [label.rpartition(" ")[2] for label, _problem in read.values()] == [
        f"{each}@client.example" for each in emails
    ]
    assert not any(problem for _label, problem in read.values())


@WAYS
def test_line_of_mail_program_creates_each_of_three_people(client, work, connection, way):
    address = reverse("people:import", args=[connection.key])
    job = _planned(client, work, address, "outlook-to-line.txt", way)
    assert list(job.items.values_list("label", "data__name", "action")) == [
        (THREE[0], "Ada Lovelace", "create"),
        (THREE[1], "Grace Hopper", "create"),
        (THREE[2], "Alan Turing", "create"),
    ]


@pytest.mark.parametrize("way", ["file", "text", "command"])
@pytest.mark.parametrize("case", ["people-bom-quoted.csv", "people-zones.csv"])
def test_quoted_people_and_their_zones_are_read_as_meant(client, work, connection, way, case):
    if way == "command":
        with pytest.raises(CommandError) if "zones" in case else nullcontext():
            call_command("import_people", str(CASES / case), connection="Sandbox", dry_run=True)
        job = Job.objects.get()
    else:
        address = reverse("people:import", args=[connection.key])
        left_out = {"leave_out": "4"} if "quoted" in case else {}
        job = _planned(client, work, address, case, way, **left_out)
    read = _read(job)
    if "zones" in case:
        wrong = [number for number, (_label, problem) in read.items() if problem]
        assert wrong == [5, 6], read  # names of other products, which are no zones of the database
        return
    assert not any(problem for _label, problem in read.values()), read
    [row] = [one.data for one in job.items.all() if one.label.startswith("anne.marie+tag@")]
    assert row["create"]["user_info"]["first_name"].split() == ["Anne", "Marie"]


def test_start_at_midnight_in_workbook_is_time(client, work, connection, sandbox, make_host):
    _hosts(sandbox, make_host, "seoyeon.moon")
    address = reverse("meetings:import", args=[connection.key])
    read = _read(_planned(client, work, address, "meetings-midnight.xlsx", "file"))
    assert [label for label, _problem in read.values()] == [
        "New Year countdown, 2027-01-01 00:00",
        "Morning round, 2027-01-04 09:00",
    ]
    assert not any(problem for _label, problem in read.values()), read


@WAYS
def test_preview_refuses_what_service_would(client, work, connection, *, sandbox, make_host, way):
    names = ("seoyeon.moon", "claudia.foerster", "lukasz.dabrowski", "fabrizio.lopresti")
    _hosts(sandbox, make_host, *names)
    gone = sandbox.client.get("/users/fabrizio.lopresti@brightwater.example").content
    mirror.put(connection, UserDetails.read(gone), UserStatus.INACTIVE)
    address = reverse("meetings:import", args=[connection.key])
    read = _read(_planned(client, work, address, "meetings-alt.csv", way))
    wrong = {number: problem for number, (_label, problem) in read.items() if problem}
    assert sorted(wrong) == [4, 6, 8, 9, 12], wrong


@WAYS
def test_series_with_registrations_is_moved_when_asked_alone(
    client, work, connection, *, make_session, sandbox, way
):
    weekly = {"type": 2, "weekly_days": "4", "end_times": 4}
    start = {"start_time": "2027-10-06T09:00:00", "timezone": "Europe/Berlin", "duration": 30}
    settings = {"approval_type": 0, "registration_type": 2}
    made = make_session(MEETINGS, type=8, recurrence=weekly, settings=settings, **start)
    register(sandbox, made, "ada")
    address = reverse("meetings:import", args=[connection.key])
    [(_label, problem)] = _read(
        _planned(client, work, address, "series-move.csv", way, of=made.id)
    ).values()
    assert "4 registrations of 1 person" in problem
    job = _planned(client, work, address, "series-move.csv", way, of=made.id, registers_again="on")
    assert [problem for _label, problem in _read(job).values()] == [""]


def test_daily_limit_of_host_holds_rows_of_that_host_alone(
    client, work, *, administrator, sandbox, faulty_proxy, make_host
):
    _hosts(sandbox, make_host, "seoyeon.moon", "claudia.foerster")
    limited = sandbox.client.get("/users/seoyeon.moon@brightwater.example").json()["id"]
    behind = Connection(owner=administrator, name="Behind a proxy", base_url=faulty_proxy.url)
    connections.save(Origin(administrator), behind, sandbox.token)
    until = f"{timezone.now() + timedelta(minutes=65):%Y-%m-%dT%H:%M:%SZ}"
    rules = (CASES / "rules-429-iso.json").read_text().replace("HOST_ID", limited)
    faulty_proxy.rules = json.loads(rules.replace("2026-11-25T00:00:00Z", until))
    address = reverse("meetings:import", args=[behind.key])
    job = _planned(client, work, address, "meetings-daily-limit.csv", "file")
    assert not any(problem for _label, problem in _read(job).values()), _read(job)
    approve(job)
    work(job)
    states = dict(job.items.values_list("number", "state"))
    assert states == {2: "pending", 3: "done", 4: "pending", 5: "done"}
    assert len(faulty_proxy.ruled) <= 2  # both at once, and none again
    assert all(item.due_at > timezone.now() for item in job.items.filter(state="pending"))


def _hosts(sandbox, make_host, *names):
    for name in names:
        email = f"{name}@brightwater.example"
        if sandbox.client.get(f"/users/{email}").status_code != 200:
            make_host(email=email)


def test_line_of_mail_program_is_shown_before_panelists(client, connection, make_session, sandbox):
    webinar = make_session(WEBINARS)
    address = url(connection, webinar, "panelists-add")
    _shown_and_sent(client, address, "people", form_with(client.get(address).text, "people").values)
    listed = sandbox.client.get(f"/webinars/{webinar.id}/panelists").json()["panelists"]
    assert {one["email"] for one in listed} == {*THREE}


def _shown_and_sent(client, address, name, values):
    pasted = (CASES / "outlook-to-line.txt").read_text()
    shown = client.post(address, values | {name: pasted})
    assert shown.status_code == 422
    assert "3 people were understood" in text_of(shown.text)
    form = form_with(shown.text, name)
    assert len(form.values[name].splitlines()) == 3
    assert client.post(form.action, form.values).status_code == 303


def test_line_of_mail_program_is_shown_before_members(client, connection, make_group, sandbox):
    for email in THREE:
        info = {"email": email, "type": 1}
        sandbox.client.post("/users", json={"action": "custCreate", "user_info": info})
    group = make_group(GROUPS)
    address = of(connection, group, "members-add")
    _shown_and_sent(client, address, "emails", {"group": group.name})
    assert len(group.members()) == 3


def test_pasted_alternative_hosts_are_offered_by_their_addresses(client, connection, make_person):
    ada, grace = make_person(), make_person()
    pasted = f"Ada <{ada.email}>; Hopper, Grace <{grace.email.upper()}>; X <x@elsewhere.example>"
    address = reverse("meetings:people", args=[connection.key])
    query = {"field": "settings.alternative_hosts", "search:settings.alternative_hosts": pasted}
    found = client.get(address, query).text
    assert ada.email in found
    assert grace.email in found
