"""Two people, two clicks and two workers at the same moment: one of them counts."""

import threading
from collections import Counter

import pytest
from django.db import connections as databases

from portal.access.models import ApprovalRule, Share
from portal.access.roles import Role
from portal.approvals.models import ApprovalRequest, RequestState
from portal.approvals.tasks import work_on
from portal.audit.models import AuditEntry
from portal.jobs.models import Job, JobState
from tests.approvals.flows import again, asked_for, create_group, groups, post, url, worked
from tests.approvals.test_jobs import awaiting
from tests.support.job_pages import seen
from tests.support.portal import admin_client_for, member

pytestmark = pytest.mark.django_db(transaction=True)

_TIMEOUT = 30.0


def at_once(*acts):
    """Begins all of them at the same moment, each on a thread, and waits for their ends."""
    barrier, failures = threading.Barrier(len(acts)), []

    def run(act):
        try:
            barrier.wait(_TIMEOUT)
            act()
        except Exception as error:
            failures.append(error)
        finally:
            databases.close_all()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(_TIMEOUT)
        assert not thread.is_alive()
    assert not failures


@pytest.fixture
def third_client(connection, administrator):
    """A third administrator."""
    user = member("third@example.com", Role.ADMINISTRATOR)
    Share.objects.create(
        connection=connection, user=user, role=Role.ADMINISTRATOR, created_by=administrator
    )
    return admin_client_for(user)


def acts_of(asked):
    entries = AuditEntry.objects.filter(family="approval", object_id=asked.key)
    return Counter(entries.values_list("operation", flat=True))


def test_two_approvers_and_two_workers_make_the_change_once(
    rule, first_client, second_client, third_client, connection
):
    asked = asked_for(first_client, connection, "Approved by two at once")
    at_once(
        lambda: post(second_client, asked, "approve"), lambda: post(third_client, asked, "approve")
    )
    at_once(*[lambda: work_on(asked.pk)] * 3)
    assert worked(asked).state == RequestState.DONE
    assert groups(connection).count("Approved by two at once") == 1
    assert acts_of(asked)["approval.approve"] == 1
    assert AuditEntry.objects.filter(operation="groups.create", intent=None).count() == 1


@pytest.mark.parametrize("by", ["decline", "withdraw"])
def test_whichever_of_an_approval_and_an_end_is_first_counts(
    *, rule, first_client, second_client, third_client, connection, by
):
    for number in range(3):
        name = f"Raced by {by}, {number}"
        asked = asked_for(first_client, connection, name)
        ends = third_client if by == "decline" else first_client
        at_once(
            lambda asked=asked: post(second_client, asked, "approve"),
            lambda asked=asked, ends=ends: post(ends, asked, by, answer="No."),
        )
        state = worked(asked).state
        acts = acts_of(asked)
        assert acts["approval.approve"] + acts[f"approval.{by}"] == 1
        assert groups(connection).count(name) == (state == RequestState.DONE)
        assert (acts["approval.approve"] == 1) == (state == RequestState.DONE)


def test_the_same_form_sent_by_many_clicks_is_one_request(rule, administrator, connection):
    clients = [admin_client_for(administrator) for _ in range(4)]
    at_once(*[lambda client=client: create_group(client, connection, "Many") for client in clients])
    draft = ApprovalRequest.objects.get()
    sends = [lambda client=client: post(client, draft, "ask", reason="Once.") for client in clients]
    at_once(*sends)
    assert again(draft).state == RequestState.WAITING
    assert acts_of(draft)["approval.ask"] == 1


def test_a_job_approved_by_two_at_once_is_carried_out_once(
    rule, second_client, third_client, connection, work
):
    ApprovalRule.objects.update(operations=["users.create"])
    job, asked = awaiting(connection, work, ["raced-job@example.com"])
    shown = seen(job)
    at_once(
        lambda: second_client.post(url(asked, "approve"), shown),
        lambda: third_client.post(url(asked, "approve"), shown),
    )
    assert work(job).state == JobState.DONE
    assert acts_of(asked)["approval.approve"] == 1
    assert AuditEntry.objects.filter(operation="users.create", intent=None).count() == 1


def test_job_cancelled_and_approved_at_once_is_one_of_both(
    rule, first_client, second_client, connection, work
):
    ApprovalRule.objects.update(operations=["users.create"])
    job, asked = awaiting(connection, work, ["cancelled-job@example.com"])
    shown, cancel = seen(job), f"/c/{connection.key}/jobs/{job.key}/cancel/"
    at_once(
        lambda: second_client.post(url(asked, "approve"), shown),
        lambda: first_client.post(cancel),
    )
    assert Job.objects.get(pk=job.pk).state == JobState.CANCELLED
    assert again(asked).state in (RequestState.DONE, RequestState.WITHDRAWN)
