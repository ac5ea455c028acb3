"""Tasks are called by their names: each name that is called is that of a task."""

import pytest
from kombu.exceptions import OperationalError
from pytest_django import DjangoCaptureOnCommitCallbacks

from portal.access.http import Origin
from portal.access.models import Connection
from portal.config import celery
from portal.directory.users import USERS
from portal.jobs import services
from portal.sessions.models import SessionKind
from portal.sessions.rereading import request_reread
from tests.support.job_types import CreatePeople


@pytest.fixture
def tasks() -> set[str]:
    """The names of all tasks, as a worker knows them."""
    celery.app.loader.import_default_modules()
    return set(celery.app.tasks)


def test_every_task_that_the_scheduler_calls_is_there(tasks: set[str]):
    scheduled = {entry["task"] for entry in celery.app.conf.beat_schedule.values()}
    assert scheduled
    assert scheduled <= tasks


def test_every_task_that_the_portal_calls_is_there(
    tasks: set[str],
    faulty: Connection,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
):
    called: list[str] = []
    monkeypatch.setattr(celery.app, "send_task", lambda name, *_, **__: called.append(name))
    with django_capture_on_commit_callbacks(execute=True):
        services.draft(Origin(faulty.owner), faulty, CreatePeople.name, "Enqueued")
        USERS.request(faulty)
        request_reread(faulty, SessionKind.MEETING, "111")
    assert len(called) == 3
    assert set(called) <= tasks


def test_a_broker_that_is_away_costs_a_line_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    def refuse(*_: object, **__: object) -> None:
        raise OperationalError("nobody there")

    monkeypatch.setattr(celery.app, "send_task", refuse)
    celery.enqueue("jobs.work_on", 1)
    assert "the broker did not take a message" in caplog.text
