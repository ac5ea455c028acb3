"""Unused licences reclaimed by a job: who is left and why, protection, and the way back."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.audit.models import AuditEntry
from portal.connections.api import api_for
from portal.directory import users as mirror
from portal.directory.models import MirroredUser
from portal.jobs import undoing
from portal.jobs.models import Job, JobState
from portal.mirror import hosting
from portal.mirror.models import MirrorState
from portal.people.licences.use import protect_licences
from portal.people.models import ProtectedKind, Protection
from portal.people.services import seats
from portal.reports.models import StoredReport, StoredRow
from portal.reports.services import storing
from portal.reports.services.sources import HOSTS
from tests.people.licensed import DAY, aged, sessions_read, today
from tests.support.html import form_with, text_of
from tests.support.jobs import approve
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db(transaction=True)

Plan = Callable[..., Job]


@pytest.fixture
def people(make_person, connection):
    """Three who never signed in; the service has known them since just now."""
    made = [make_person(first_name=name) for name in ("Ada", "Grace", "Joan")]
    for person in made:
        aged(connection, person)
    sessions_read(connection)
    return made


@pytest.fixture
def plan(client, connection, work):
    """`plan(people)` selects them in the list, and has their licences reclaimed as far as a
    preview. They may have been added at any time."""

    def of(people, query="newer=0"):
        chosen = {"kept": " ".join(person.id for person in people), "matching": query}
        address = _url(connection, "licences-reclaim")
        form = form_with(client.post(address, chosen).text, "confirmed")
        answer = client.post(form.action, form.values)
        assert answer.status_code == 303, text_of(answer.text)
        return work(Job.objects.get(key=answer["Location"].rstrip("/").rpartition("/")[2]))

    return of


def _url(connection, name="licences", *args, **query):
    return reverse(f"people:{name}", args=[connection.key, *args], query=query or None)


def _left(job):
    return {item.object_id: item.problems for item in job.items.all() if item.problems}


def _states(job):
    return {item.object_id: item.state for item in job.items.all()}


def _schedule(sandbox, host, **given):
    start = f"{timezone.now() + timedelta(days=3):%Y-%m-%dT%H:%M:%SZ}"
    body = {"topic": "Board", "type": 2, "start_time": start, "duration": 30, **given}
    answer = sandbox.client.post(f"/users/{host.id}/meetings", json=body)
    assert answer.status_code == 201, answer.text


def _run(job, work):
    assert job.state == JobState.PLANNED, job.reason
    approve(job)
    return work(job)


def test_unused_licences_are_reclaimed_and_come_back(people, plan, work, connection, administrator):
    seats.state(Origin(administrator), connection, {2: 100, 3: None})
    job = plan(people)
    assert job.title == "Move 3 people to Basic"
    assert [item.changes for item in job.items.all()] == [[["Licence", "Pro", "Basic"]]] * 3
    assert any("free 3" in words for _, words in job.notes)
    assert {person.now()["type"] for person in people} == {2}
    done = _run(job, work)
    assert set(_states(done).values()) == {"done"}
    assert {person.now()["type"] for person in people} == {1}
    mirrored = MirroredUser.objects.filter(user_id__in=[person.id for person in people])
    assert set(mirrored.values_list("type", flat=True)) == {1}
    back = work(undoing.undo(done, Origin(administrator)))
    assert _states(_run(back, work)) == {person.id: "done" for person in people}
    assert {person.now()["type"] for person in people} == {2}


def test_all_that_match_are_meant_and_nobody_else(client, connection, people, work, make_person):
    signed_in = make_person()
    aged(connection, signed_in, last_login_time=timezone.now())
    report = hosting.report()
    assert report
    _read_report(connection, report)
    matching = "newer=0&reason=never&type=2"
    address = _url(connection, "licences-reclaim", all="1", matching=matching)
    page = client.get(address).text
    assert "Move 3 people to Basic" in text_of(page)
    assert "Skips protected people." in text_of(page)
    form = form_with(page, "confirmed")
    answer = client.post(form.action, form.values)
    job = work(Job.objects.get(key=answer["Location"].rstrip("/").rpartition("/")[2]))
    assert job.state == JobState.PLANNED, job.reason
    assert set(_states(job)) == {person.id for person in people}


def _read_report(connection, report):
    report.read(
        whole(connection), api_for(scope_of(connection.owner, connection)), today() - 91 * DAY
    )


def test_new_at_service_is_left_though_list_says_otherwise(people, plan):
    job = plan(people, "newer=30")
    assert set(_states(job).values()) == {"invalid"}
    assert all(why[0][0] == "Added" and "Added on" in why[0][1] for why in _left(job).values())


def test_deactivated_person_is_moved_to_basic_however_new(people, plan, work, sandbox):
    body = {"action": "deactivate"}
    assert sandbox.client.put(f"/users/{people[0].id}/status", json=body).status_code == 204
    job = plan(people[:2], query="newer=90")
    assert [item.state for item in job.items.order_by("object_id")].count("pending") == 1
    assert _states(_run(job, work))[people[0].id] == "done"


def test_who_hosted_by_the_report_is_left_in_the_plan(people, plan, connection):
    report = hosting.report()
    assert report
    _read_report(connection, report)
    stored: StoredReport = storing.report_of(connection, HOSTS)
    window = stored.windows.filter(is_whole=True).latest("last")
    StoredRow.objects.create(window=window, key="ada", data={"id": people[0].id})
    job = plan(people)
    assert _states(job) == {
        people[0].id: "invalid",
        people[1].id: "pending",
        people[2].id: "pending",
    }
    assert _left(job)[people[0].id][0][0] == "Hosted"


def test_who_lost_or_changed_licence_meanwhile_is_not_touched(people, plan, sandbox):
    sandbox.client.patch(f"/users/{people[0].id}", json={"type": 1})
    sandbox.client.delete(f"/users/{people[1].id}", params={"action": "delete"})
    job = plan(people)
    assert _states(job) == {
        people[0].id: "unchanged",
        people[1].id: "invalid",
        people[2].id: "pending",
    }


def test_who_plans_a_meeting_after_the_preview_keeps_the_licence(people, plan, work, sandbox):
    job = plan(people)
    _schedule(sandbox, people[1])
    done = _run(job, work)
    assert _states(done) == {
        people[0].id: "done",
        people[1].id: "failed",
        people[2].id: "done",
    }
    assert people[1].now()["type"] == 2
    [[title, words]] = _left(done)[people[1].id]
    assert (title, words.startswith("Hosts on ")) == ("Next session", True)


def test_a_recurring_meeting_counts_by_its_coming_times(people, plan, work, sandbox):
    job = plan(people[:1])
    weekly = {"type": 2, "repeat_interval": 1, "weekly_days": "2", "end_times": 5}
    _schedule(sandbox, people[0], type=8, recurrence=weekly)
    assert _states(_run(job, work)) == {people[0].id: "failed"}


def test_who_is_protected_after_the_preview_keeps_the_licence(
    people, plan, work, connection, sandbox
):
    job, origin = plan(people[:2]), Origin(connection.owner)
    person = [(people[0].id, people[0].name)]
    protect_licences(origin, connection, ProtectedKind.PERSON, person, "On leave")
    sandbox.client.patch(f"/users/{people[1].id}", json={"dept": "Board"})
    protect_licences(origin, connection, ProtectedKind.DEPARTMENT, [("Board", "Board")], "Chairs")
    done = _run(job, work)
    assert set(_states(done).values()) == {"failed"}
    assert {person.now()["type"] for person in people} == {2}
    assert _left(done) == {
        people[0].id: [["Protection", "Protected: On leave"]],
        people[1].id: [["Protection", "The department Board is protected: Chairs"]],
    }


def test_protected_group_is_looked_up_as_service_has_its_members(
    people, plan, work, connection, make_group
):
    group, job = make_group(), plan(people[:1])
    group.put(people[0])
    named = [(group.id, group.name)]
    protect_licences(Origin(connection.owner), connection, ProtectedKind.GROUP, named, "Rooms")
    done = _run(job, work)
    words = f"The group {group.name} is protected: Rooms"
    assert _left(done) == {people[0].id: [["Protection", words]]}
    assert people[0].now()["type"] == 2


def test_protected_person_is_not_suggested_and_left_alone(people, plan, connection, administrator):
    person = [(people[0].id, people[0].name)]
    protect_licences(Origin(administrator), connection, ProtectedKind.PERSON, person, "On leave")
    job = plan(people)
    assert _left(job) == {people[0].id: [["Protection", "Protected: On leave"]]}


def test_undoing_what_was_undone_is_held_against_use_again(
    people, plan, work, administrator, sandbox
):
    done = _run(plan(people), work)
    back = _run(work(undoing.undo(done, Origin(administrator))), work)
    _schedule(sandbox, people[0])
    again = _run(work(undoing.undo(back, Origin(administrator))), work)
    assert _states(again)[people[0].id] == "failed"
    assert [person.now()["type"] for person in people] == [2, 1, 1]


def test_without_what_is_known_of_sessions_no_plan_is_made(people, plan, connection):
    MirrorState.objects.filter(connection=connection, kind="sessions").update(refreshed_at=None)
    job = plan(people)
    assert job.state == JobState.UNPLANNABLE
    assert "Which meetings and webinars are planned is not known." in job.reason


def test_selected_people_are_protected_with_reason_recorded(
    client, connection, people, administrator
):
    chosen = {"kept": people[0].id, "matching": "newer=0"}
    form = form_with(client.post(_url(connection, "licences-protect"), chosen).text, "reason")
    refused = client.post(form.action, form.values)
    assert refused.status_code == 422
    client.post(form.action, form.values | {"reason": "On leave until May"})
    entry = Protection.objects.get()
    assert (entry.kind, entry.key, entry.email) == ("person", people[0].id, administrator.email)
    audited = AuditEntry.objects.get(operation="connection.protect_licences")
    assert audited.sent["reason"] == "On leave until May"
    page = client.get(_url(connection, "licences-protected"))
    assert "On leave until May" in page.text
    ended = client.post(_url(connection, "licences-protected-end", entry.pk))
    assert ended.status_code == 303
    assert not Protection.objects.exists()
    assert AuditEntry.objects.filter(operation="connection.release_licences").exists()


def test_department_or_email_is_protected_and_nobody_refused(client, connection, people):
    mirror.record_written(connection, {people[0].id: {"dept": "Board"}})
    address = _url(connection, "licences-protected-add")
    form = form_with(client.get(address).text, "reason")
    refused = client.post(address, form.values | {"reason": "Chairs"})
    assert "Choose a person, a department or a group." in text_of(refused.text)
    unknown = client.post(address, form.values | {"person": "no@one.example", "reason": "Chairs"})
    assert "No one on the account has this email." in text_of(unknown.text)
    given = {"person": people[1].email.upper(), "dept": "Board", "reason": "Chairs"}
    client.post(address, form.values | given)
    found = set(Protection.objects.values_list("kind", "key"))
    assert found == {("person", people[1].id), ("department", "Board")}
