"""The sweep, which the scheduler calls for each queue, and mails."""

from portal.config.celery import app
from portal.work import outbox, queue


@app.task(name="work.sweep")
def sweep(task: str) -> None:
    """Wakes workers for rows whose message was lost, whose worker died, or that are due."""
    queue.sweep(task)


@app.task(name="work.mail")
def mail(pk: int) -> None:
    """Sends a mail that waits."""
    outbox.deliver(pk)
