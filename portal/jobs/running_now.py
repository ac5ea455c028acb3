"""The running jobs of a connection, in few words, for the top bar of every page."""

from dataclasses import dataclass

from portal.access.models import Connection
from portal.jobs.filters import begun_by_people
from portal.jobs.job_summary import JobSummary, job_summaries
from portal.jobs.models import WORKED_ON

_MANY = 5


@dataclass(frozen=True)
class RunningNow:
    """`first` is the one that runs alone; from `keys` a later answer sees what has ended since."""

    count: int
    first: JobSummary | None
    keys: str


def running_now(connection: Connection) -> RunningNow:
    running = begun_by_people(connection).filter(state__in=WORKED_ON)
    if not running.exists():  # as on most pages, and asked in a fraction of the time
        return RunningNow(0, None, "")
    jobs = list(running[:_MANY])
    count = len(jobs)
    if count == _MANY:
        count = running.count()
    return RunningNow(
        count,
        job_summaries(jobs)[0] if count == 1 else None,
        ",".join(job.key for job in jobs),
    )
