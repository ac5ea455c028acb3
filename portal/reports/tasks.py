"""The worker's side of reports."""

from portal.config.celery import app
from portal.reports.services import keeping


@app.task(name="reports.prune")
def prune() -> None:
    """Deletes what readings left behind that did not end."""
    keeping.prune()
