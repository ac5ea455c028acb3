"""The worker's side of sessions."""

from portal.celery import app
from portal.sessions.jobs.reading import keep_fresh


@app.task(name="sessions.keep_fresh")
def keep_sessions_fresh() -> None:
    """Has sessions read anew that are looked at, and old."""
    keep_fresh()
