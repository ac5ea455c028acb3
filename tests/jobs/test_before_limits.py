"""A user's own work from before their share was limited shows nothing of what the limits hide."""

from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse

from portal.access.http import Origin
from portal.access.models import CustomRole
from portal.access.roles import Role
from portal.access.tokens import seal
from portal.approvals.models import ApprovalRequest, RequestKind, RequestState
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.config import clock
from portal.connections.mails import remind_of_end
from portal.connections.services import elevation, shares
from portal.imports.models import StoredTable
from portal.imports.sheets import storage
from portal.jobs import services
from portal.jobs.models import ItemState, Job, JobItem, JobState
from portal.team import accounts
from portal.team.roles import services as roles
from tests.support.job_types import CreatePeople
from tests.support.mails import delivered
from tests.support.portal import admin_client_for, member
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db

OUTSIDE = "quillon.averill@brightwater.example"
LIMITS = ({"departments": ["Legal"]}, {"families": ["devices"]}, {"groups": ["g1"]})


@pytest.fixture
def colleague(db):
    return member("colleague@example.com", Role.ADMINISTRATOR)


@pytest.fixture
def share(connection, colleague):
    return share_with(connection, colleague)


@pytest.fixture
def browser(share):
    return admin_client_for(share.user)


def limit(share, **limits):
    """Limits the share as its owner does; what is not named is not limited."""
    all_of_them = {"families": [], "departments": [], "groups": [], **limits}
    seen = shares.version_of(share.connection)
    shares.change_limits(Origin(share.connection.owner), share, all_of_them, seen=seen)


def begun(share, kind=CreatePeople.name, **item):
    job = services.draft(Origin(share.user), share.connection, kind, f"Create {OUTSIDE}")
    JobItem.objects.create(job=job, number=1, label=OUTSIDE, data={"email": OUTSIDE}, **item)
    Job.objects.filter(pk=job.pk).update(state=JobState.DONE)
    return job


@pytest.mark.parametrize("limits", LIMITS)
def test_own_job_from_before_limits_shows_no_row(limits, share, browser):
    job, args = begun(share), [share.connection.key]
    assert OUTSIDE in browser.get(reverse("jobs:job", args=[*args, job.key])).text
    limit(share, **limits)
    for name, more in (
        ("list", []),
        ("running", []),
        ("job", [job.key]),
        ("rows", [job.key, "all", "csv"]),
        ("rows", [job.key, "all", "xlsx"]),
    ):
        answer = browser.get(
            reverse(f"jobs:{name}", args=[*args, *more]), headers={"HX-Request": "true"}
        )
        assert OUTSIDE.encode() not in answer.getvalue(), name
        assert (answer.status_code == 403) is bool(more), name
    assert OUTSIDE not in browser.get("/").text
    page = browser.get(reverse("jobs:list", args=args)).text
    assert "1 job of yours is from before your access was limited" in page
    later = begun(share)
    assert browser.get(reverse("jobs:job", args=[*args, later.key])).status_code == 200


def test_job_from_before_limits_is_named_to_the_owner_alone(share, browser):
    job = begun(share)
    Job.objects.filter(pk=job.pk).update(state=JobState.PAUSED)
    leave = reverse("connections:leave", args=[share.connection.key])
    assert OUTSIDE in browser.get(leave).text
    limit(share, departments=["Legal"])
    assert OUTSIDE not in browser.get(leave).text
    remind_of_end(share, shares.running_by)
    told = {one.to[0]: one.body for one in delivered()}
    assert OUTSIDE in told[share.connection.owner.email]
    assert OUTSIDE not in told[share.user.email]


def test_passwords_of_job_from_before_limits_are_kept(share, browser):
    job = begun(share, "sessions.mend", state=ItemState.DONE, sealed=seal('{"password": "S3cret"}'))
    limit(share, departments=["Legal"])
    url = reverse("jobs:take-out", args=[share.connection.key, job.key])
    answer = browser.post(url)
    assert answer.status_code == 403
    assert "S3cret" not in answer.text
    assert job.items.get().sealed


def test_own_entries_from_before_limits_are_not_in_the_trail(share, browser):
    def entry(label):
        origin = Origin(share.user)
        record(origin, Act.RECORDING_HELD, object_id="r", label=label, connection=share.connection)

    entry(OUTSIDE)
    assert OUTSIDE in browser.get(reverse("audit-export", args=["jsonl"])).getvalue().decode()
    limit(share, departments=["Legal"])
    entry("Later one")
    for name in ("audit:trail", "audit-export"):
        args = ["jsonl"] if name == "audit-export" else []
        text = browser.get(reverse(name, args=args)).getvalue().decode()
        assert OUTSIDE not in text
        assert "Later one" in text


