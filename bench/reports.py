"""`make bench-report`: six months of a report read by a job, beside a serial loop.

The service is 100 ms away and gives calls in pages of 30, so that latency counts and not how fast
two cores read JSON. Memory is that of the worker while it reads pages of 300, and of a process that
writes the same rows as XLSX.
"""

import argparse
import resource
import subprocess
import sys
import time
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from bench import portal, servers
from bench.command import Options, finish, say
from bench.portal import Worker
from bench.servers import ROOT, Server

_DAYS = 182
_LOOK = 0.1
_TIMEOUT = 1800.0


def main() -> None:
    given = _arguments()
    if given.xlsx:
        _write(given.xlsx)
        return
    with TemporaryDirectory() as made:
        portal.configure(Path(made), JOB_THREADS=str(given.threads))
        with portal.working() as worker:
            data = _beside_serial(given, worker)
            for name, rows in (("small", given.small), ("large", given.large)):
                data |= _memory(name, rows, worker)
    finish(data)


def _arguments() -> argparse.Namespace:
    parser = Options(
        "report", __doc__, calls=400, serial_pages=3, latency_ms=5, small=200, large=400
    )
    parser.add_argument("--calls", type=int, default=60_000, help="rows of six months")
    parser.add_argument("--page", type=int, default=30, help="rows that the service gives at once")
    parser.add_argument("--serial-pages", type=int, default=100, help="pages of the serial loop")
    parser.add_argument("--latency-ms", type=int, default=100, help="of the service")
    parser.add_argument("--threads", type=int, default=20, help="requests in flight")
    parser.add_argument("--small", type=int, default=10_000, help="rows of the first memory")
    parser.add_argument("--large", type=int, default=500_000, help="rows of the second")
    parser.add_argument("--xlsx", default="", help=argparse.SUPPRESS)
    return parser.given()


def _service(rows: int, page: int, latency_ms: int) -> AbstractContextManager[Server]:
    words = (max(rows // _DAYS, 1), page, latency_ms)
    return servers.stand_in("bench.call_service", *words)


def _range() -> tuple[date, date]:
    today = datetime.now(UTC).date()
    return today - timedelta(days=_DAYS - 1), today


def _beside_serial(given: argparse.Namespace, worker: Worker) -> dict[str, Any]:
    with _service(given.calls, given.page, given.latency_ms) as service:
        serial = _serial(service, given.serial_pages)
        seconds, rows = _job(portal.connect(service), worker)
    job = rows / given.page / seconds
    limit = given.threads / (given.latency_ms / 1000)
    return {
        "rows": rows,
        "serial_pages_a_second": round(serial, 1),
        "job_pages_a_second": round(job, 1),
        "ratio": round(job / serial, 1),
        "share_of_limit": round(job / limit, 3),
    }


def _serial(service: Server, pages: int) -> float:
    """Measures a plain script: one page after the other, on one connection."""
    first, last = _range()
    with httpx.Client(timeout=30) as client:
        begun = time.perf_counter()
        for number in range(1, pages + 1):
            asked: dict[str, Any] = {
                "from": str(first),
                "to": str(last),
                "page_size": 300,
                "page_number": number,
            }
            url = f"http://127.0.0.1:{service.port}/v2/report/telephone"
            client.get(url, params={**asked, "access_token": "any"}).raise_for_status()
        return pages / (time.perf_counter() - begun)


def _memory(name: str, rows: int, worker: Worker) -> dict[str, Any]:
    with _service(rows, 300, 0) as service:
        key = portal.connect(service)
        worker.peak = 0.0
        seconds, read = _job(key, worker)
    ran = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "bench.reports", "--xlsx", key],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return {
        f"peak_mb_{name}": worker.peak,
        f"xlsx_peak_mb_{name}": float(ran.stdout.split()[-1]),
        f"rows_{name}": read,
        f"seconds_{name}": round(seconds, 1),
    }


def _job(key: str, worker: Worker) -> tuple[float, int]:
    """Seconds from the wish to the end, and how many rows are kept then."""
    from portal.access.grants import scope_of  # noqa: PLC0415 - models need the setup
    from portal.access.http import Origin  # noqa: PLC0415
    from portal.access.models import Connection  # noqa: PLC0415
    from portal.jobs.models import OPEN, Job, JobState  # noqa: PLC0415
    from portal.reports.services.fetching import request_reading  # noqa: PLC0415
    from portal.reports.services.rows import gaps, rows_of  # noqa: PLC0415

    connection = Connection.objects.get(key=key)
    wanted = _window()
    begun = time.perf_counter()
    job = request_reading(connection, Origin(connection.owner), [wanted])
    while (job := Job.objects.get(pk=job.pk)).state in OPEN:
        worker.look()
        time.sleep(_LOOK)
        if job.state == JobState.PAUSED or time.perf_counter() - begun > _TIMEOUT:
            raise RuntimeError(f"The job is {job.state}: {job.reason}{job.trouble}")
    seconds = time.perf_counter() - begun
    if job.state != JobState.DONE or gaps(connection, wanted):
        raise RuntimeError(f"The job is {job.state}, and days are missing.")
    return seconds, rows_of(scope_of(connection.owner, connection), wanted).count()


def _window() -> Any:
    from portal.reports.services.fetching import (  # noqa: PLC0415 - models need the setup
        ReportWindow,
    )
    from portal.reports.services.sources import TELEPHONE  # noqa: PLC0415
    from portal.reports.windows import Span  # noqa: PLC0415

    return ReportWindow(TELEPHONE, Span(*_range()))


def _write(key: str) -> None:
    """Writes all rows of a connection as XLSX, and says the most memory that this took, in MB."""
    import django  # noqa: PLC0415

    django.setup()
    from portal.access.grants import scope_of  # noqa: PLC0415 - models need the setup
    from portal.access.models import Connection  # noqa: PLC0415
    from portal.reports.definitions import REPORTS  # noqa: PLC0415
    from portal.reports.services.rows import rows_of  # noqa: PLC0415
    from portal.ui import exports  # noqa: PLC0415

    connection = Connection.objects.get(key=key)
    table = REPORTS["telephone"].table_class([], connection=connection)
    found = rows_of(scope_of(connection.owner, connection), _window())
    rows = found.order_by("moment", "pk").iterator(chunk_size=2000)
    columns = table.exported(None)
    file = exports.Export(title=key, name=key, what="", columns=columns, rows=rows, count=0)
    exports.as_xlsx(file, {}).close()
    say(str(round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3, 1)))


if __name__ == "__main__":
    main()
