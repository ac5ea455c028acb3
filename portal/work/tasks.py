"""The sweep, which the scheduler calls for each queue."""

from portal.config.celery import app
from portal.work import queue


@app.task(name="work.sweep")
def sweep(task: str) -> None:
    """Wakes workers for rows whose message was lost, whose worker died, or that are due."""
    queue.sweep(task)
