"""A colleague with a share for a department has baselines over its people, and sees no other."""

import pytest

from portal.access.models import Share
from portal.access.roles import Role
from portal.account.models import Baseline, Reach
from portal.directory import users
from portal.directory.models import MirroredUser
from portal.jobs.models import Job, JobState
from tests.account.baselines import CHAT, drift_of, made_baseline, run_due, url
from tests.account.pages import address
from tests.support.html import form_with, text_of
from tests.support.jobs import approve
from tests.support.portal import admin_client_for, member
from tests.support.shares import share_with

# What is checked at a call is read by the threads of a job.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def colleague(connection, dept):
    made = member("dean@example.com", Role.ADMINISTRATOR)
    share_with(connection, made, departments=[dept])
    return made


@pytest.fixture
def theirs(colleague):
    return admin_client_for(colleague)


@pytest.fixture
def baseline(connection, theirs, two, work, make_person):
    """Theirs for everyone, as the form saves it, and checked: one of two people differs."""
    users.put(connection, make_person().details())
    new = address(connection, "baselines-new", "people")
    form = form_with(theirs.get(new).text, "name")
    assert theirs.post(new, form.values | {"name": "Own", "scope": "all", CHAT: "true"}).url
    made = Baseline.objects.get()
    two[0].set(in_meeting={"chat": False})
    two[1].set(in_meeting={"chat": True})
    assert run_due() == 1
    made.refresh_from_db()
    assert work(made.job).state == JobState.DONE
    return made


def test_everyone_is_the_people_of_the_share(theirs, baseline, two, work):
    assert baseline.job.items.count() == len(two) < MirroredUser.objects.count()
    assert drift_of(baseline) == [(two[0].id, CHAT, True, False)]
    assert "Everyone whom Dean sees" in text_of(theirs.get(url(baseline)).text)
    answer = theirs.post(url(baseline, "-bring-back"), {"idempotency_key": "k", "matching": ""})
    job = Job.objects.get(kind="account.baseline")
    assert answer.status_code == 303
    approve(work(job))
    assert work(job).state == JobState.DONE
    assert not Baseline.objects.get().drifts.exists()


def test_those_of_all_are_not_there(connection, theirs, dept, two, work):
    of_all = made_baseline(connection, dept, scope=Reach.ALL, targets=[])
    assert of_all.name not in theirs.get(address(connection, "baselines")).text
    for part in ("", "-edit", "-yaml", "-delete", "-on"):
        assert theirs.get(url(of_all, part)).status_code == 404
    assert theirs.get(address(connection, "baselines-import")).status_code == 403


def test_own_one_is_gone_once_share_is_limited_to_others(theirs, client, baseline):
    Share.objects.update(departments=["Elsewhere"])
    assert theirs.get(url(baseline)).status_code == 404
    assert "Own" not in theirs.get(address(baseline.connection, "baselines")).text
    assert client.get(url(baseline)).status_code == 200  # the owner of the connection sees it


def test_who_left_the_department_is_not_shown_by_drift(theirs, baseline, two):
    MirroredUser.objects.filter(user_id=two[0].id).update(dept="Elsewhere")
    for page in (url(baseline), address(baseline.connection, "baselines")):
        assert two[0].email not in theirs.get(page).text
        assert "1 differs" not in theirs.get(page).text
