"""The same settings for several: planned by what the service has, carried out, and undone."""

from collections.abc import Callable

import pytest

from portal.access.http import Origin
from portal.access.roles import Role, RoleRefused
from portal.access.scope import Scope
from portal.audit.models import AuditEntry
from portal.connections.api import api_for
from portal.contract.accounts import AccountOptions
from portal.jobs import services as jobs, undoing
from portal.jobs.models import ItemState, Job, JobState
from tests.support.jobs import approve
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db

Plan = Callable[..., Job]
WAITING, PAYS = "in_meeting.waiting_room", "options.pay_mode"


@pytest.fixture
def planned(connection, work):
    """`planned("people", [ada], {"in_meeting.chat": True})`."""

    def plan(kind, targets, values):
        given = {"kind": kind, "targets": [[one.id, one.label] for one in targets]}
        origin = Origin(connection.owner)
        data = {**given, "values": values}
        return work(jobs.draft(origin, connection, "account.settings", "A", parameters=data))

    return plan


def said(job):
    return [(item.state, item.changes) for item in job.items.order_by("number")]


def test_only_what_differs_is_planned_and_sent(make_account, planned, work):
    first = make_account(in_meeting={"chat": False}, options={"pay_mode": "master"})
    second = make_account(in_meeting={"chat": True}, options={"pay_mode": "sub"})
    was = second.settings()
    job = planned("sub-accounts", [first, second], {"in_meeting.chat": True, PAYS: "sub"})
    assert job.state == JobState.PLANNED, job.reason
    assert said(job) == [
        (
            "pending",
            [
                ["Options: Who pays", "Master account", "Sub account"],
                ["In meeting: Chat", "Off", "On"],
            ],
        ),
        ("unchanged", []),
    ]
    approve(job)
    assert work(job).state == JobState.DONE
    assert first.settings()["in_meeting"]["chat"] is True
    assert first.options()["pay_mode"] == "sub"
    assert second.settings() == was
    sent = AuditEntry.objects.filter(operation__startswith="accounts.update", outcome="begun")
    assert {str(entry.sent) for entry in sent} == {
        "{'pay_mode': 'sub'}",
        "{'in_meeting': {'chat': True}}",
    }


def test_undo_restores_what_nobody_changed_since(make_account, planned, work, connection):
    one = make_account(in_meeting={"chat": False, "polling": False}, options={"share_mc": False})
    values = {"in_meeting.chat": True, "in_meeting.polling": True, "options.share_mc": True}
    job = planned("sub-accounts", [one], values)
    approve(job)
    job = work(job)
    one.set(in_meeting={"polling": False})
    one.set(options={"share_mc": True})
    back = work(undoing.undo(job, Origin(connection.owner)))
    assert [change[0] for change in back.items.get().changes] == [
        "Options: Share meeting connectors",
        "In meeting: Chat",
    ]
    approve(back)
    assert work(back).state == JobState.DONE
    assert one.settings()["in_meeting"]["chat"] is False
    assert one.options()["share_mc"] is False


def test_people_have_theirs_changed_and_who_is_gone_is_named(make_holder, planned, work):
    ada, gone = make_holder(in_meeting={"waiting_room": False}), make_holder()
    gone.go()
    job = planned("people", [ada, gone], {WAITING: True})
    assert [item.state for item in job.items.order_by("number")] == ["pending", "invalid"]
    missing = job.items.get(state=ItemState.INVALID)
    assert missing.problems == [["Target", "It is not there any more."]]
    approve(job)
    work(job)
    assert ada.settings()["in_meeting"]["waiting_room"] is True


@pytest.mark.parametrize("values", [{"in_meeting.no_such": True}, {"recording.auto_recording": 7}])
def test_values_that_the_service_does_not_take_are_no_plan(make_holder, planned, values):
    job = planned("people", [make_holder()], values)
    assert (job.state, job.reason) == (
        JobState.UNPLANNABLE,
        "The service does not accept these values.",
    )


def test_a_plan_reads_what_its_owner_may_and_changes_nothing(connection, make_account):
    one = make_account()
    api = api_for(Scope.whole(connection, "a test", Role.ADMINISTRATOR))
    assert api.accounts.get(one.id).owner_email == one.label
    with pytest.raises(RoleRefused):
        api.accounts.update_options(one.id, AccountOptions(share_mc=True))
    with pytest.raises(RoleRefused):
        api_for(whole(connection)).accounts.get(one.id)
