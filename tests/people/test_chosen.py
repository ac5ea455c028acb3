"""Actions on selected people: a form, a plan in which nothing changes yet, then the change."""

import re
from typing import NamedTuple

import pytest
from django.test import Client
from django.urls import reverse

from portal.access.http import Origin
from portal.access.models import Connection
from portal.access.roles import Role
from portal.audit.models import AuditEntry
from portal.directory import groups as groups_mirror
from portal.directory.models import GroupKind, MirroredUser
from portal.jobs import services as jobs
from portal.jobs.models import Job, JobState
from portal.mirror.refresh import refresh
from portal.people.services import seats
from tests.support.html import form_with, text_of
from tests.support.jobs import Work, approve
from tests.support.portal import admin_client_for, member

pytestmark = pytest.mark.django_db


@pytest.fixture
def two(make_person):
    return [make_person(first_name=name) for name in ("Ada", "Grace")]


class InPortal(NamedTuple):
    """A signed-in client, its connection, and the worker."""

    client: Client
    connection: Connection
    work: Work


@pytest.fixture
def in_portal(client, connection, work):
    return InPortal(client, connection, work)


def url(connection, action):
    return reverse(f"people:chosen-{action}", args=[connection.key])


def chosen(*people, **more):
    return {"chosen": [person.id for person in people], "matching": "", **more}


def drafted(client, connection, action, form):
    """The job that comes of choosing in the list, then of filling the action's own form in."""
    asked = client.post(url(connection, action), {k: v for k, v in form.items() if k in _OF_LIST})
    assert asked.status_code == 200, asked
    html = asked.content.decode()
    own = form_with(html, "confirmed")
    rest = {name: value for name, value in form.items() if name not in _OF_LIST}
    answer = client.post(own.action, {**own.values, **rest})
    assert answer.status_code == 303, text_of(answer.content.decode())
    return Job.objects.get(key=answer["Location"].rstrip("/").rpartition("/")[2])


_OF_LIST = ("chosen", "kept", "all", "matching")


def planned(work, job):
    job = work(job)
    assert job.state == JobState.PLANNED, job.reason
    return job


def run(work, job):
    approve(job)
    job = work(job)
    assert job.state == JobState.DONE, job.reason
    return job


def states(job):
    found: dict[str, int] = {}
    for state in job.items.values_list("state", flat=True):
        found[state] = found.get(state, 0) + 1
    return found


def mirrored(person):
    return MirroredUser.objects.get(user_id=person.id)


def test_a_department_changes_after_its_plan_was_approved(client, connection, two, work):
    first, second = two
    client.post(url(connection, "department"), chosen(first))
    job = planned(work, drafted(client, connection, "department", chosen(*two, dept="Legal")))
    assert job.title == "Move 2 people to Legal"
    assert [item.changes for item in job.items.all()] == [[["Department", "", "Legal"]]] * 2
    assert not first.now().get("dept")
    assert states(run(work, job)) == {"done": 2}
    assert {person.now()["dept"] for person in two} == {"Legal"}
    assert mirrored(second).dept == "Legal"
    assert "legal" in mirrored(second).search
    entry = AuditEntry.objects.filter(operation="users.update", object_id=first.id).first()
    assert entry


def test_who_has_the_value_already_is_left_alone(client, connection, make_person, work):
    pro, basic = make_person(type=2), make_person(type=1)
    job = planned(work, drafted(client, connection, "licence", chosen(pro, basic, type="2")))
    assert states(job) == {"unchanged": 1, "pending": 1}
    item = job.items.get(state="pending")
    assert (item.object_id, item.changes) == (basic.id, [["Licence", "Basic", "Pro"]])
    assert any("Pro licences" in words for _, words in job.notes)


def test_a_plan_made_again_has_the_seats_of_now(client, connection, make_person, work):
    origin, person = Origin(connection.owner, email=connection.owner.email), make_person(type=1)
    seats.state(origin, connection, {3: 100})
    job = planned(work, drafted(client, connection, "licence", chosen(person, type="3")))
    assert "of 100 used" in job.notes[0][1]
    seats.state(origin, connection, {3: 0})
    jobs.plan_again(job, origin)
    assert "of 0 used" in planned(work, job).notes[0][1]


