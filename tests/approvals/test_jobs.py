"""Jobs over a size, and jobs that make chosen changes, wait for another administrator."""

import pytest
from allauth.core.exceptions import ReauthenticationRequired
from django.core.management import CommandError, call_command
from django.utils import timezone

from portal.access.http import Origin
from portal.access.models import ApprovalRule, Share, User
from portal.access.roles import Role
from portal.approvals.models import ApprovalRequest, RequestState
from portal.audit.models import AuditEntry
from portal.connections.api import api_for
from portal.jobs import services, undoing
from portal.jobs.models import ItemState, Job, JobState
from tests.approvals.flows import again, post, url, worked
from tests.support import job_pages as pages
from tests.support.html import text_of
from tests.support.job_pages import drafted, seen
from tests.support.job_types import ChangeDepartment, DeletePeople
from tests.support.jobs import approve
from tests.support.portal import admin_client_for, member
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db(transaction=True)


def planned(connection, work, emails):
    return work(drafted(connection, emails))


def awaiting(connection, work, emails):
    """A job that its owner has approved, and its request."""
    job = planned(connection, work, emails)
    approve(job)
    job.refresh_from_db()
    assert job.state == JobState.AWAITING
    return job, ApprovalRequest.objects.get(subject=job.key, state=RequestState.WAITING)


def by(user):
    return Origin(user, email=user.email)


@pytest.fixture
def over_two(rule):
    """Jobs over two rows wait."""
    rule.operations, rule.job_rows = [], 2
    rule.save()
    return rule


def three(name):
    return [f"{name}-{number}@example.com" for number in range(3)]


def test_a_job_of_the_size_runs_and_a_larger_one_waits(over_two, connection, work):
    small = planned(connection, work, ["small-1@example.com", "small-2@example.com"])
    approve(small)
    assert work(small).state == JobState.DONE
    large, asked = awaiting(connection, work, three("large"))
    assert work(large).state == JobState.AWAITING
    assert not AuditEntry.objects.filter(object_label__startswith="large").exists()
    assert asked.sent == {"rows": 3}


@pytest.mark.usefixtures("over_two")
def test_owner_gives_reason_and_other_approves_plan_shown(
    *, connection, work, first_client, second_client, second, administrator
):
    job = planned(connection, work, three("shown"))
    assert "Ask for approval" in pages.shown(first_client, pages.url(job))
    refused = first_client.post(pages.url(job, "approve"), seen(job))
    assert refused.status_code == 422
    first_client.post(pages.url(job, "approve"), {**seen(job), "reason": "They start on Monday."})
    asked = ApprovalRequest.objects.get()
    page = pages.shown(second_client, pages.url(job))
    assert "They start on Monday." in page
    assert url(asked, "approve") in page
    assert url(asked, "approve") not in pages.shown(first_client, pages.url(job))
    second_client.post(url(asked, "approve"), seen(job))
    assert work(job).state == JobState.DONE
    entries = AuditEntry.objects.filter(operation__in=["users.create", "job.approve"], intent=None)
    assert set(entries.values_list("email", "approved_by")) == {(administrator.email, second.email)}
    assert entries.count() == 4


def test_second_click_of_owner_does_not_stand_for_other(over_two, connection, work, first_client):
    job, asked = awaiting(connection, work, three("clicked"))
    for _ in range(2):
        first_client.post(pages.url(job, "approve"), {**seen(job), "reason": "Again."})
        first_client.post(url(asked, "approve"), seen(job))
        first_client.post(pages.url(job, "resume"))
        first_client.post(pages.url(job, "retry"))
    assert work(job).state == JobState.AWAITING
    assert ApprovalRequest.objects.count() == 1
    with pytest.raises(services.JobRefused):
        approve(job)


def test_without_the_preview_that_was_shown_nothing_is_approved(
    over_two, connection, work, second_client
):
    job, asked = awaiting(connection, work, three("unseen"))
    for shown in ({}, {"seen": ""}, {"seen": "1"}, {"seen": "x"}):
        second_client.post(url(asked, "approve"), shown)
    assert work(job).state == JobState.AWAITING


