"""Celery tasks of the reports app."""

from portal.config.celery import app
from portal.reports import schedule
from portal.reports.services import storing


@app.task(name="reports.prune")
def prune() -> None:
    """Deletes what readings left behind that did not end."""
    storing.prune()


@app.task(name="reports.begin")
def begin(saved_id: int) -> None:
    """Begins a run of a saved report that is due."""
    schedule.begin(saved_id)


@app.task(name="reports.send")
def send(run_id: int) -> None:
    """Goes on with a run until it is sent."""
    schedule.send(run_id)
