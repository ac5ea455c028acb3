"""Retention rules: simulated, turned on, run and undone; those of people who lost it do not run."""

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import translation

from portal.access.http import Origin
from portal.access.models import ApprovalRule, Connection, Share
from portal.access.roles import Role
from portal.approvals.models import ApprovalRequest
from portal.audit.models import AuditEntry
from portal.jobs import undoing
from portal.jobs.models import Job, JobState
from portal.mirror.models import MirrorState
from portal.recordings import holds, mirror
from portal.recordings.jobs.retention import RETENTION, selection_of
from portal.recordings.models import MirroredRecording, RetentionRule
from tests.people.test_chosen import planned, run, states
from tests.recordings.made import available_files, mirrored
from tests.support.html import text_of
from tests.support.portal import admin_client_for, member
from tests.support.queues import work_off
from tests.support.scopes import whole
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db

Several = list[MirroredRecording]


def _fresh(connection):
    """As if the list had just been read."""
    state = mirror.state_of(connection)
    MirrorState.objects.filter(pk=state.pk).update(refreshed_at=datetime.now(UTC))


def _rule(connection, **values):
    given = {"older_than": 30, "is_active": True, "owner": connection.owner, **values}
    return RetentionRule.objects.create(connection=connection, **given)


def _url(found, name):
    return reverse(f"recordings:retention-{name}", args=[found.connection.key, found.pk])


@pytest.fixture
def old(several):
    """Three recordings; two are older than 30 days."""
    now = datetime.now(UTC)
    for row, days in zip(several, (100, 40, 3), strict=True):
        row.start_time = now - timedelta(days=days)
        row.save()
    _fresh(several[0].connection)
    return several


def test_a_rule_is_simulated_turned_on_run_and_undone(client, old, sandbox, work):
    connection = old[0].connection
    new = reverse("recordings:retention-new", args=[connection.key])
    made = client.post(new, {"older_than": "30"})
    found = RetentionRule.objects.get()
    assert made["Location"] == _url(found, "rule")
    page = text_of(client.get(_url(found, "rule")).text)
    assert "Would move 2 recordings" in page
    assert "does not report views of recordings" in page
    assert work_off(RETENTION) == 0
    assert client.post(_url(found, "on")).status_code == 303
    assert work_off(RETENTION) == 1
    assert work_off(RETENTION) == 0
    job = work(Job.objects.get(kind="recordings.retention"))
    assert (job.state, states(job)) == (JobState.DONE, {"done": 2})
    assert [bool(available_files(sandbox, one.uuid)) for one in old] == [False, False, True]
    found.refresh_from_db()
    assert found.outcome == "Moved 2 recordings to the trash."
    with translation.override("de"):
        assert found.result == "2 Aufzeichnungen in den Papierkorb verschoben."
    moved = AuditEntry.objects.filter(operation="recordings.delete", intent=None)
    assert list(moved.values_list("request_id", flat=True)) == [job.request_id] * 2
    assert job.request_id, "the trail shows them in one line"
    undone = run(work, planned(work, undoing.undo(job, Origin(job.owner))))
    assert states(undone) == {"done": 2}
    assert all(available_files(sandbox, one.uuid) for one in old)
    found.refresh_from_db()
    assert not found.is_active
    assert "undone" in found.outcome


def test_what_is_held_is_never_meant(old, sandbox, work):
    first, second, _ = old
    connection = first.connection
    holds.place(Origin(connection.owner), connection, [first], "Lawsuit", None)
    found = _rule(connection)
    assert [one.uuid for one in selection_of(found).rows(whole(connection))] == [second.uuid]
    work_off(RETENTION)
    job = Job.objects.get(kind="recordings.retention")
    holds.place(Origin(connection.owner), connection, [second], "Lawsuit", None)
    assert states(work(job)) in ({"invalid": 1}, {})
    assert available_files(sandbox, first.uuid)
    assert available_files(sandbox, second.uuid)


def test_maker_of_rule_and_who_turned_it_on_approve_none_of_it(client, old, work):
    connection = old[0].connection
    maker, third = (member(f"{name}@example.com", Role.ADMINISTRATOR) for name in ("m", "third"))
    for one in (maker, third):
        share_with(connection, one)
    ApprovalRule.objects.create(connection=connection, operations=["recordings.delete"])
    new = reverse("recordings:retention-new", args=[connection.key])
    admin_client_for(maker).post(new, {"older_than": "30"})
    client.post(_url(RetentionRule.objects.get(), "on"))
    assert work_off(RETENTION) == 1
    job = work(Job.objects.get(kind="recordings.retention"))
    assert (job.state, job.owner) == (JobState.AWAITING, connection.owner)
    asked = ApprovalRequest.objects.get()
    approve = reverse("approvals:approve", args=[connection.key, asked.key])
    for person, is_approved in ((connection.owner, False), (maker, False), (third, True)):
        admin_client_for(person).post(approve, {"seen": asked.seen})
        job.refresh_from_db()
        assert (job.state != JobState.AWAITING) == is_approved, person


