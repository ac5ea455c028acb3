"""Celery tasks of the recordings app."""

from portal.config.celery import app
from portal.recordings.jobs import retention
from portal.recordings.jobs.reading import READING


@app.task(name="recordings.keep_fresh")
def keep_recordings_fresh() -> None:
    """Has recordings read again that are looked at, and old."""
    READING.keep_fresh()


@app.task(name="recordings.run_retention")
def run_retention() -> None:
    """Has the retention rules carried out that are due."""
    retention.run_due()
