"""Celery tasks of the account app."""

from portal.account.baselines import jobs
from portal.config.celery import app


@app.task(name=jobs.TASK)
def check_baselines() -> None:
    """Has the baselines checked that are due, or that somebody wants checked."""
    jobs.run_due()
