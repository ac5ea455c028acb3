"""Celery tasks of the account app."""

from portal.account.jobs import baseline_schedule
from portal.config.celery import app


@app.task(name=baseline_schedule.TASK)
def check_baselines() -> None:
    """Has the baselines checked that are due, or that somebody wants checked."""
    baseline_schedule.run_due()
