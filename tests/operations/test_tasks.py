"""Tasks are called by their names: each name that is called is that of a task."""

import pytest
from kombu.exceptions import OperationalError

from portal.access.http import Origin
from portal.config import celery
from portal.directory.users import USERS
from portal.jobs import services
from portal.sessions.rereading import request_reread
from tests.support.job_types import CreatePeople


@pytest.fixture
def tasks():
    """The names of all tasks, as a worker knows them."""
    celery.app.loader.import_default_modules()
    return set(celery.app.tasks)


def test_every_task_that_the_scheduler_calls_is_there(tasks):
    scheduled = {entry["task"] for entry in celery.app.conf.beat_schedule.values()}
    assert scheduled
    assert scheduled <= tasks


def test_every_task_that_the_portal_calls_is_there(
    tasks, faulty, monkeypatch, django_capture_on_commit_callbacks
):
    called: list[str] = []
    monkeypatch.setattr(celery.app, "send_task", lambda name, *_, **__: called.append(name))
    with django_capture_on_commit_callbacks(execute=True):
        services.draft(Origin(faulty.owner), faulty, CreatePeople.name, "Enqueued")
        USERS.request(faulty)
        request_reread(faulty, "meetings", "111")
    assert len(called) == 3
    assert set(called) <= tasks


def test_a_broker_that_is_away_costs_a_line_in_the_log(monkeypatch, caplog):
    def refuse(*_, **__):
        raise OperationalError("nobody there")

    monkeypatch.setattr(celery.app, "send_task", refuse)
    celery.enqueue("jobs.work_on", 1)
    assert "the broker did not take a message" in caplog.text
