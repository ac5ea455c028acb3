"""Registrations that go with replaced dates, where the change waits for an approval."""

import pytest

from portal.access.models import ApprovalRule, Share
from portal.access.roles import Role
from portal.approvals.models import ApprovalRequest, RequestState
from portal.jobs.models import Job
from portal.meetings.spec import MEETINGS
from tests.approvals.flows import REASON, post, url, worked
from tests.sessions.registered import emails, register
from tests.sessions.test_replaced_dates import LATER, opened, series
from tests.support.html import form_with, text_of
from tests.support.portal import admin_client_for, member
from tests.support.session_pages import url as session_url

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def second(connection, administrator):
    """The other administrator, who has to approve changes and deletions of meetings."""
    user = member("second@example.com", Role.ADMINISTRATOR)
    Share.objects.create(
        connection=connection, user=user, role=Role.ADMINISTRATOR, created_by=administrator
    )
    chosen = ["meetings.update", "meetings.delete"]
    ApprovalRule.objects.create(connection=connection, operations=chosen)
    return admin_client_for(user)


@pytest.fixture
def made(make_session, second):
    return series(make_session, MEETINGS, approval_type=0, registration_type=2)


def draft(planner, made, **more):
    """What becomes of the form that moves the series, the number agreed to."""
    refused = planner.send(opened(planner, made), **LATER)
    form = form_with(refused.text, "topic")
    assert planner.send(form, **more).status_code == 303
    return ApprovalRequest.objects.get()


def approved(planner, second, asked):
    post(planner.client, asked, "ask", reason=REASON)
    page = text_of(second.get(url(asked)).content.decode())
    post(second, asked, "approve")
    return page


def test_whoever_asks_and_approves_see_what_is_deleted(planner, made, second):
    register(planner.sandbox, made, "ada", "grace")
    asked = draft(planner, made)
    page = planner.get(url(asked))
    assert "10 registrations of 2 people" in text_of(page)
    file = session_url(planner.connection, made, "registrants-by-date", "csv")
    assert f'href="{file}"' in page
    assert "The service emails each of them a confirmation" in text_of(page)
    assert "10 registrations of 2 people" in approved(planner, second, asked)
    assert not Job.objects.exists()
    assert len(emails(planner.sandbox, made, "approved")) == 2


def test_who_was_registered_is_stored_when_the_change_leaves(planner, made, second, work):
    register(planner.sandbox, made, "ada")
    asked = draft(planner, made)
    approved(planner, second, asked)
    assert worked(asked).state == RequestState.DONE
    job = work(Job.objects.get(kind="registrants.again"))
    assert emails(planner.sandbox, made, "approved") == ["ada@example.com"]
    assert job.key in planner.get(url(asked))
    assert job.items.get().data["registrant"]["email"] == "ada@example.com"
    assert len(job.items.get().data["starts"]) == 5


def test_others_who_registered_since_end_the_request(planner, made, second):
    register(planner.sandbox, made, "ada")
    asked = draft(planner, made)
    approved(planner, second, asked)
    register(planner.sandbox, made, "grace")
    done = worked(asked)
    assert done.state == RequestState.FAILED
    assert "Something else would be deleted with it" in text_of(planner.get(url(asked)))
    assert len(emails(planner.sandbox, made, "approved")) == 2
    assert not Job.objects.exists()


def test_a_date_that_is_deleted_names_its_registrations(planner, made, second):
    register(planner.sandbox, made, "ada")
    number = str(made.now()["occurrences"][1]["occurrence_id"])
    address = session_url(planner.connection, made, "delete-occurrence", number)
    planner.client.post(address)
    page = text_of(planner.get(url(ApprovalRequest.objects.get())))
    assert "1 registration of 1 person" in page


def test_a_series_that_is_deleted_names_its_registrations(planner, made, second):
    register(planner.sandbox, made, "ada")
    planner.client.post(session_url(planner.connection, made, "delete"))
    page = text_of(planner.get(url(ApprovalRequest.objects.get())))
    assert "5 registrations of 1 person" in page
