"""Scheduler of Celery that may run in any number of processes: one of them leads."""

import time
from contextlib import suppress
from datetime import timedelta
from typing import Any

import structlog
from celery.beat import PersistentScheduler
from django.db import DatabaseError, InterfaceError, connections

from portal.work import leases
from portal.work.models import SchedulerLease

_LEASE = timedelta(seconds=30)  # after which another process leads if the leader is silent
_RENEWED_EVERY = 5.0  # seconds
_log = structlog.get_logger(__name__)


class LeadingScheduler(PersistentScheduler):
    """Scheduler that sends tasks while its process has the lease of the one row of
    `SchedulerLease`. The others wait for it to end, or for the process to die."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lease: SchedulerLease | None = None
        self._asked_at = 0.0

    def tick(self, *args: Any, **kwargs: Any) -> float:
        if not self._leads():
            return _RENEWED_EVERY
        seconds: float = super().tick(*args, **kwargs)
        return min(seconds, _RENEWED_EVERY)

    def close(self) -> None:
        with suppress(DatabaseError, InterfaceError):
            if self._lease:
                leases.release(self._lease)
        super().close()

    def _leads(self) -> bool:
        """Returns whether this process leads. Without a database nothing can be done, and no
        process leads."""
        if self._lease and time.monotonic() < self._asked_at + _RENEWED_EVERY:
            return True
        try:
            before, self._lease = self._lease, self._renewed()
        except (DatabaseError, InterfaceError):
            self._lease = None
            connections.close_all()
            _log.warning("scheduler cannot lead", exc_info=True)
            return False
        if self._lease and not before:
            _log.info("scheduler leads")
        self._asked_at = time.monotonic()
        return self._lease is not None

    def _renewed(self) -> SchedulerLease | None:
        if self._lease:
            try:
                leases.renew(self._lease, _LEASE)
            except leases.LeaseLost:
                return None
            return self._lease
        row, _is_new = SchedulerLease.objects.get_or_create(pk=1)
        if row.lease and leases.is_gone(row.holder):
            leases.release(row)
        return leases.acquire(SchedulerLease.objects.all(), row.pk, _LEASE)
