"""The worker's side of recordings."""

from portal.config.celery import app
from portal.recordings.jobs.reading import READING


@app.task(name="recordings.keep_fresh")
def keep_recordings_fresh() -> None:
    """Has recordings read anew that are looked at, and old."""
    READING.keep_fresh()