def test_all_that_match_are_read_when_it_is_planned(client, connection, two, work):
    email = two[0].email
    form = {"all": "1", "matching": f"q={email}", "timezone": "Europe/Berlin"}
    job = planned(work, drafted(client, connection, "time-zone", form))
    assert [item.object_id for item in job.items.all()] == [two[0].id]
    assert "ids" in job.parameters["chosen"]["wanted"]
    assert job.parameters["chosen"]["wanted"]["ids"] is None
    run(work, job)
    assert two[0].now()["timezone"] == "Europe/Berlin"


@pytest.mark.parametrize("kind", ["groups", "im/groups"])
def test_people_join_a_group_together_move_to_another_and_leave(two, kind, in_portal, sandbox):
    client, connection, work = in_portal
    name = f"Group of {two[0].id}"
    made, other = (
        sandbox.client.post(f"/{kind}", json={"name": f"{name}{end}"}).json() for end in ("", "b")
    )
    refresh(groups_mirror.GROUPS.request(connection).pk)
    is_im = kind != "groups"
    field = "im_group_ids" if is_im else "group_ids"
    key = f"{GroupKind.IM_GROUP if is_im else GroupKind.GROUP} {made['id']}"
    before = AuditEntry.objects.count()
    form = chosen(*two, group=key)
    job = run(work, planned(work, drafted(client, connection, "join-group", form)))
    assert states(job) == {"done": 2}
    assert all(made["id"] in person.now()[field] for person in two)
    assert made["id"] in getattr(mirrored(two[0]), field)
    sent = AuditEntry.objects.filter(sequence__gt=before, operation__endswith=".add_members")
    assert sent.filter(intent=None).count() == 1

    again = planned(work, drafted(client, connection, "join-group", form))
    assert states(again) == {"unchanged": 2}
    form["group"] = key.replace(made["id"], other["id"])
    plan = planned(work, drafted(client, connection, "move-group", form))
    page = text_of(client.get(f"/c/{connection.key}/jobs/{plan.key}/").text)
    assert f"Move 2 people to {name}b: 4 steps" in page
    assert states(run(work, plan)) == {"done": 4}
    assert all(person.now()[field] == [other["id"]] for person in two)
    job = run(work, planned(work, drafted(client, connection, "leave-group", form)))
    assert states(job) == {"done": 2}
    assert not any(person.now().get(field) for person in two)


def test_people_are_deactivated_and_activated_again(client, connection, two, work, sandbox):
    job = run(work, planned(work, drafted(client, connection, "deactivate", chosen(*two))))
    assert states(job) == {"done": 2}
    assert {mirrored(person).status for person in two} == {"inactive"}
    inactive = sandbox.people("inactive")
    assert {person.id for person in two} <= {user["id"] for user in inactive}
    run(work, planned(work, drafted(client, connection, "activate", chosen(*two))))
    assert {mirrored(person).status for person in two} == {"active"}


def test_chosen_settings_alone_are_changed(client, connection, two, work):
    first, second = two
    first.set(in_meeting={"waiting_room": True})
    second.set(in_meeting={"waiting_room": False})
    was = second.settings()
    form = chosen(*two, **{"in_meeting.waiting_room": "true"})
    job = planned(work, drafted(client, connection, "settings", form))
    assert job.title == "Change 1 setting of 2 people"
    assert states(job) == {"unchanged": 1, "pending": 1}
    run(work, job)
    now = second.settings()
    assert now["in_meeting"].pop("waiting_room") is True
    was["in_meeting"].pop("waiting_room")
    assert now == was


def test_no_setting_chosen_is_no_plan(client, connection, two):
    answer = client.post(url(connection, "settings"), chosen(*two, confirmed="1"))
    assert answer.status_code == 422
    assert "No setting was chosen" in answer.content.decode()
    assert not Job.objects.exists()


