"""Celery tasks that run jobs."""

from celery.signals import worker_shutting_down

from portal.config.celery import app
from portal.jobs import export, running
from portal.jobs.job_types import following_names
from portal.jobs.leases import JOBS
from portal.jobs.models import JobState
from portal.jobs.planner import plan

# Seconds of work on a job, after which another job of a busy worker has its turn.
_STRETCH = 20.0
_FOLLOWING_STRETCH = 0.5  # the same of a job that follows work done elsewhere, swept again later


@app.task(name="jobs.work_on")
def work_on(job_id: int) -> None:
    """Plans or runs a job, unless another worker has it."""
    job = JOBS.acquire(job_id)
    if job is None:
        return
    if job.state == JobState.PLANNING:
        plan(job)
    elif job.kind in following_names():
        running.run(job, _FOLLOWING_STRETCH)
    elif running.run(job, _STRETCH):
        JOBS.wake(job.pk)


@app.task(name="jobs.erase_secrets")
def erase_secrets() -> None:
    export.erase_secrets()


@worker_shutting_down.connect
def _stop_soon(**_kwargs: object) -> None:
    """Lets the items that are under way end, and leaves the others to the next worker."""
    running.stopping.set()
