"""Imports as jobs of the portal that is measured."""

import csv
import io
import time
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from bench.portal import Worker

_LOOK = 0.1
_TIMEOUT = 600.0


@dataclass(frozen=True)
class Imported:
    """One job: rows per second from approval to end, failed rows, MB of the worker at the end, and
    the domain of its people."""

    rate: float
    failed: int
    worker_mb: float
    domain: str


class Imports:
    """Jobs that create people over one connection."""

    def __init__(self, key: str, worker: Worker) -> None:
        self._key = key
        self._worker = worker

    def job(self, rows: int) -> Imported:
        return self.end(self.begun(rows))

    def begun(self, rows: int) -> Any:
        """A job that is planned and approved."""
        return self.approved(self.planned(rows))

    def planned(self, rows: int) -> Any:
        """A job that waits for its approval."""
        from portal.jobs.models import JobState  # noqa: PLC0415 - models need the setup

        job = self._drafted(rows)
        self._until(job, JobState.PLANNED)
        return job

    def approved(self, job: Any) -> Any:
        from portal.access.http import Origin  # noqa: PLC0415 - models need the setup
        from portal.jobs import services  # noqa: PLC0415

        services.approve(
            job,
            Origin(job.owner),
            seen=services.plan_version(job),
            reauthenticated=lambda: True,
        )
        return job

    def until_done(self, job: Any, rows: int) -> None:
        """Waits until so many rows of it are done."""
        from portal.jobs.models import ItemState  # noqa: PLC0415

        deadline = time.monotonic() + _TIMEOUT
        while (done := job.items.filter(state=ItemState.DONE).count()) < rows:
            if time.monotonic() > deadline:
                raise RuntimeError(f"{done} rows are done, and {rows} were waited for.")
            time.sleep(_LOOK)

    def end(self, job: Any) -> Imported:
        from portal.jobs.models import ItemState, Job, JobState  # noqa: PLC0415

        self._until(job, JobState.DONE)
        job = Job.objects.get(pk=job.pk)
        seconds = (job.finished_at - job.approved_at).total_seconds()
        items = job.items
        failed = items.exclude(state=ItemState.DONE).count()
        domain = items.first().label.partition("@")[2]
        return Imported(items.count() / seconds, failed, self._worker.look(), domain)

    def _drafted(self, rows: int) -> Any:
        from portal.access.http import Origin  # noqa: PLC0415
        from portal.access.models import Connection  # noqa: PLC0415 - models need the setup
        from portal.imports import sheets  # noqa: PLC0415
        from portal.people.imports.columns import mapping_of, names_in  # noqa: PLC0415
        from portal.people.imports.jobs import draft  # noqa: PLC0415

        domain = f"{uuid4().hex}.example.com"
        written = io.StringIO()
        table = csv.writer(written)
        table.writerow(["email", "type"])
        table.writerows([f"{number}@{domain}", "Basic"] for number in range(rows))
        read = sheets.read(written.getvalue().encode())
        mapping = mapping_of(names_in(read.headers), read.headers)
        connection = Connection.objects.get(key=self._key)
        return draft(Origin(connection.owner), connection, read, mapping)

    def _until(self, job: Any, state: str) -> None:
        from portal.jobs.models import Job, JobState  # noqa: PLC0415 - models need the setup

        stuck = (JobState.UNPLANNABLE, JobState.PAUSED, JobState.CANCELLED)
        deadline = time.monotonic() + _TIMEOUT
        while True:
            current = Job.objects.get(pk=job.pk)
            if current.state == state:
                return
            if current.state in stuck or time.monotonic() > deadline:
                raise RuntimeError(f"The job is {current.state}: {current.reason}{current.trouble}")
            self._worker.look()
            time.sleep(_LOOK)


class NoWorker(Worker):
    """Workers come and go in a fleet: their memory is that of the whole at the end."""

    def __init__(self) -> None:
        self.peak = 0.0

    def look(self) -> float:
        return 0.0