def test_people_leave_and_a_colleague_gets_what_they_have(two, make_person, in_portal, sandbox):
    client, connection, work = in_portal
    heir = make_person(first_name="Heir")
    topic = f"Meeting of {two[0].id}"
    meeting = {"topic": topic, "type": 2, "start_time": "2040-01-01T10:00:00Z", "duration": 30}
    body = {**meeting}
    assert sandbox.client.post(f"/users/{two[0].id}/meetings", json=body).status_code == 201
    form = chosen(
        *two,
        heir,
        action="disassociate",
        transfer_email=heir.email,
        transfer_meeting="on",
        transfer_webinar="on",
        transfer_recording="on",
    )
    job = planned(work, drafted(client, connection, "remove", form))
    assert jobs.irreversible(job)
    assert states(job) == {"pending": 2, "invalid": 1}
    run(work, job)
    assert [person.now() for person in two] == [{}, {}]
    assert not MirroredUser.objects.filter(user_id__in=[person.id for person in two]).exists()
    meetings = sandbox.client.get(f"/users/{heir.id}/meetings?type=scheduled").json()["meetings"]
    assert topic in [meeting["topic"] for meeting in meetings]


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"action": "delete"}, "Nothing was typed"),
        ({"action": "delete", "confirmation": "yes"}, "This is not it"),
        ({"action": "disassociate", "transfer_email": "nobody@nowhere.example"}, "they get"),
    ],
)
def test_a_removal_that_is_not_thought_through_is_asked_again(client, connection, two, form, words):
    answer = client.post(url(connection, "remove"), chosen(*two, confirmed="1", **form))
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not Job.objects.exists()


def test_removal_for_a_recipient_who_is_unknown_is_not_planned(two, in_portal):
    client, connection, work = in_portal
    form = {
        "action": "disassociate",
        "transfer_email": "nobody@nowhere.example",
        "transfer_meeting": "on",
    }
    job = work(drafted(client, connection, "remove", chosen(*two, **form)))
    assert job.state == JobState.UNPLANNABLE
    assert "No one on this account" in job.reason


def test_what_is_not_transferred_is_said_before_it_is_deleted(client, connection, two, work):
    form = chosen(*two, action="delete", confirmation="delete")
    job = planned(work, drafted(client, connection, "remove", form))
    [[tone, words]] = job.notes
    assert tone == "warning"
    assert words == (
        "Their meetings, webinars and recordings are not transferred: these are deleted with them."
    )
    run(work, job)
    assert [person.now() for person in two] == [{}, {}]


def test_a_second_click_prepares_no_second_job(client, connection, two):
    form = {**chosen(*two), "confirmed": "1", "idempotency_key": "once", "dept": "Legal"}
    first = client.post(url(connection, "department"), form)
    second = client.post(url(connection, "department"), form)
    assert first["Location"] == second["Location"]
    assert Job.objects.count() == 1


@pytest.mark.parametrize(
    "form",
    [{}, {"chosen": "nobody"}, {"all": "1", "matching": "dept=No+such"}, {"kept": "a b c"}],
)
def test_nobody_chosen_leads_back_to_the_list_and_says_so(client, connection, two, form):
    answer = client.post(url(connection, "licence"), form, follow=True)
    assert answer.redirect_chain[0][1] == 303
    assert re.search(
        r"Nothing is selected|None of the selected people|The list has changed",
        answer.content.decode(),
    )


def test_the_form_opens_in_a_dialog_and_names_how_many_are_meant(client, connection, two):
    headers = {"HX-Request": "true", "HX-Target": "dialog-body"}
    html = client.post(url(connection, "licence"), chosen(*two), headers=headers).content.decode()
    assert "<html" not in html
    assert "Change the licence of 2 people" in html


def test_people_of_another_connection_are_nobody_here(connection, two, connect):
    other = connect(member("someone@example.com", Role.ADMINISTRATOR))
    theirs = admin_client_for(other.owner)
    answer = theirs.post(url(other, "licence"), chosen(*two))
    assert answer.status_code == 303
    assert not Job.objects.exists()
