"""Lines of the log tell whose they are: of a job, of its items, and of a task."""

import logging

import pytest
import structlog
from django_structlog.celery.receivers import CeleryReceiver

from portal.config import celery  # noqa: F401 - names tasks in their lines
from portal.jobs.models import Job
from tests.support.job_runs import addresses, approved


@pytest.fixture
def calls(caplog):
    """Returns a function that returns the lines of calls by now."""
    caplog.set_level(logging.INFO)

    def of(operation):
        events = [record.msg for record in caplog.records if isinstance(record.msg, dict)]
        return [
            event
            for event in events
            if event["event"] == "call" and event["operation"] == operation
        ]

    return of


@pytest.mark.django_db
def test_each_call_of_a_job_names_it_its_item_and_request(connection, work, calls):
    job = approved(connection, addresses(6), work)
    Job.objects.filter(pk=job.pk).update(request_id="the-approval")
    assert work(job).state == "done"
    lines = calls("users.create")
    assert {(line["job"], line["request_id"]) for line in lines} == {(job.key, "the-approval")}
    numbers = job.items.values_list("number", flat=True)
    assert sorted(line["item"] for line in lines) == sorted(numbers)
    assert structlog.contextvars.get_contextvars() == {}


def test_lines_of_a_task_name_it_and_its_row():
    receiver = CeleryReceiver()

    class Request:
        args = [41]

    class Task:
        name, request = "work.mail", Request()

    try:
        receiver.receiver_task_prerun("an-id", Task())
        bound = structlog.contextvars.get_contextvars()
        assert (bound["task"], bound["row"]) == ("work.mail", 41)
        headers = {}
        receiver.receiver_before_task_publish(headers=headers)
        assert headers["__django_structlog__"] == {"parent_task_id": "an-id"}
    finally:
        structlog.contextvars.clear_contextvars()
