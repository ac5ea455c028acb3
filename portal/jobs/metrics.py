"""Figures about jobs and their items."""
# untranslated: Prometheus reads these

from collections import Counter as Tally
from collections.abc import Iterable, Iterator

from django.db.models import Count

from portal.config.metrics import Counter, Gauge, Sample
from portal.jobs.models import OPEN, Job, JobItem

ENDED = Counter("switchboard_jobs_ended_total", "Jobs that were carried out", ("kind",))
ITEMS = Counter(
    "switchboard_job_items_total",
    "Items of jobs that ended, by how",
    ("kind", "state"),
)


def items_ended(job: Job, items: Iterable[JobItem]) -> None:
    for state, number in Tally(item.state for item in items).items():
        ITEMS.add(job.kind, str(state), amount=number)


def _open_jobs() -> Iterator[Sample]:
    """By an index, which has the jobs that ended too, and is not asked for them."""
    rows = Job.objects.order_by().filter(state__in=OPEN).values("state").annotate(n=Count("pk"))
    known = {row["state"]: row["n"] for row in rows}
    for state in OPEN:
        yield (state.value,), known.get(state, 0)


OPEN_JOBS = Gauge("switchboard_jobs", "Jobs that have not ended, by state", ("state",), _open_jobs)
