"""All that a user has set up runs on, after their share was limited or has ended, without a name of
people outside: in mails and their files, in jobs, and on the pages about them."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core import mail

from portal.access.models import Share
from portal.access.roles import Role
from portal.account.models import Baseline
from portal.config import celery
from portal.jobs.models import Job, JobItem
from portal.mirror.models import MirrorState
from portal.recordings.mirror import state_of
from portal.recordings.models import MirroredRecording, RetentionRule
from portal.reports.models import ReportRun, SavedReport
from tests.access.planted import text_of_file
from tests.connections.limits import (
    changed,
    to_a_viewer,
    to_meetings_of_the_department,
    to_the_department,
    to_the_group,
)

pytestmark = [pytest.mark.django_db, pytest.mark.deep, pytest.mark.timeout(1800)]

_ROUNDS = 12  # of tasks that lead to others
Tick = Callable[[], int]


@pytest.fixture
def tick(monkeypatch, django_capture_on_commit_callbacks):
    """Runs all that the scheduler calls, and what workers are sent by it, until nothing comes any
    more. Returns how many tasks ran."""
    celery.app.loader.import_default_modules()

    def run():
        sent: list[tuple[str, Any]] = []
        monkeypatch.setattr(
            celery.app, "send_task", lambda name, args=(), **_: sent.append((name, args))
        )
        entries = celery.app.conf.beat_schedule.values()
        sent.extend((entry["task"], entry.get("args", ())) for entry in entries)
        ran = 0
        for _ in range(_ROUNDS):
            now, sent[:] = list(dict.fromkeys(sent)), []
            for name, args in now:
                with django_capture_on_commit_callbacks(execute=True):
                    celery.app.tasks[name](*args)
                ran += 1
        return ran

    return run


def set_up(share, both):
    """Makes a report, a baseline that is restored and a retention rule, all of them for all people
    and due."""
    connection, owner = share.connection, share.user
    due = datetime.now(UTC) - timedelta(minutes=1)
    given = {"connection": connection, "owner": owner}
    for slug in ("hosts", "inactive", "telephone"):
        SavedReport.objects.create(
            name=f"Of all: {slug}", slug=slug, file="csv", frequency="daily", next_at=due, **given
        )
    values = {"in_meeting.chat": True}
    Baseline.objects.create(name="Of all", kind="people", values=values, brings_back=True, **given)
    RetentionRule.objects.create(older_than=1, is_active=True, **given)
    old = datetime.now(UTC) - timedelta(days=200)
    MirroredRecording.objects.filter(uuid__in=[one.recording for one in both]).update(
        start_time=old
    )
    state_of(connection)
    MirrorState.objects.filter(connection=connection).update(refreshed_at=datetime.now(UTC))


def of_mails(mails, to):
    """Yields all mails to an address, with their files."""
    for one in mails:
        if to in one.recipients():
            yield f"{one.subject}\n{one.body}"
            yield from (str(html) for html, _kind in getattr(one, "alternatives", ()))
            yield from (text_of_file(content) for _name, content, _kind in one.attachments)


def of_jobs(share):
    """All that jobs of theirs hold in words."""
    for job in Job.objects.filter(owner=share.user):
        yield f"{job.kind} {job.title} {job.reason} {job.parameters} {job.notes}"
        for item in JobItem.objects.filter(job=job):
            yield f"{item.label} {item.object_id} {item.data} {item.changes} {item.message}"
    for rule in (*RetentionRule.objects.filter(owner=share.user), *Baseline.objects.all()):
        yield rule.outcome
    for run in ReportRun.objects.filter(saved__owner=share.user):
        yield f"{run.reason} {run.rows}"
    for baseline in Baseline.objects.filter(owner=share.user):
        yield from (f"{one.subject_id} {one.subject}" for one in baseline.drifts.all())


def to_an_end(share, inside):
    """After a limit: an administrator who has had all of it goes on seeing the trail."""
    changed(share, to_the_department, inside)
    Share.objects.filter(pk=share.pk).delete()


CHANGES = (to_the_department, to_the_group, to_meetings_of_the_department, to_an_end)


@pytest.mark.parametrize("change", CHANGES)
def test_what_runs_after_a_change_names_nobody_outside(walk, share, both, tick, change):
    inside, outside = both
    set_up(share, both)
    if change is to_an_end:
        to_an_end(share, inside)
    else:
        changed(share, change, inside)
    mail.outbox.clear()
    assert tick() > len(celery.app.conf.beat_schedule)
    strangers = outside.names if change is not to_an_end else [*outside.names, *inside.names]
    mailed = list(of_mails(mail.outbox, share.user.email))
    said = [*mailed, *of_jobs(share)]
    assert [text[:300] for text in said if any(name in text for name in strangers)] == []
    if change in (to_the_department, to_the_group):
        assert any(inside.email in text for text in mailed)
    assert list(walk.leaks(both, strangers, takes_forms=False)) == []


def test_nothing_runs_for_a_role_that_allows_none_of_it(share, both, tick):
    """Rules of a user who only reads by now do nothing any more."""
    set_up(share, both)
    changed(share, to_a_viewer, both[0])
    assert share.role == Role.VIEWER
    tick()
    assert not Job.objects.filter(owner=share.user, kind__startswith="recordings.").exists()
    restored = Job.objects.filter(owner=share.user, kind__contains="restore")
    assert not restored.exists()
