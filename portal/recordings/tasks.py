"""Celery tasks of the recordings app."""

from portal.config.celery import app
from portal.recordings.jobs import retention


@app.task(name="recordings.run_retention")
def run_retention() -> None:
    """Has the retention rules carried out that are due."""
    retention.run_due()