def test_a_plan_that_is_made_again_voids_the_request(
    over_two, connection, work, first_client, second_client
):
    job, asked = awaiting(connection, work, three("again"))
    shown = seen(job)
    first_client.post(pages.url(job, "plan-again"))
    assert work(job).state == JobState.PLANNED
    second_client.post(url(asked, "approve"), shown)
    assert again(asked).state == RequestState.WITHDRAWN
    assert work(job).state == JobState.PLANNED


def test_rows_are_not_left_out_of_a_plan_that_waits(over_two, connection, work, first_client):
    job, _asked = awaiting(connection, work, three("row"))
    row = job.items.earliest("number")
    first_client.post(pages.url(job, "leave-out"), {"item": row.pk})
    assert not job.items.filter(state=ItemState.LEFT_OUT).exists()


def test_a_declined_job_is_a_plan_again(over_two, connection, work, second_client):
    job, asked = awaiting(connection, work, three("declined"))
    post(second_client, asked, "decline", answer="Too many.")
    declined = work(job)
    assert (declined.state, "Too many." in declined.reason) == (JobState.PLANNED, True)


def test_a_cancelled_job_has_no_request(over_two, connection, work, administrator):
    job, asked = awaiting(connection, work, three("cancelled"))
    services.cancel(job, by(administrator))
    assert again(asked).state == RequestState.WITHDRAWN


def test_a_request_that_lapses_leaves_the_plan(over_two, connection, work):
    job, asked = awaiting(connection, work, three("lapsed"))
    ApprovalRequest.objects.update(lapses_at=timezone.now())
    assert worked(asked).state == RequestState.LAPSED
    assert work(job).state == JobState.PLANNED


def test_a_job_without_a_way_back_has_a_limit_of_its_own(rule, connection, work, administrator):
    ApprovalRule.objects.update(operations=[], job_rows=None, destructive_job_rows=0)
    create = planned(connection, work, three("made"))
    approve(create)
    assert Job.objects.get(pk=create.pk).state == JobState.RUNNING
    ids = {"ids": ["nobody-1"]}
    drafted_job = services.draft(
        by(administrator), connection, DeletePeople.name, "Delete", parameters=ids
    )
    job = work(drafted_job)
    approve(job)
    assert Job.objects.get(pk=job.pk).state == JobState.AWAITING


def test_job_that_makes_chosen_change_waits_whatever_its_size(rule, connection, work):
    ApprovalRule.objects.update(operations=["users.create"])
    awaiting(connection, work, ["alone@example.com"])


def test_a_rule_set_while_a_job_runs_pauses_it(rule, connection, work, first_client):
    job = planned(connection, work, ["paused@example.com"])
    approve(job)
    ApprovalRule.objects.update(operations=["users.create"])
    paused = work(job)
    assert (paused.state, "approval of another" in paused.reason) == (JobState.PAUSED, True)
    first_client.post(pages.url(job, "resume"))
    asked = ApprovalRequest.objects.get(subject=job.key)
    second = admin_client_for(User.objects.get(email="second@example.com"))
    second.post(url(asked, "approve"), seen(job))
    assert work(job).state == JobState.DONE


def test_rows_of_a_job_that_calls_more_than_it_says_are_refused(
    rule, connection, work, monkeypatch
):
    """An operation that a job type does not name still waits for approval at the call."""
    ApprovalRule.objects.update(operations=["users.create"])
    monkeypatch.setattr("tests.support.job_types.CreatePeople.needs", lambda *_: [])
    job = planned(connection, work, ["unnamed@example.com"])
    approve(job)
    ended = work(job)
    row = ended.items.get()
    assert row.state == ItemState.FAILED
    assert "needs the approval of another administrator" in row.message