@pytest.mark.parametrize("lost", ["role", "account", "read_only"])
def test_a_rule_of_somebody_who_may_not_any_more_does_not_run(old, lost):
    connection = old[0].connection
    found = _rule(connection)
    owner = connection.owner
    if lost == "role":
        owner.role = Role.OPERATOR
    elif lost == "account":
        owner.is_active = False
    else:
        connection.read_only = True
    owner.save()
    connection.save()
    assert work_off(RETENTION) == 0
    found.refresh_from_db()
    assert found.outcome.startswith("Not run: ")
    assert not Job.objects.filter(kind="recordings.retention").exists()


@pytest.mark.parametrize(
    ("left", "outcome"),
    [
        ({"departments": ["Of others"]}, "There was nothing to move."),
        ({"families": ["devices"]}, "Not run: the owner's role"),
        ({"role": Role.OPERATOR}, "Not run: the owner's role"),
        (None, "Not run: the owner no longer has this connection."),
    ],
)
def test_rule_of_a_colleague_does_what_their_share_allows(old, left, outcome):
    connection = old[0].connection
    colleague = member("colleague@example.com", Role.ADMINISTRATOR)
    share = share_with(connection, colleague)
    rule = _rule(connection, owner=colleague)
    if left is None:
        share.delete()
    else:
        Share.objects.filter(pk=share.pk).update(**left)
    assert work_off(RETENTION) == 0
    rule.refresh_from_db()
    assert rule.outcome.startswith(outcome)


def test_a_rule_goes_with_its_connection(old):
    _rule(old[0].connection)
    Connection.objects.all().delete()
    assert not RetentionRule.objects.exists()


def test_a_rule_waits_for_a_list_that_is_old(old):
    connection = old[0].connection
    found = _rule(connection)
    state = mirror.state_of(connection)
    long_ago = datetime.now(UTC) - timedelta(days=2)
    MirrorState.objects.filter(pk=state.pk).update(refreshed_at=long_ago)
    assert work_off(RETENTION) == 0
    found.refresh_from_db()
    assert (found.outcome, found.ran_at) == ("Waiting for the list to be loaded.", None)


def test_a_rule_is_of_a_department_or_a_host(connection):
    began = datetime.now(UTC) - timedelta(days=60)
    mirrored(connection, "a", dept="Legal", host_id="h1", start_time=began)
    mirrored(connection, "b", dept="Sales", host_id="h2", start_time=began)
    mirrored(connection, "c", dept="Sales", host_id="h2", start_time=None)
    for values, expected in (
        ({"dept": "Legal"}, ["a"]),
        ({"host_id": "h2"}, ["b"]),
        ({"group_id": "none"}, []),
        ({}, ["a", "b"]),
    ):
        rows = selection_of(_rule(connection, **values)).rows(whole(connection))
        assert sorted(one.uuid for one in rows) == expected, values


@pytest.mark.parametrize(
    "sent",
    [
        {"older_than": "0"},
        {"older_than": "x"},
        {"older_than": "30", "host": "nobody@example.com"},
        {"older_than": "30", "dept": "no such"},
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(client, connection, sent):
    new = reverse("recordings:retention-new", args=[connection.key])
    assert client.post(new, sent).status_code == 422
    assert not RetentionRule.objects.exists()


def test_turning_on_asks_who_it_is_again(connection):
    found = _rule(connection, is_active=False)
    stale = admin_client_for(connection.owner, recently=False)
    assert "reauthenticate" in stale.post(_url(found, "on"))["Location"]
    found.refresh_from_db()
    assert not found.is_active


def test_rules_are_turned_off_and_removed(client, connection):
    found = _rule(connection, whose="of <b>")
    listed = reverse("recordings:retention", args=[connection.key])
    assert "of &lt;b&gt;" in client.get(listed).text
    assert client.post(_url(found, "off")).status_code == 303
    assert "Off" in text_of(client.get(listed).text)
    assert client.post(_url(found, "remove")).status_code == 303
    assert not RetentionRule.objects.exists()
    [entry] = AuditEntry.objects.filter(operation="connection.remove_retention")
    assert "of <b>" in entry.object_label
