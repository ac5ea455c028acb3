"""Starts checks of baselines: every night, and on request."""

from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from portal.access.origin import Origin
from portal.account.jobs.baseline_check import BASELINE, CheckBaselineJob
from portal.account.jobs.baseline_restore import jobs_of, obstacle
from portal.account.models import Baseline
from portal.account.services.subjects import KINDS, PEOPLE
from portal.config import clock
from portal.config.celery import enqueue
from portal.directory.users import USERS
from portal.directory.users import state_of as state_of_people
from portal.jobs import services
from portal.jobs.models import OPEN, Job, JobState
from portal.mirror.refresh import STALE_AFTER, request_refresh
from portal.translation import gettext as _
from portal.translation import gettext_lazy, in_language_of, lazily

TASK = "account.check_baselines"
_HOUR = 2  # at night, in the portal's time zone
_KEPT = 10  # checks of a baseline
_WAITING = gettext_lazy("Waiting for the list of people to be loaded.")
_log = structlog.get_logger(__name__)


def ask(baseline: Baseline) -> None:
    """Wants a check as soon as it can be; the scheduler begins it if nobody else does."""
    Baseline.objects.filter(pk=baseline.pk).update(wanted_at=clock.now())
    transaction.on_commit(lambda: enqueue(TASK))


def run_due(now: datetime | None = None) -> int:
    """Begins the checks that are wanted, or due this night. Returns how many."""
    night = last_night(now or clock.now())
    due = Q(is_active=True) & (Q(begun_at=None) | Q(begun_at__lt=night))
    wanted = Baseline.objects.filter(due | Q(wanted_at__isnull=False))
    begun = 0
    for one in wanted.select_related("owner", "connection__owner"):
        with in_language_of(one.owner):
            begun += _begin(one)
    return begun


def last_night(now: datetime) -> datetime:
    """The last time that it was time for the checks of the night."""
    local = timezone.localtime(now, timezone.get_default_timezone())
    tonight = local.replace(hour=_HOUR, minute=0, second=0, microsecond=0)
    return tonight if tonight <= local else tonight - timedelta(days=1)


def _begin(baseline: Baseline) -> bool:
    words = obstacle(baseline, KINDS[baseline.kind].reading)
    if not words and _waits(baseline):
        return False
    with transaction.atomic():
        # One process alone finds it as it was.
        own = Baseline.objects.filter(
            pk=baseline.pk, begun_at=baseline.begun_at, wanted_at=baseline.wanted_at
        )
        outcome = words or _("Checking.")
        if not own.update(begun_at=clock.now(), wanted_at=None, outcome=outcome):
            return False
        if words:
            _log.warning("baseline not checked", baseline=baseline.pk, reason=words)
            return False
        _forget_old(baseline)
        job = services.draft(
            Origin(baseline.owner, email=baseline.owner.email),
            baseline.connection,
            CheckBaselineJob.name,
            lazily(lambda: _("Check baseline %(baseline)s") % {"baseline": baseline}),
            parameters={BASELINE: baseline.pk, "kind": baseline.kind},
        )
        Baseline.objects.filter(pk=baseline.pk).update(job=job)
    return True


def _waits(baseline: Baseline) -> bool:
    """Returns whether a check has to wait for the one before, or for the list of people."""
    for job in jobs_of(baseline, CheckBaselineJob.name).filter(state__in=OPEN):
        if job.state != JobState.PAUSED:
            return True
        services.cancel(job, Origin())
    if baseline.kind != PEOPLE.name:
        return False
    state = state_of_people(baseline.connection)
    if not state.is_older_than(STALE_AFTER):
        return False
    if not state.is_wanted:
        request_refresh(baseline.connection, USERS)
    words = f"{_WAITING} {state.failure}" if state.failure else _WAITING
    Baseline.objects.filter(pk=baseline.pk).exclude(outcome=words).update(outcome=words)
    return True


def _forget_old(baseline: Baseline) -> None:
    """Keeps the last checks alone: each has a row for everybody."""
    older = jobs_of(baseline, CheckBaselineJob.name).exclude(state__in=OPEN)
    keys = list(older.values_list("pk", flat=True)[_KEPT - 1 :])
    Job.objects.filter(pk__in=keys).delete()