def test_own_requests_from_before_limits_are_not_found(share, browser):
    asked = ApprovalRequest.objects.create(
        connection=share.connection,
        requester=share.user,
        kind=RequestKind.CALL,
        operation="users.delete",
        object_label=OUTSIDE,
        state=RequestState.WAITING,
    )
    assert browser.get(asked.get_absolute_url()).status_code == 200
    limit(share, departments=["Legal"])
    assert browser.get(asked.get_absolute_url()).status_code == 404
    page = browser.get(reverse("approvals:list", args=[share.connection.key])).text
    assert OUTSIDE not in page


def test_upload_from_before_limits_is_not_read(share):
    stored = storage.store(share.user, share.connection, "people.import", f"email\n{OUTSIDE}\n")
    place = (share.user, share.connection, "people.import", stored.key)
    assert storage.find(*place)
    limit(share, departments=["Legal"])
    assert storage.find(*place) is None
    assert StoredTable.objects.filter(pk=stored.pk).exists()


def test_own_job_is_shown_again_once_the_limits_end(share, browser):
    job = begun(share)
    limit(share, departments=["Legal"])
    limit(share)
    url = reverse("jobs:job", args=[share.connection.key, job.key])
    assert browser.get(url).status_code == 200


def test_wider_limits_hide_no_job_of_narrower_ones(share, browser):
    limit(share, departments=["Legal"])
    job = begun(share)
    limit(share, departments=["Legal", "Sales"])
    url = reverse("jobs:job", args=[share.connection.key, job.key])
    assert browser.get(url).status_code == 200
    limit(share, departments=["Sales"])
    assert browser.get(url).status_code == 403


@pytest.fixture
def webinar_team(administrator):
    """A role that views webinars, as `begun` is about people."""
    grants = {"webinars": ["read"], "users": ["read"]}
    return CustomRole.objects.create(name="Webinar team", grants=grants, created_by=administrator)


def narrow(role):
    administrator = Origin(role.created_by)
    facts = {"name": role.name, "description": "", "grants": {"webinars": ["read"]}}
    roles.change(administrator, role, **facts, seen=role.version)


@pytest.mark.parametrize("end", ["by itself", "taken back"])
def test_own_job_of_an_elevation_is_not_shown_after_it(
    end, connection, administrator, webinar_team
):
    share = share_with(connection, member("e@example.com", Role.OPERATOR), webinar_team.key)
    owner = Origin(administrator, email=administrator.email)
    asked = elevation.ask(Origin(share.user), share, Role.OPERATOR, 1, "Tonight")
    elevation.approve(owner, share, asked.pk)
    job = begun(share)
    url = reverse("jobs:job", args=[connection.key, job.key])
    assert admin_client_for(share.user).get(url).status_code == 200
    if end == "taken back":
        elevation.stop(owner, share, asked.pk)
    with time_machine.travel(clock.now() + timedelta(hours=2 if end == "by itself" else 0)):
        browser = admin_client_for(share.user)
        assert browser.get(url).status_code == 403
        assert OUTSIDE not in browser.get(reverse("jobs:list", args=[connection.key])).text
        assert OUTSIDE not in exported(browser)
        later = begun(share)
        assert browser.get(url.replace(job.key, later.key)).status_code == 200


def exported(browser):
    return browser.get(reverse("audit-export", args=["jsonl"])).getvalue().decode()


@pytest.mark.parametrize("whose", ["the share", "the user", "the owner"])
def test_work_from_before_a_role_gave_less_is_not_shown(
    whose, connection, administrator, webinar_team
):
    people = {"the user": member("e@example.com", Role.OPERATOR), "the owner": administrator}
    role = webinar_team.key if whose == "the share" else Role.OPERATOR
    owner = Origin(administrator)
    share = shares.give(owner, connection, people["the user"], role, seen=0, limits={})
    job = begun(share)
    url = reverse("jobs:job", args=[connection.key, job.key])
    assert admin_client_for(share.user).get(url).status_code == 200
    if whose == "the share":
        narrow(webinar_team)
    else:
        member("second@example.com", Role.ADMINISTRATOR)
        accounts.change_role(Origin(), people[whose], webinar_team.key)
    browser = admin_client_for(share.user)
    assert browser.get(url).status_code == 403
    assert OUTSIDE not in exported(browser)
    if whose != "the owner":
        shares.revoke(owner, share, seen=shares.version_of(connection))
        assert OUTSIDE not in exported(browser)


def test_owner_with_a_defined_role_reads_own_entries_alone(connection, administrator, webinar_team):
    share = share_with(connection, member("e@example.com", Role.OPERATOR))
    begun(share)
    assert OUTSIDE in exported(admin_client_for(administrator))
    member("second@example.com", Role.ADMINISTRATOR)
    accounts.change_role(Origin(), administrator, webinar_team.key)
    assert OUTSIDE not in exported(admin_client_for(administrator))
