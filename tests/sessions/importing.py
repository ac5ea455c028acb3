"""Sends tables of sessions as people do: the table, what its columns mean, and the job's plan."""

import csv
import io
from typing import Any

from portal.directory.colleagues import Colleague
from portal.jobs.models import Job, JobState
from portal.sessions.specs import SessionSpec
from tests.support.html import Form, form_with, text_of
from tests.support.jobs import Work, approve
from tests.support.session_pages import Planner


def as_csv(*rows: dict[str, str]) -> str:
    """Rows as CSV; their keys are the columns."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    written = io.StringIO()
    writer = csv.DictWriter(written, names, restval="")
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue()


def row_of(host: Colleague, **more: str) -> dict[str, str]:
    """A new session with all that the sample account asks for."""
    start = {"start_time": "2038-03-01 09:00", "timezone": "Europe/Berlin", "duration": "45"}
    filled = {"tracking:Cost centre": "4711"}
    return {"host": host.email, "topic": "Budget review", **start, **filled, **more}


def take_in(planner: Planner, spec: SessionSpec, **sent: Any) -> Form:
    """The page that asks for the columns, for what was sent to the one before."""
    taken = planner.client.post(planner.url(spec, "import"), sent)
    assert taken.status_code == 303, text_of(taken.text)
    return form_with(planner.get(taken["Location"]), "column_0")


def send(planner: Planner, spec: SessionSpec, **sent: Any) -> Job:
    """The job that is begun with a table whose columns mean what they are recognised as."""
    return begun(planner, take_in(planner, spec, **sent))


def begun(planner: Planner, form: Form, **more: str) -> Job:
    """The job that the page about columns begins, once however often it is sent."""
    first, second = (planner.client.post(form.action, form.values | more) for _ in range(2))
    assert first.status_code == 303, text_of(first.text)
    assert second["Location"] == first["Location"], "a second click began a second job"
    return Job.objects.get(key=first["Location"].rstrip("/").rpartition("/")[2])


def planned(planner: Planner, spec: SessionSpec, work: Work, *rows: dict[str, str]) -> Job:
    """The same with its plan made."""
    job = work(send(planner, spec, text=as_csv(*rows)))
    assert job.state == JobState.PLANNED, job.reason
    return job


def carried_out(job: Job, work: Work) -> Job:
    """The job once it was approved and has ended."""
    approve(job)
    job = work(job)
    assert job.state == JobState.DONE
    return job
