"""Celery tasks of connections."""

from portal.config.celery import app
from portal.connections.services import checking, ending


@app.task(name=checking.TASK)
def check_connection(check_pk: int, run: str) -> None:
    """Calls each family of operations once, for the check of a connection."""
    checking.carry_out(check_pk, run)


@app.task(name="connections.end_shares")
def end_shares() -> None:
    """Has the shares whose time is over taken away, and reminders sent."""
    ending.sweep()


@app.task(name=ending.TASK)
def end_share(pk: int) -> None:
    """Takes away a share whose time is over, or reminds of its end."""
    ending.end_or_remind(pk)
