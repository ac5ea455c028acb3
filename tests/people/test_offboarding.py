"""Offboarding: property is shown, handed over or removed in order, with a receipt."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.access.http import Origin
from portal.audit.models import AuditEntry
from portal.directory.users import status_of
from portal.jobs import export, services, undoing
from portal.jobs.cost import cost_of
from portal.jobs.counts import counts_of
from portal.jobs.leases import LeaseLost
from portal.jobs.models import ItemState, Job, JobState
from portal.people.offboarding.jobs import OffboardPeopleJob
from portal.recordings.models import Hold
from portal.reports.models import SavedReport
from tests.people.offboarding import (
    host_of,
    make_leaving,
    make_meeting,
    offboarding,
    sent,
)
from tests.support.html import form_with, text_of
from tests.support.jobs import approve
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db

KEEPS = {"webinars": "leave", "recordings": "leave"}


@pytest.fixture
def leaving(sandbox, connection, make_person, make_group):
    return make_leaving(sandbox, connection, make_person, make_group)


def run(work, job):
    job = work(job)
    assert job.state == JobState.PLANNED, job.reason
    approve(job)
    job = work(job)
    assert job.state == JobState.DONE, job.reason
    return job


def states(job):
    return {item.action: item.state for item in job.items.all()}


def deleting(leaving):
    return {**KEEPS, "ending": "delete", "confirmation": "delete", "recipient": leaving.heir.id}


def test_file_of_steps_numbers_them_as_the_page_does(client, connection, leaving, work):
    job = work(offboarding(client, connection, leaving.person))
    rows = list(export.rows(job, export.ALL))
    [number] = [one for one in export.columns(job, export.ALL) if one.name == "row"]
    assert [number.value(row) for row in rows] == [str(at + 1) for at in range(len(rows))]
    assert len(rows) > 1


def test_the_page_shows_what_the_person_holds(client, connection, leaving):
    url = reverse("people:offboard", args=[connection.key, leaving.person.id])
    said = text_of(client.get(url).content.decode())
    assert "Handover" in said
    assert "1 upcoming" in said
    assert leaving.group.name in said
    for other in (leaving.assistant, leaving.chief):
        assert other.email in said
    assert "Pro" in said
    assert "expire" in said
    page = client.get(reverse("people:person", args=[connection.key, leaving.person.id]))
    assert url in page.content.decode()


def test_steps_reach_service_in_order_account_last(client, leaving, faulty_proxy, sandbox, work):
    connection = leaving.connection
    connection.base_url = faulty_proxy.url
    connection.save()
    job = work(offboarding(client, connection, leaving.person, **deleting(leaving)))
    cost = cost_of(job, counts_of(job))
    assert cost
    faulty_proxy.arrived.clear()
    approve(job)
    assert work(job).state == JobState.DONE
    assert len(faulty_proxy.arrived) == cost.calls
    person = f"/users/{leaving.person.id}"
    writes = [path.partition("?")[0] for how, path in faulty_proxy.arrived if how != "GET"]
    assert writes == [
        f"{person}/token",
        f"{person}/assistants/{leaving.assistant.id}",
        f"/users/{leaving.chief.id}/assistants/{leaving.person.id}",
        f"/groups/{leaving.group.id}/members/{leaving.person.id}",
        person,
    ]
    assert not leaving.person.now()
    assert host_of(sandbox, leaving.meeting) == leaving.heir.id
    assert leaving.person.id not in leaving.group.members()


def test_deactivation_keeps_the_meetings_and_can_be_undone(
    client, connection, leaving, sandbox, work
):
    job = run(work, offboarding(client, connection, leaving.person, ending="deactivate"))
    assert set(states(job).values()) <= {"done", "unchanged"}
    assert status_of(whole(connection), leaving.person.id) == "inactive"
    assert leaving.person.now()["type"] == 1
    assert host_of(sandbox, leaving.meeting) == leaving.person.id
    assert leaving.person.id not in leaving.group.members()
    assert not leaving.has_assistant(leaving.chief, leaving.person)
    back = run(work, undoing.undo(job, Origin(connection.owner)))
    assert set(states(back).values()) == {"done"}
    assert back.items.first().action == "person.activate"
    assert status_of(whole(connection), leaving.person.id) == "active"
    assert leaving.person.now()["type"] == 2
    assert leaving.person.id in leaving.group.members()
    assert leaving.has_assistant(leaving.chief, leaving.person)
    assert leaving.has_assistant(leaving.person, leaving.assistant)


def test_the_recipient_takes_the_place_of_an_assistant(client, connection, leaving, work):
    given = {"ending": "deactivate", "schedulers": "hand_over", "recipient": leaving.heir.id}
    run(work, offboarding(client, connection, leaving.person, **given))
    assert leaving.has_assistant(leaving.chief, leaving.heir)
    assert not leaving.has_assistant(leaving.chief, leaving.person)


@pytest.mark.parametrize("arrives", [False, True])
def test_worker_dying_at_any_step_does_nothing_twice(
    client, leaving, work, monkeypatch, *, arrives
):
    connection, sandbox = leaving.connection, leaving.sandbox
    job = work(offboarding(client, connection, leaving.person, **deleting(leaving)))
    approve(job)
    died: list[int] = []
    carry_out = OffboardPeopleJob.carry_out

    def dies(kind, api, item):
        """The first attempt at each step is the last thing that its worker does."""
        if item.pk in died:
            return carry_out(kind, api, item)
        died.append(item.pk)
        if arrives:
            carry_out(kind, api, item)
        raise LeaseLost

    monkeypatch.setattr(OffboardPeopleJob, "carry_out", dies)
    steps = job.items.filter(state=ItemState.PENDING).count()
    for _ in range(steps + 1):
        Job.objects.filter(pk=job.pk).update(leased_until=timezone.now() - timedelta(seconds=1))
        work(job)
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert len(died) == steps
    assert set(states(job).values()) <= {"done", "unchanged"}
    assert not leaving.person.now()
    assert host_of(sandbox, leaving.meeting) == leaving.heir.id
    removed = AuditEntry.objects.filter(operation="users.delete", outcome="done")
    assert removed.count() <= 1


def test_a_failed_step_is_named_and_holds_back_the_removal_alone(
    client, connection, leaving, sandbox, work
):
    given = deleting(leaving) | {"schedulers": "hand_over"}
    job = work(offboarding(client, connection, leaving.person, **given))
    body = {"action": "deactivate"}
    assert sandbox.client.put(f"/users/{leaving.heir.id}/status", json=body).status_code == 204
    approve(job)
    job = work(job)
    assert job.state == JobState.DONE
    found = states(job)
    assert found["assistant.add"] == "failed"
    assert "not active" in str(job.items.get(action="assistant.add").problems) + str(
        job.items.get(action="assistant.add").message
    )
    assert found["group.leave"] == found["token.revoke"] == "done"
    last = job.items.get(action="person.remove")
    assert (last.state, last.message) == (
        "failed",
        "Not carried out, because a step before it failed.",
    )
    assert leaving.person.now()
    said = text_of(client.get(reverse("people:offboarding", args=[connection.key, job.key])).text)
    assert last.message in said
    sandbox.client.put(f"/users/{leaving.heir.id}/status", json={"action": "activate"})
    services.retry_failed(job, Origin(connection.owner))
    job = work(job)
    assert set(states(job).values()) <= {"done", "unchanged"}
    assert not leaving.person.now()


def test_several_leave_at_once_and_one_failure_stops_no_other(client, leaving, make_person, work):
    connection, sandbox = leaving.connection, leaving.sandbox
    other = make_person(first_name="Barbara")
    meeting = make_meeting(sandbox, other)
    url = reverse("people:chosen-offboard", args=[connection.key])
    chosen = {"chosen": [leaving.person.id, other.id], "matching": ""}
    assert client.post(url, chosen).status_code == 200
    given = deleting(leaving) | {"meetings": "transfer", "confirmed": "1", "idempotency_key": "k1"}
    answer = client.post(url, {**chosen, **given})
    assert answer.status_code == 303, text_of(answer.content.decode())
    job = Job.objects.get(key=answer["Location"].rstrip("/").rpartition("/")[2])
    assert job.title == "Offboard 2 people: delete permanently"
    job = work(job)
    assert sandbox.client.delete(f"/users/{other.id}?action=delete").status_code == 204
    approve(job)
    job = work(job)
    assert job.state == JobState.DONE
    by_number = {number: set() for number in (1, 2)}
    for item in job.items.all():
        by_number[item.number].add(item.state)
    assert not leaving.person.now()
    assert host_of(sandbox, leaving.meeting) == leaving.heir.id
    assert host_of(sandbox, meeting) == ""
    assert "failed" in by_number[1] | by_number[2]
    receipt = client.get(reverse("people:offboarding", args=[connection.key, job.key])).text
    for one in (leaving.person, other):
        assert one.email in receipt


def test_preview_says_who_is_offboarded_and_numbers_the_steps(client, connection, leaving, work):
    job = work(offboarding(client, connection, leaving.person, **deleting(leaving)))
    steps = job.items.filter(state="pending").count()
    page = client.get(reverse("jobs:job", args=[connection.key, job.key])).text
    assert f"{job.title}, {steps} steps" in text_of(page)
    assert f">{job.title}</button>" in page
    rows = re.findall(r"job-number[^>]*>\s*([\d.]+)", page)
    assert rows == [str(place) for place in range(1, job.items.count() + 1)]


def test_receipt_lists_recipients_and_is_linked_from_audit(client, connection, leaving, work):
    job = run(work, offboarding(client, connection, leaving.person, **deleting(leaving)))
    page = client.get(reverse("jobs:job", args=[connection.key, job.key])).content.decode()
    assert reverse("people:offboarding", args=[connection.key, job.key]) in page
    entry = AuditEntry.objects.get(operation="users.offboard", object_id=leaving.person.id)
    assert (entry.outcome, entry.email) == ("done", connection.owner.email)
    detail = client.get(reverse("audit:entry", args=[entry.sequence])).content.decode()
    url = reverse("people:offboarding-person", args=[connection.key, job.key, leaving.person.id])
    assert f'<a href="{url}">' in detail
    history = client.get(reverse("audit:trail")).content.decode()
    assert url not in text_of(detail) + text_of(history)
    assert "Steps done" in text_of(detail)
    said = text_of(client.get(url).content.decode())
    assert "Transfer: Meetings" in said
    assert f"Transferred to {leaving.heir.name}" in said
    assert "SSO token" in said
    assert connection.owner.email in said
    assert leaving.group.name in said
    unknown = reverse("people:offboarding-person", args=[connection.key, job.key, "nobody"])
    assert client.get(unknown).status_code == 404


def test_nothing_is_receipted_before_it_is_approved(client, connection, leaving, work):
    job = work(offboarding(client, connection, leaving.person, ending="deactivate"))
    url = reverse("people:offboarding", args=[connection.key, job.key])
    assert client.get(url).status_code == 404
    services.cancel(job, Origin(connection.owner))
    assert not AuditEntry.objects.filter(operation="users.offboard").exists()


def test_step_that_was_left_out_stays_left_out_and_is_on_receipt(client, connection, leaving, work):
    job = work(offboarding(client, connection, leaving.person, ending="deactivate"))
    group = job.items.get(action="group.leave")
    services.leave_out(job, group.pk, Origin(connection.owner))
    services.plan_again(job, Origin(connection.owner))
    job = run(work, job)
    assert states(job)["group.leave"] == "left_out"
    assert states(job)["person.deactivate"] == "done"
    assert leaving.person.id in leaving.group.members()
    receipt = client.get(reverse("people:offboarding", args=[connection.key, job.key]))
    assert "Excluded" in text_of(receipt.content.decode())


def _problem(client, connection, person, **given):
    answer = sent(client, connection, person, **given)
    assert answer.status_code == 422
    return text_of(answer.content.decode())


def _problem_of(job):
    """The problems of the last step of a plan, in words."""
    item = job.items.get(action="person.remove")
    return " ".join(words for _column, words in item.problems)


def test_the_recipient_is_checked(client, connection, leaving, make_person, work):
    person, chosen = leaving.person, deleting(leaving)
    basic = make_person(first_name="Basic", type=1)
    job = work(offboarding(client, connection, person, **chosen | {"recipient": basic.id}))
    assert "licence" in _problem_of(job)
    assert "is leaving" in _problem(client, connection, person, **chosen | {"recipient": person.id})
    away = {**chosen, "recipient": "nobody-at-all"}
    assert "not on the account" in _problem(client, connection, person, **away)
    without = {**chosen, "recipient": ""}
    assert "Choose who gets" in _problem(client, connection, person, **without)
    keeps = {**chosen, "meetings": "leave"}
    assert "Choose what they get" in _problem(client, connection, person, **keeps)
    unconfirmed = {**chosen, "confirmation": ""}
    assert "Nothing was typed" in _problem(client, connection, person, **unconfirmed)


def test_webinars_go_to_nobody_without_a_webinar_plan(client, connection, leaving, sandbox, work):
    leaving.person.set(feature={"webinar": True, "webinar_capacity": 100})
    leaving.heir.set(feature={"webinar": False})
    body = {"topic": "Launch", "type": 5, "start_time": "2038-03-01T09:00:00Z", "duration": 30}
    answer = sandbox.client.post(f"/users/{leaving.person.id}/webinars", json=body)
    assert answer.status_code == 201, answer.text
    given = deleting(leaving) | {"webinars": "transfer"}
    job = work(offboarding(client, connection, leaving.person, **given))
    assert "webinar plan" in _problem_of(job)
    leaving.heir.set(feature={"webinar": True, "webinar_capacity": 100})
    services.plan_again(job, Origin(connection.owner, email=connection.owner.email))
    assert not _problem_of(work(job))


def test_a_form_that_is_refused_keeps_what_was_typed(client, connection, leaving):
    answer = sent(
        client, connection, leaving.person, ending="deactivate", groups="leave", recipient="nobody"
    )
    assert answer.status_code == 422
    kept = form_with(answer.content.decode(), "ending").values
    assert (kept["ending"], kept["groups"], kept["recipient"]) == ("deactivate", "leave", "nobody")


def test_meetings_are_deleted_where_that_was_chosen(client, leaving, work):
    given = {"ending": "deactivate", "meetings_staying": "remove", "idempotency_key": "k2"}
    job = run(work, offboarding(client, leaving.connection, leaving.person, **given))
    assert states(job)["meetings.delete"] == "done"
    assert host_of(leaving.sandbox, leaving.meeting) == ""
    assert any(each == "Delete a meeting" for each in services.irreversible(job))


def test_steps_and_undo_are_told_in_the_language_of_the_reader(client, connection, leaving, work):
    given = {"ending": "deactivate", "meetings_staying": "remove", "idempotency_key": "k3"}
    job = run(work, offboarding(client, connection, leaving.person, **given))
    url = reverse("jobs:job", args=[connection.key, job.key])
    page = text_of(client.get(url).text)
    assert "Delete meeting “Handover”, Mon 1 Mar 2038, 09:00" in page
    assert "5 steps. 2 steps cannot be restored." in page
    page = text_of(client.get(url, HTTP_ACCEPT_LANGUAGE="de").text)
    assert "Meeting löschen: „Handover“, Mo, 1. Mär" in page
    assert "2 Schritte können nicht wiederhergestellt werden." in page


def test_what_others_changed_since_is_not_restored(client, leaving, work):
    connection = leaving.connection
    job = run(work, offboarding(client, connection, leaving.person, ending="deactivate"))
    leaving.group.put(leaving.person)
    back = work(undoing.undo(job, Origin(connection.owner)))
    assert back.items.get(label__contains="Ada", action="group.leave").state == "unchanged"


def test_nobody_can_undo_a_removal(client, leaving, work):
    connection = leaving.connection
    job = run(work, offboarding(client, connection, leaving.person, **deleting(leaving)))
    assert not undoing.JobUndos(job).can_begin
    assert any("cannot be undone" in words for _, words in job.notes)


def test_recording_on_hold_keeps_its_host_until_transferred(client, leaving, work):
    connection = leaving.connection
    Hold.objects.create(
        uuid="held-recording",
        service=connection.base_url.rstrip("/").casefold(),
        host_id=leaving.person.id,
        connection=connection,
        held_by=connection.owner,
        reason="Litigation",
    )
    chosen = deleting(leaving)
    assert "on hold" in _problem(client, connection, leaving.person, **chosen)
    job = offboarding(client, connection, leaving.person, **{**chosen, "recordings": "transfer"})
    run(work, job)
    assert not leaving.person.now()


def test_hold_after_preview_stops_removal_with_its_words(client, leaving, work):
    connection = leaving.connection
    job = work(offboarding(client, connection, leaving.person, **deleting(leaving)))
    Hold.objects.create(
        uuid="held-later",
        service=connection.base_url.rstrip("/").casefold(),
        host_id=leaving.person.id,
        connection=connection,
        held_by=connection.owner,
        reason="Litigation",
    )
    approve(job)
    job = work(job)
    last = job.items.get(action="person.remove")
    assert last.state == "failed"
    assert "on hold" in last.message
    assert leaving.person.now()
    assert states(job)["group.leave"] == "done"


def test_saved_reports_that_are_sent_to_the_person_end(client, leaving, work):
    connection = leaving.connection
    values: dict[str, Any] = {
        "connection": connection,
        "owner": connection.owner,
        "slug": "attendance",
        "frequency": "daily",
        "next_at": timezone.now(),
    }
    SavedReport.objects.create(name="About Ada", subject=leaving.person.id, **values)
    kept = SavedReport.objects.create(name="About another", subject="another", **values)
    url = reverse("people:offboard", args=[connection.key, leaving.person.id])
    assert "About Ada" in text_of(client.get(url).content.decode())
    run(work, offboarding(client, connection, leaving.person, ending="deactivate"))
    assert list(SavedReport.objects.all()) == [kept]