def test_an_old_approval_does_not_start_a_job_again(
    over_two, connection, work, second_client, administrator
):
    first_client = admin_client_for(administrator)
    job, asked = awaiting(connection, work, three("old"))
    second_client.post(url(asked, "approve"), seen(job))
    services.pause(Job.objects.get(pk=job.pk), by(administrator))
    services.resume(job, by(administrator))
    assert Job.objects.get(pk=job.pk).state == JobState.RUNNING
    services.pause(job, by(administrator))
    assert "has to approve this job" not in first_client.get(pages.url(job)).text
    Job.objects.update(approval_holds_until=timezone.now())
    paused = text_of(first_client.get(pages.url(job)).text)
    assert "Another administrator has to approve this job before it goes on." in paused
    assert "Ask for approval" in paused
    services.resume(job, by(administrator))
    assert work(job).state == JobState.AWAITING


def test_administrator_who_starts_colleagues_job_is_second(over_two, connection, work, second):
    job = planned(connection, work, three("colleague"))
    with pytest.raises(ReauthenticationRequired):
        services.approve(
            job, by(second), seen=services.plan_version(job), reauthenticated=lambda: False
        )
    services.approve(job, by(second), seen=services.plan_version(job), reauthenticated=lambda: True)
    job.refresh_from_db()
    assert (job.state, job.approved_by) == (JobState.RUNNING, second.email)


def test_a_colleague_who_is_no_administrator_only_asks(over_two, connection, work, administrator):
    operator = member("colleague@example.com", Role.OPERATOR)
    Share.objects.create(
        connection=connection, user=operator, role=Role.OPERATOR, created_by=administrator
    )
    job = planned(connection, work, three("operators"))
    services.approve(
        job, by(operator), seen=services.plan_version(job), reauthenticated=lambda: True
    )
    asked = ApprovalRequest.objects.get()
    # The job's owner is not asked either: it is their job.
    admin_client_for(administrator).post(url(asked, "approve"), seen(job))
    assert Job.objects.get(pk=job.pk).state == JobState.AWAITING


def test_undoing_waits_like_any_job(rule, connection, work, administrator):
    first_client = admin_client_for(administrator)
    person = next(api_for(whole(connection)).users.list.all())
    parameters = {"ids": [person.id], "dept": "Undone by two"}
    kind, title = ChangeDepartment.name, "Change"
    job = work(services.draft(by(administrator), connection, kind, title, parameters=parameters))
    approve(job)
    done = work(job)
    assert done.state == JobState.DONE
    assert "has to approve it" not in first_client.get(pages.url(done)).text
    ApprovalRule.objects.update(operations=["users.update"])
    page = text_of(first_client.get(pages.url(done)).text)
    assert "Another administrator has to approve it." in page
    back = work(undoing.undo(done, by(administrator)))
    approve(back)
    assert work(back).state == JobState.AWAITING
    assert api_for(whole(connection)).users.get(person.id or "").dept == "Undone by two"


def test_nobody_else_to_approve_is_said_at_once(over_two, connection, work):
    Share.objects.all().delete()
    job = planned(connection, work, three("alone"))
    with pytest.raises(services.JobRefused, match="has no other administrator"):
        approve(job)
    assert Job.objects.get(pk=job.pk).state == JobState.PLANNED


def test_the_command_that_imports_waits_too(over_two, connection, second_client, tmp_path, work):
    file = tmp_path / "people.csv"
    rows = "\n".join(f"import-{number}@example.com,Ann,Lee" for number in range(3))
    file.write_text(f"Email,First name,Last name\n{rows}\n")
    with pytest.raises(CommandError, match="waits for the approval") as raised:
        call_command("import_people", file, connection=connection.key, yes=True)
    assert raised.value.returncode == 3
    job = Job.objects.get()
    assert job.state == JobState.AWAITING
    with pytest.raises(CommandError, match="waits for the approval"):
        call_command("import_people", resume=job.key, yes=True)
    asked = ApprovalRequest.objects.get()
    second_client.post(url(asked, "approve"), seen(job))
    call_command("import_people", resume=job.key, yes=True)
    assert Job.objects.get().state == JobState.DONE
