"""A release leaves what it does not have, and one row's fault is that row's alone."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.access.models import Connection, User
from portal.access.scope import Scope
from portal.account.baselines import jobs as baselines
from portal.account.models import Baseline
from portal.approvals.models import ApprovalRequest
from portal.config.celery import app
from portal.dashboards.services.live import alerts
from portal.jobs.models import Job
from portal.mirror import loading
from portal.people.licences import plans
from portal.people.models import SeatCounting
from portal.recordings import notices
from portal.recordings.jobs import retention
from portal.recordings.models import RetentionRule
from portal.reports import schedule
from portal.reports.definitions import REPORTS
from portal.reports.models import SLUGS, ReportRun, RunState, SavedReport
from portal.reports.schedule import SCHEDULES
from portal.sessions import rereading
from portal.sessions.rereading import reread
from portal.team import waiting
from portal.team.models import AccountChange, ChangeKind
from portal.webhooks import gaps
from portal.work import queue
from portal.work.models import DueRow
from portal.work.queue import WorkQueue
from tests.support.deliveries import subscribed
from tests.support.html import text_of
from tests.support.queues import work_off
from tests.work import other_releases
from tests.work.other_releases import PERIODIC, QUEUES

pytestmark = pytest.mark.django_db


@pytest.fixture
def home(administrator):
    """A connection whose service is never asked; the tasks are there as in a worker."""
    app.loader.import_default_modules()
    made = Connection(owner=administrator, name="Home", base_url="http://127.0.0.1:1/v2")
    made.save()
    return made


def stored(rows):
    return [type(row)._default_manager.filter(pk=row.pk).values().get() for row in rows]


def test_all_that_something_works_on_by_itself_is_named():
    assert set(queue._queues) == set(QUEUES)
    scheduled = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert scheduled - {"work.sweep"} == set(PERIODIC)


def test_reports_are_named_where_their_tables_are_not_loaded():
    assert set(SLUGS) == set(REPORTS)


@pytest.mark.parametrize("task", [task for task, rows in QUEUES.items() if callable(rows)])
def test_rows_of_another_release_are_counted_and_left(home, task):
    plant, own = QUEUES[task], queue._queues[task]
    assert callable(plant)
    rows = list(plant(home))
    before = stored(rows)
    own.sweep()
    for key in own.model._default_manager.values_list(own.key, flat=True):
        app.tasks[task](key)
    assert stored(rows) == before
    gauge = next(one for one in queue.GAUGES if one.name == "switchboard_queue_unsupported")
    assert dict(gauge.read())[task,] == len(rows)
    assert not own.free_rows().exists()


@pytest.mark.parametrize("task", [task for task, rows in PERIODIC.items() if callable(rows)])
def test_periodic_tasks_leave_rows_of_another_release(home, task, monkeypatch):
    monkeypatch.setattr(app, "send_task", lambda *_, **__: None)
    plant = PERIODIC[task]
    assert callable(plant)
    rows = list(plant(home))
    before = stored(rows)
    app.tasks[task]()
    assert stored(rows) == before


def test_alert_of_another_release_is_neither_raised_nor_ended(home):
    rows = list(other_releases.alerts(home))
    before = stored(rows)
    assert alerts.evaluate(Scope.whole(home, "a test"), {}, timezone.now()) == ()
    assert stored(rows) == before


def test_pages_say_that_rows_are_of_another_release(home, client):
    rows = [row for plant in QUEUES.values() if callable(plant) for row in plant(home)]
    rows += other_releases.alerts(home)
    pages = [reverse(name, args=[home.key]) for name in ("reports:saved", "dashboards:alerts")]
    pages += [reverse("account:baselines", args=[home.key])]
    pages += [row.get_absolute_url() for row in rows if isinstance(row, Job | ApprovalRequest)]
    for page in pages:
        answer = client.get(page)
        assert answer.status_code == 200, page
        assert "ade by another release of Switchboard" in text_of(answer.text), page
    baseline = Baseline.objects.get(kind=other_releases.NEXT)
    address = reverse("account:baseline", args=[home.key, baseline.pk])
    assert client.get(address).status_code == 404


Three = Callable[[Connection], list[DueRow]]


def _three_baselines(home):
    own = {"connection": home, "owner": home.owner, "kind": "sub-accounts"}
    return [Baseline.objects.create(name=name, **own) for name in "abc"]


def _three_rules(home):
    own = {"connection": home, "owner": home.owner, "is_active": True}
    return [RetentionRule.objects.create(older_than=days, **own) for days in (30, 60, 90)]


def _three_notices(home):
    rule = RetentionRule.objects.create(
        older_than=30, connection=home, owner=home.owner, is_active=True, notice_days=7
    )
    return [rule.notices.create(host_id=name, host_email=name) for name in "abc"]


def _three_reports(home):
    due = {"next_at": timezone.now(), "frequency": "daily", "file": "csv", "slug": "daily"}
    own = {"connection": home, "owner": home.owner, **due}
    return [SavedReport.objects.create(name=name, **own) for name in "abc"]


def _three_countings(home):
    return [SeatCounting.objects.create(connection=one) for one in _three_homes(home)]


def _three_account_changes(home):
    user = User.objects.create(email="cy@example.com", name="Cy")
    own = {"user": user, "asked_by": home.owner, "due_at": timezone.now()}
    return [AccountChange.objects.create(kind=kind, **own) for kind in ChangeKind]


# Of each queue of due rows: three of them, what works on one, and where they are shown.
DUE: dict[str, tuple[Three, object, str, str]] = {
    "account.begin_check": (_three_baselines, baselines, "_begin", "account:baseline"),
    "recordings.run_rule": (_three_rules, retention, "_run", "recordings:retention"),
    "recordings.send_notice": (_three_notices, notices, "_send", "recordings:retention-rule"),
    "reports.begin": (_three_reports, schedule, "begin_run", "reports:saved"),
    "people.count_licences": (_three_countings, plans, "count_today", "people:licences-facts"),
    "team.change_account": (_three_account_changes, waiting, "carry_out", "team:member"),
}


def _three_homes(home):
    others = [Connection(owner=home.owner, name=n, base_url=home.base_url) for n in "bc"]
    for other in others:
        other.save()
    return [home, *others]


def _three_sessions(home):
    for number in "123":
        rereading.request_reread(home, "meetings", number)


def _three_subscriptions(home):
    for one in _three_homes(home):
        subscribed(one)


def _three_runs(home):
    for saved in _three_reports(home):
        schedule.begin_run(saved, timezone.now())


# What goes through many rows in one task, or in one sweep: three rows, what works on one, the task.
LOOPS: dict[
    str, tuple[Callable[[Connection], object], Any, str, Callable[[Connection], object]]
] = {
    "sessions.reread": (_three_sessions, rereading, "_read", lambda home: reread(home.pk)),
    "mirror.check_webhooks": (_three_subscriptions, gaps, "check", lambda _: gaps.check_all()),
    "mirror.keep_loaded": (_three_homes, loading, "_viewed_due", lambda _: loading.load_due()),
    "reports.begin": (_three_reports, schedule, "is_allowed", lambda _: SCHEDULES.before_sweep()),
    "reports.send": (_three_runs, schedule, "_go_on", lambda _: work_off(schedule.RUNS)),
}


@pytest.mark.parametrize("task", LOOPS)
def test_fault_of_one_row_ends_no_loop(home, task, monkeypatch):
    plant, module, name, run = LOOPS[task]
    plant(home)
    begun: list[object] = []

    def act(*row):
        begun.append(row)
        if len(begun) == 1:
            raise RuntimeError("A fault")
        return {"reports.send": None, "mirror.keep_loaded": []}.get(task, True)  # no later time

    monkeypatch.setattr(module, name, act)
    monkeypatch.setattr(module, "api_for", lambda _scope: None, raising=False)
    run(home)
    assert len(begun) == 3
    if task == "reports.send":
        assert "fault of Switchboard" in ReportRun.objects.get(state=RunState.FAILED).reason


def test_each_queue_of_due_rows_is_named():
    due = {task for task, one in queue._queues.items() if issubclass(one.model, DueRow)}
    assert due == set(DUE)


@pytest.mark.parametrize("task", DUE)
def test_fault_of_one_row_is_its_own(home, client, task, monkeypatch):
    three, module, name, url_name = DUE[task]
    own: WorkQueue[Any] = queue._queues[task]
    rows = three(home)
    done: list[object] = []
    faulty = rows[0].connection if task == "people.count_licences" else rows[0]

    def act(row, *_):
        if row == faulty and not is_mended:
            raise RuntimeError("A fault")
        done.append(row)
        return True

    is_mended = False
    monkeypatch.setattr(module, name, act)
    work_off(own)
    assert len(done) == 2
    failed = own.model._default_manager.exclude(failure="").get()
    assert failed.pk == rows[0].pk
    args = [home.key, failed.pk] if task == "account.begin_check" else [home.key]
    if task == "team.change_account":
        args = [failed.user_id]
    if task == "recordings.send_notice":
        args = [home.key, failed.rule_id]
    shown = client.get(reverse(url_name, args=args), headers={"HX-Request": "true"}).text
    assert "A fault of Switchboard ended this." in text_of(shown)
    is_mended = True
    own.model._default_manager.filter(pk=failed.pk).update(
        leased_until=timezone.now() - timedelta(seconds=1)
    )
    app.tasks[task](failed.pk)
    assert done[-1] == faulty
    assert not own.model._default_manager.exclude(failure="").exists()
