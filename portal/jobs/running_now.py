"""The running jobs of a connection, in few words, for the top bar of every page."""

from dataclasses import dataclass

from portal.access.scope import Scope
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


def running_now(scope: Scope) -> RunningNow:
    running = begun_by_people(scope).filter(state__in=WORKED_ON)
    # Asked with every page, most of which have none: so jobs themselves are read for one alone.
    keys = list(running.values_list("key", flat=True)[:_MANY])
    count = len(keys) if len(keys) < _MANY else running.count()
    alone = job_summaries(running.filter(key=keys[0])) if count == 1 else []
    return RunningNow(count, next(iter(alone), None), ",".join(keys))
