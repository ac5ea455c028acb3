"""Jobs carried out in the test's own process, as a worker would."""

import time
from collections.abc import Callable

import pytest

from portal.access.http import Origin
from portal.jobs import running, services
from portal.jobs.leases import JOBS
from portal.jobs.models import Job, JobState
from portal.jobs.planner import plan

Work = Callable[[Job], Job]
_TIMEOUT = 60.0


def approve(job: Job) -> None:
    """Has the job's owner, who proved lately who they are, approve the plan as it is now."""
    seen = services.plan_version(job)
    services.approve(job, Origin(job.owner), seen=seen, reauthenticated=lambda: True)


def _check_words_of_plan(job: Job) -> None:
    """Checks that the notices and problems of a plan are phrases, for readers of all languages."""
    if job.kind.startswith("tests."):
        return
    job = Job.objects.get(pk=job.pk)
    plain = [words for _tone, words in job.notes if words not in job.words]
    for item in job.items.exclude(problems=[]):
        plain += [words for _heading, words in item.problems if words not in item.words]
    assert plain == [], "put together by an f-string, or by `str.join`"


@pytest.fixture
def work(db: None) -> Work:
    """`work(job)` plans or runs a job until it needs a person, and returns it as it then is."""

    def until_it_rests(job: Job) -> Job:
        deadline = time.monotonic() + _TIMEOUT
        while time.monotonic() < deadline:
            taken = JOBS.acquire(job.pk)
            if taken is None:
                break
            if taken.state == JobState.PLANNING:
                plan(taken)
                _check_words_of_plan(taken)
            else:
                running.run(taken, _TIMEOUT)
        return Job.objects.get(pk=job.pk)

    return until_it_rests
