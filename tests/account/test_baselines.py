"""Baselines: set, checked against the service, and brought back by hand or by a rule."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from portal.access.http import Origin
from portal.access.models import ApprovalRule, Share
from portal.access.roles import Role
from portal.account.baselines import jobs
from portal.account.baselines.results import result_in_words
from portal.account.models import Baseline, Drift, Reach
from portal.approvals.models import ApprovalRequest
from portal.audit.models import AuditEntry
from portal.directory.users import state_of as state_of_people
from portal.jobs import undoing
from portal.jobs.models import Job, JobState
from portal.mirror.loading import last_night
from portal.mirror.models import MirrorState
from tests.account.baselines import (
    CAPTION,
    CHAT,
    checked,
    drift_of,
    fresh,
    made_baseline,
    run_due,
    url,
)
from tests.account.pages import address
from tests.people.test_chosen import run, states
from tests.support.fault_server import answer as answering, depending
from tests.support.html import form_with, text_of
from tests.support.jobs import approve
from tests.support.portal import admin_client_for, member
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db


def test_one_is_set_by_the_form_checked_and_brought_back(client, connection, two, dept, work):
    new = address(connection, "baselines-new", "people")
    form = form_with(client.get(new).text, "name")
    data = {"name": "Sales", "scope": f"department:{dept}", CHAT: "true", CAPTION: "true"}
    answer = client.post(new, form.values | data)
    assert answer.status_code == 303, text_of(answer.text)
    baseline = Baseline.objects.get()
    assert baseline.values == {CHAT: True, CAPTION: True}
    assert baseline.wanted_at
    assert AuditEntry.objects.filter(operation="connection.baseline", object_label="Sales").exists()
    two[0].set(in_meeting={"chat": False, "closed_caption": True})
    assert run_due() == 1
    baseline.refresh_from_db()
    work(baseline.job)
    assert drift_of(baseline) == sorted(
        [(two[0].id, CHAT, True, False), (two[1].id, CAPTION, True, False)], key=str
    )
    page = text_of(client.get(url(baseline)).text)
    assert "2 settings of 2 people differ." in page
    assert two[0].email in page
    form = form_with(client.get(url(baseline)).text, "matching")
    answer = client.post(form.action, form.values)
    job = work(Job.objects.get(kind="account.baseline"))
    assert answer["Location"].endswith(f"/{job.key}/")
    assert (job.state, states(job)) == (JobState.PLANNED, {"pending": 2})
    assert not two[0].settings()["in_meeting"]["chat"]
    run(work, job)
    for one in two:
        held = one.settings()["in_meeting"]
        assert (held["chat"], held["closed_caption"]) == (True, True)
    assert not baseline.drifts.exists()
    checked(baseline, work)
    assert result_in_words(baseline) == "No drift."
    with translation.override("de"):
        assert result_in_words(baseline) == "Keine Abweichung."
    baseline.results, baseline.outcome = [], "As an earlier version said it."
    assert result_in_words(baseline) == "As an earlier version said it."


def test_since_stays_while_it_differs_and_is_then_forgotten(connection, two, dept, work):
    baseline = made_baseline(connection, dept)
    two[0].set(in_meeting={"chat": False})
    checked(baseline, work)
    first = baseline.drifts.get()
    earlier = timezone.now() - timedelta(days=3)
    Drift.objects.update(since=earlier, checked_at=earlier)
    checked(baseline, work)
    again = baseline.drifts.get()
    assert (again.pk, again.since) == (first.pk, earlier)
    assert again.checked_at > earlier
    two[0].set(in_meeting={"chat": True})
    checked(baseline, work)
    assert not baseline.drifts.exists()


def test_one_setting_is_restored_once_however_often_clicked(client, connection, two, dept, work):
    baseline = made_baseline(connection, dept)
    for one in two:
        one.set(in_meeting={"chat": False})
    checked(baseline, work)
    mine = baseline.drifts.get(subject_id=two[1].id)
    form = form_with(client.get(url(baseline)).text, "matching")
    for _ in range(2):
        answer = client.post(form.action, form.values | {"drift": str(mine.pk)})
        assert answer.status_code == 303
    job = work(Job.objects.get(kind="account.baseline"))
    assert [item.object_id for item in job.items.all()] == [two[1].id]
    run(work, job)
    assert [one.settings()["in_meeting"]["chat"] for one in two] == [False, True]
    assert [row.subject_id for row in baseline.drifts.all()] == [two[0].id]


def test_drift_is_filtered_and_so_is_what_is_restored(client, connection, two, dept, work):
    baseline = made_baseline(connection, dept, values={CHAT: True, CAPTION: True})
    two[0].set(in_meeting={"chat": False})
    checked(baseline, work)
    assert baseline.drifts.count() == 3
    html = client.get(url(baseline, q=two[1].email)).text
    assert "1 setting that differs" in text_of(html)
    html = client.get(url(baseline, setting=CAPTION)).text
    form = form_with(html, "matching")
    client.post(form.action, form.values)
    job = work(Job.objects.get(kind="account.baseline"))
    assert job.parameters["values"] == {CAPTION: True}
    assert states(job) == {"pending": 2}
    answer = client.post(form.action, {"matching": "setting=nothing.known"})
    assert answer["Location"] == url(baseline)


def test_rule_restores_without_asking_and_undo_turns_it_off(client, connection, two, dept, work):
    baseline = made_baseline(connection, dept)
    assert client.post(url(baseline, "-rule-on")).status_code == 303
    two[0].set(in_meeting={"chat": False})
    checked(baseline, work)
    job = work(Job.objects.get(kind="account.baseline"))
    assert (job.state, states(job)) == (JobState.DONE, {"done": 1})
    assert two[0].settings()["in_meeting"]["chat"]
    assert not baseline.drifts.exists()
    undone = work(undoing.undo(job, Origin(job.owner)))
    assert undone.state == JobState.PLANNED
    run(work, undone)
    baseline.refresh_from_db()
    assert not baseline.brings_back
    assert "undone" in result_in_words(baseline)
    assert not two[0].settings()["in_meeting"]["chat"]
    assert run_due() == 1  # and the drift is found again, and left alone
    baseline.refresh_from_db()
    work(baseline.job)
    assert baseline.drifts.count() == 1
    assert Job.objects.filter(kind="account.baseline").count() == 2


def test_a_rule_edited_by_another_is_off_till_somebody_confirms(
    client, connection, two, dept, work
):
    editor, third = (member(f"{name}@example.com", Role.ADMINISTRATOR) for name in ("ed", "third"))
    for one in (editor, third):
        share_with(connection, one)
    ApprovalRule.objects.create(connection=connection, operations=["users.update_settings"])
    baseline = made_baseline(connection, dept, brings_back=True)
    form = form_with(admin_client_for(editor).get(url(baseline, "-edit")).text, "name")
    changed = admin_client_for(editor).post(url(baseline, "-edit"), form.values | {CHAT: "false"})
    assert changed.status_code == 303, text_of(changed.text)
    baseline.refresh_from_db()
    assert (baseline.brings_back, baseline.owner) == (False, editor)
    assert "Ed changed the baseline" in result_in_words(baseline)
    client.post(url(baseline, "-rule-on"))
    two[0].set(in_meeting={"chat": not baseline.values[CHAT]})
    checked(baseline, work)
    job = work(Job.objects.get(kind="account.baseline"))
    assert (job.state, job.owner) == (JobState.AWAITING, connection.owner)
    asked = ApprovalRequest.objects.get()
    approve = reverse("approvals:approve", args=[connection.key, asked.key])
    for person, state in ((editor, JobState.AWAITING), (third, JobState.RUNNING)):
        admin_client_for(person).post(approve, {"seen": asked.seen})
        job.refresh_from_db()
        assert job.state == state


@pytest.mark.parametrize("lost", ["role", "account", "read_only"])
def test_a_rule_of_somebody_who_may_not_any_more_changes_nothing(connection, two, dept, work, lost):
    baseline = made_baseline(connection, dept, brings_back=True)
    two[0].set(in_meeting={"chat": False})
    owner = connection.owner
    if lost == "role":
        owner.role = Role.VIEWER
    elif lost == "account":
        owner.is_active = False
    else:
        connection.read_only = True
    owner.save()
    connection.save()
    begun = run_due()
    baseline.refresh_from_db()
    if lost == "account":
        assert begun == 0
    else:
        work(baseline.job)
        baseline.refresh_from_db()
        assert baseline.drifts.exists()
    assert "Not run: " in result_in_words(baseline)
    assert not Job.objects.filter(kind="account.baseline").exists()


@pytest.mark.parametrize(
    "left", [{"departments": ["Of others"]}, {"families": ["devices"]}, {"role": "viewer"}, None]
)
def test_rule_of_a_narrowed_colleague_restores_nothing(connection, two, dept, work, left):
    colleague = member("colleague@example.com", Role.ADMINISTRATOR)
    share = share_with(connection, colleague)
    baseline = made_baseline(connection, dept, brings_back=True, owner=colleague)
    two[0].set(in_meeting={"chat": False})
    if left is None:
        share.delete()
    else:
        Share.objects.filter(pk=share.pk).update(**left)
    if run_due():
        baseline.refresh_from_db()
        work(baseline.job)
    assert not Job.objects.filter(kind="account.baseline").exists()
    assert two[0].settings()["in_meeting"]["chat"] is False


def test_it_is_due_once_a_night_and_begun_by_one_process_alone(connection, two, dept, work):
    baseline = made_baseline(connection, dept)
    stale = Baseline.objects.select_related("owner", "connection__owner").get()
    assert run_due() == 1
    assert jobs._begin(stale) is False  # another has seen it as it was
    assert run_due() == 0
    baseline.refresh_from_db()
    work(baseline.job)
    assert run_due() == 0
    Baseline.objects.update(begun_at=last_night(timezone.now()) - timedelta(seconds=1))
    fresh(connection)
    assert run_due() == 1
    assert Job.objects.filter(kind="account.baseline-check").count() == 2
    Baseline.objects.update(is_active=False, begun_at=None)
    assert run_due() == 0


def test_it_waits_for_the_list_of_people(connection, two, dept):
    baseline = made_baseline(connection, dept)
    state = state_of_people(connection)
    MirrorState.objects.filter(pk=state.pk).update(
        refreshed_at=timezone.now() - timedelta(days=1), requested_at=None
    )
    assert run_due() == 0
    baseline.refresh_from_db()
    assert result_in_words(baseline) == "Waiting for the list of people to be loaded."
    state.refresh_from_db()
    assert state.requested_at
    fresh(connection)
    assert run_due() == 1


def test_unreadable_person_keeps_result_of_earlier_check(client, faulty, fault_server, work):
    refuses = False

    def say(request):
        if request.path.endswith("/accounts"):
            listed = [{"id": key, "account_name": f"Branch {key}"} for key in ("a1", "a2")]
            return answering(200, {"accounts": listed, "page_count": 1, "total_records": 2})
        if refuses and "/a1" in request.path:
            return answering(400, {"code": 300, "message": "Out of order today."})
        if request.path.endswith("/settings"):
            return answering(200, {"in_meeting": {"chat": False}})
        return answering(200, {"id": request.path.rpartition("/")[2], "options": {}})

    fault_server.always(depending(say))
    of_all = {"kind": "sub-accounts", "scope": Reach.ALL, "targets": []}
    baseline = made_baseline(faulty, "", **of_all)
    checked(baseline, work)
    assert [row.subject_id for row in baseline.drifts.all()] == ["a1", "a2"]
    before = baseline.drifts.get(subject_id="a1").checked_at
    refuses = True
    checked(baseline, work)
    assert (
        result_in_words(baseline)
        == "2 settings of 2 sub accounts differ. 1 sub account could not be loaded."
    )
    assert baseline.drifts.get(subject_id="a1").checked_at == before
    assert baseline.drifts.get(subject_id="a2").checked_at > before
    page = text_of(client.get(url(baseline)).text)
    assert "Branch a1 : " in page or "Branch a1: " in page
    assert "Out of order today." in page


def test_the_settings_of_somebody_lead_to_a_baseline_of_them(client, connection, two):
    page = client.get(reverse("people:settings", args=[connection.key, two[0].id])).text
    assert f"{reverse('account:baselines-new', args=[connection.key, 'people'])}?from=" in page


def test_who_left_is_no_drift_any_more(connection, two, dept, work, sandbox):
    baseline = made_baseline(connection, dept)
    for one in two:
        one.set(in_meeting={"chat": False})
    checked(baseline, work)
    assert baseline.drifts.count() == 2
    sandbox.client.delete(f"/users/{two[0].id}", params={"action": "delete"})
    checked(baseline, work)
    assert [row.subject_id for row in baseline.drifts.all()] == [two[1].id]
    item = baseline.job.items.get(object_id=two[0].id)
    assert item.message == "Not on the account any more."


def test_an_edit_keeps_what_still_differs_and_forgets_the_rest(client, connection, two, dept, work):
    baseline = made_baseline(connection, dept, values={CHAT: True, CAPTION: True})
    two[0].set(in_meeting={"chat": False})
    checked(baseline, work)
    form = form_with(client.get(url(baseline, "-edit")).text, "name")
    assert (form.values[CHAT], form.values["scope"]) == ("true", f"department:{dept}")
    answer = client.post(url(baseline, "-edit"), form.values | {CAPTION: "", "name": "Renamed"})
    assert answer.status_code == 303, text_of(answer.text)
    baseline.refresh_from_db()
    assert (baseline.name, baseline.values) == ("Renamed", {CHAT: True})
    assert drift_of(baseline) == [(two[0].id, CHAT, True, False)]
    made_baseline(connection, dept, name="Other")
    form = form_with(client.get(url(baseline, "-edit")).text, "name")
    answer = client.post(url(baseline, "-edit"), form.values | {"name": "other"})
    assert answer.status_code == 422
    assert "Another baseline has this name." in text_of(answer.text)


def test_an_edit_over_what_somebody_else_has_saved_says_so_first(client, connection, two, dept):
    baseline = made_baseline(connection, dept)
    form = form_with(client.get(url(baseline, "-edit")).text, "name")
    Baseline.objects.update(values={CAPTION: True})
    answer = client.post(url(baseline, "-edit"), form.values | {CHAT: "false"})
    assert answer.status_code == 422
    assert "Someone has changed this baseline" in text_of(answer.text)
    form = form_with(answer.text, "name")
    assert form.values[CHAT] == "false"
    assert client.post(url(baseline, "-edit"), form.values).status_code == 303
    baseline.refresh_from_db()
    assert baseline.values == {CHAT: False}


def test_it_begins_with_what_somebody_has(client, connection, two):
    new = address(connection, "baselines-new", "people", **{"from": two[0].id})
    values = form_with(client.get(new).text, "name").values
    assert (values[CHAT], values[CAPTION]) == ("true", "false")


def test_form_without_setting_saves_nothing_and_keeps_input(client, connection, two, dept):
    new = address(connection, "baselines-new", "people")
    answer = client.post(new, {"name": "Empty", "scope": f"department:{dept}"})
    assert answer.status_code == 422
    assert "No setting is chosen." in text_of(answer.text)
    assert form_with(answer.text, "name").values["name"] == "Empty"
    assert not Baseline.objects.exists()


def test_sub_accounts_have_baselines_too(client, connection, make_account, work):
    account = make_account(in_meeting={"chat": True})
    new = address(connection, "baselines-new", "sub-accounts")
    form = form_with(client.get(new).text, "name")
    data = {"name": "North", "scope": "chosen", "accounts": account.id, CHAT: "true"}
    answer = client.post(new, form.values | data)
    assert answer.status_code == 303, text_of(answer.text)
    baseline = Baseline.objects.get()
    assert baseline.target_ids == [account.id]
    account.set(in_meeting={"chat": False})
    assert run_due() == 1
    baseline.refresh_from_db()
    work(baseline.job)
    assert drift_of(baseline) == [(account.id, CHAT, True, False)]
    form = form_with(client.get(url(baseline)).text, "matching")
    client.post(form.action, form.values)
    job = work(Job.objects.get(kind="account.baseline"))
    approve(job)
    assert work(job).state == JobState.DONE
    assert account.settings()["in_meeting"]["chat"] is True
    nobody = client.post(new, {"name": "None", "scope": "chosen", CHAT: "true"})
    assert "Choose at least one sub account." in text_of(nobody.text)


def test_operators_see_and_change_those_of_people_alone(connect, dept, two):
    operator = member("op@example.com", Role.OPERATOR)
    own = connect(operator)
    of_accounts = made_baseline(own, dept, kind="sub-accounts", scope=Reach.ALL, targets=[])
    of_people = made_baseline(own, dept)
    client = admin_client_for(operator)
    page = text_of(client.get(address(own, "baselines")).text)
    assert of_people.name in page
    assert of_accounts.name not in page
    assert client.get(url(of_accounts)).status_code == 403
    assert client.post(url(of_accounts, "-delete")).status_code == 403
    assert client.get(url(of_people, "-edit")).status_code == 200


def test_list_shows_drift_first_and_deleting_leaves_settings(client, connection, two, dept, work):
    made_baseline(connection, dept, name="A quiet one", values={CAPTION: False})
    loud = made_baseline(connection, dept, name="Z loud one", values={CHAT: False})
    checked_all = run_due()
    assert checked_all == 2
    for baseline in Baseline.objects.all():
        assert baseline.job
        work(baseline.job)
    page = text_of(client.get(address(connection, "baselines")).text)
    assert page.index("Z loud one") < page.index("A quiet one")
    assert "2 differ" in page
    assert client.post(url(loud, "-delete")).status_code == 303
    assert not Baseline.objects.filter(pk=loud.pk).exists()
    assert two[0].settings()["in_meeting"]["chat"]
