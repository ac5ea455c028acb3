"""The cost of a plan in the limits of the service: its calls, about how long they take, and those
that wait since a limit of a day is used up."""

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from portal.connections.host_days import SCHEDULING, HostDays
from portal.connections.rate_limits import closures_of, rate_limiter_of
from portal.contract import OPERATIONS
from portal.contract.operation import AnyOperation, Weight
from portal.jobs import labels
from portal.jobs.counts import JobCounts
from portal.jobs.job_types import BatchJobType, JobType, job_type_of
from portal.jobs.models import CALLS, ItemState, Job
from portal.translation import gettext as _, ngettext, number

_MOST_HOSTS = 3  # that are shown by name


@dataclass(frozen=True)
class WaitingHost:
    """Host for whom more rows are planned than can be scheduled today."""

    name: str
    rows: int
    used: int


@dataclass(frozen=True)
class JobCost:
    """Cost of a plan: `seconds` is None if no limit is known, `over` counts the calls beyond the
    limit of a day."""

    calls: int
    seconds: float | None
    over: int
    hosts: tuple[WaitingHost, ...]

    @property
    def words(self) -> str:
        """Returns the calls and how long they take: "1,240 calls, about 4 min"."""
        calls = ngettext("%(count)s call", "%(count)s calls", self.calls)
        text = calls % {"count": number(self.calls)}
        if self.seconds is not None and self.seconds >= 1:
            text = _("%(calls)s, %(left)s") % {
                "calls": text,
                "left": labels.left_in_words(self.seconds),
            }
        return text

    @property
    def waiting(self) -> list[str]:
        """Returns sentences about the calls that wait for the next day."""
        sentences = []
        if self.over:
            words = ngettext(
                "%(count)s call waits until 00:00 UTC, since today's limit is used up before.",
                "%(count)s calls wait until 00:00 UTC, since today's limit is used up before.",
                self.over,
            )
            sentences.append(words % {"count": number(self.over)})
        for host in self.hosts[:_MOST_HOSTS]:
            words = ngettext(
                "%(count)s row of %(name)s waits until 00:00 UTC: %(used)s were scheduled for them "
                "today.",
                "%(count)s rows of %(name)s wait until 00:00 UTC: %(used)s were scheduled for them "
                "today.",
                host.rows,
            )
            values = {"name": host.name, "used": number(host.used)}
            sentences.append(words % {"count": number(host.rows), **values})
        if more := self.hosts[_MOST_HOSTS:]:
            words = ngettext(
                "%(count)s row of other hosts waits as well.",
                "%(count)s rows of other hosts wait as well.",
                rows := sum(host.rows for host in more),
            )
            sentences.append(words % {"count": number(rows)})
        return sentences


def cost_of(job: Job, counts: JobCounts) -> JobCost | None:
    """Returns the cost of the items still to be sent; None if there are none."""
    job_type = job_type_of(job)
    calls = _calls(job, job_type, counts.actions(ItemState.PENDING))
    if not calls:
        return None
    pacing = rate_limiter_of(job.connection)
    by_class: Counter[Weight] = Counter()
    for operation, count in calls.items():
        by_class[pacing.weight_of(operation)] += count
    by_limiter: Counter[Any] = Counter()
    for weight, count in by_class.items():
        by_limiter[pacing.of(weight)] += count
    durations = [count / one.rate for one, count in by_limiter.items() if math.isfinite(one.rate)]
    days = closures_of(job.connection).days()
    over = (sum(by_class[weight] for weight in day.weights) - day.left for day in days)
    schedules = any(operation.name in SCHEDULING for operation in calls)
    return JobCost(
        calls.total(),
        max(durations, default=None),
        max([*over, 0]),
        _hosts(job, job_type) if schedules else (),
    )


def _calls(job: Job, job_type: JobType, actions: dict[str, int]) -> Counter[AnyOperation]:
    """Returns the calls by operation; before a change its object is read, for the audit trail."""
    result: Counter[AnyOperation] = Counter()
    batch = job_type.batch if isinstance(job_type, BatchJobType) else 1
    by_row = job.items.filter(state=ItemState.PENDING, data__has_key=CALLS).order_by()
    groups = by_row.values_list("action", f"data__{CALLS}").annotate(rows=Count("pk"))
    alike = Counter(actions)
    for action, calls, rows in groups:
        alike[action] -= rows
        for name, count in calls.items():
            result[OPERATIONS[name]] += rows * count
    for action, rows in alike.items():
        for operation in job_type.calls_of(job, action):
            result[operation] += math.ceil(rows / batch)
    for operation, count in list(result.items()):
        if operation.before is not None:
            result[operation.before] += count
    return Counter({operation: count for operation, count in result.items() if count})


def _hosts(job: Job, job_type: JobType) -> tuple[WaitingHost, ...]:
    """Returns the hosts whose rows cannot all be sent today, those with the most rows first."""
    days, at = HostDays(job.connection), job_type.host_in
    if not at or (days.limit is None and not days.closed()):
        return ()
    pending = job.items.filter(state=ItemState.PENDING).order_by()
    fields = (f"data__{at}__host_id", f"data__{at}__host")
    rows = list(pending.values_list(*fields).annotate(count=Count("pk")))
    used = days.counts([host for host, _name, _count in rows if host])
    closed = {one.host for one in days.closed()}
    results = []
    for host, name, count in rows:
        done = used.get(host, 0)
        left = 0 if host in closed else count if days.limit is None else days.limit - done
        if host and count > max(left, 0):
            results.append(WaitingHost(name or host, count - max(left, 0), done))
    return tuple(sorted(results, key=lambda one: -one.rows))
