"""`make bench-import`: people imported by a job, beside the serial script that many write."""

import argparse
import csv
import io
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import httpx

from bench import portal, servers
from bench.portal import Worker
from bench.sandbox import say
from bench.servers import Server

_LOOK = 0.2
_PATIENCE = 1800.0


@dataclass(frozen=True)
class Imported:
    """One job: rows per second from approval to end, failed rows, MB of the worker at the end."""

    rate: float
    failed: int
    worker_mb: float


def main() -> None:
    given = _arguments()
    told: dict[str, Any] = {}
    with TemporaryDirectory() as made:
        portal.configure(Path(made), JOB_THREADS=str(given.threads))
        with portal.working() as worker:
            with _service(Path(made, "slow"), f"--latency-ms={given.latency_ms}") as slow:
                told |= _beside_serial(given, slow, worker)
            with _service(Path(made, "limited"), f"--rate-limit={given.limit}/s") as limited:
                told |= _under_limit(given, limited, worker)
            if given.memory_rows:
                with _service(Path(made, "quick")) as quick:
                    told |= _memory(given, quick, worker)
            told["worker_mb"] = worker.peak
    for line in _lines(given, told):
        say(line)
    say(json.dumps(told))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.imports", description=__doc__)
    parser.add_argument("--rows", type=int, default=4000, help="rows of the job")
    parser.add_argument("--serial-rows", type=int, default=200, help="rows of the serial script")
    parser.add_argument("--latency-ms", type=int, default=50, help="of the service")
    parser.add_argument("--threads", type=int, default=20, help="requests in flight")
    parser.add_argument("--limit", type=int, default=10, help="requests a second, second part")
    parser.add_argument("--limited-rows", type=int, default=400, help="rows under that limit")
    parser.add_argument("--memory-rows", type=int, default=20_000, help="0 leaves that part out")
    return parser.parse_args()


@contextmanager
def _service(data_dir: Path, *flags: str) -> Iterator[Server]:
    with servers.sandbox(data_dir, 60, "--frozen", *flags) as server:
        yield server


def _beside_serial(given: argparse.Namespace, slow: Server, worker: Worker) -> dict[str, Any]:
    key = portal.connect(slow)
    _job(key, 200, worker)  # both sides begin warm
    serial = _serial(slow, given.serial_rows)
    job = _job(key, given.rows, worker)
    again = _serial(slow, given.serial_rows)
    best = max(serial, again)
    ceiling = given.threads / (given.latency_ms / 1000)
    return {
        "serial_rate": round(best, 1),
        "job_rate": round(job.rate, 1),
        "ratio": round(job.rate / best, 1),
        "share_of_limit": round(job.rate / ceiling, 3),
        "failed": job.failed,
    }


def _under_limit(given: argparse.Namespace, limited: Server, worker: Worker) -> dict[str, Any]:
    job = _job(portal.connect(limited), given.limited_rows, worker)
    return {
        "limited_rate": round(job.rate, 2),
        "share_of_rate_limit": round(job.rate / given.limit, 3),
        "limited_failed": job.failed,
    }


def _memory(given: argparse.Namespace, quick: Server, worker: Worker) -> dict[str, Any]:
    key = portal.connect(quick)
    small = _job(key, 1000, worker)
    large = _job(key, given.memory_rows, worker)
    return {
        "worker_mb_1000_rows": small.worker_mb,
        f"worker_mb_{given.memory_rows}_rows": large.worker_mb,
        "quick_rate": round(large.rate, 1),
        "quick_failed": small.failed + large.failed,
    }


def _serial(server: Server, rows: int) -> float:
    """What a plain script does: one request after the other, on one connection."""
    mark = uuid4().hex
    with httpx.Client(timeout=30) as client:
        begun = time.perf_counter()
        for number in range(rows):
            client.post(
                f"http://127.0.0.1:{server.port}/v2/users",
                params={"access_token": server.token},
                json={
                    "action": "create",
                    "user_info": {"email": f"{number}.{mark}@example.com", "type": 1},
                },
            ).raise_for_status()
        return rows / (time.perf_counter() - begun)


def _job(key: str, rows: int, worker: Worker) -> Imported:
    from portal.access.origin import Origin  # noqa: PLC0415 - models need the setup
    from portal.jobs import services  # noqa: PLC0415
    from portal.jobs.models import ItemState, Job, JobState  # noqa: PLC0415

    job = _drafted(key, rows)
    _until(job, JobState.PLANNED, worker)
    services.approve(job, Origin(job.owner))
    _until(job, JobState.DONE, worker)
    job = Job.objects.get(pk=job.pk)
    seconds = (job.finished_at - job.approved_at).total_seconds()  # type: ignore[operator]
    failed = job.items.exclude(state=ItemState.DONE).count()
    return Imported(rows / seconds, failed, worker.look())


def _drafted(key: str, rows: int) -> Any:
    from portal.access.models import Connection  # noqa: PLC0415 - models need the setup
    from portal.access.origin import Origin  # noqa: PLC0415
    from portal.jobs import services  # noqa: PLC0415
    from portal.people.imports.columns import Mapping, recognised  # noqa: PLC0415
    from portal.people.jobs.people_import import KIND, parameters_of  # noqa: PLC0415
    from portal.ui import sheets  # noqa: PLC0415

    mark = uuid4().hex
    written = io.StringIO()
    table = csv.writer(written)
    table.writerow(["email", "type"])
    table.writerows([f"{number}.{mark}@example.com", "Basic"] for number in range(rows))
    read = sheets.read(written.getvalue().encode())
    mapping = Mapping(recognised(read.headers), headings=read.headers)
    connection = Connection.objects.get(key=key)
    return services.draft(
        Origin(connection.owner),
        connection,
        KIND,
        f"Import {rows} people",
        parameters=parameters_of(mapping, {}),
        file=read.dump(),
    )


def _until(job: Any, state: str, worker: Worker) -> None:
    from portal.jobs.models import Job, JobState  # noqa: PLC0415 - models need the setup

    stuck = (JobState.UNPLANNABLE, JobState.PAUSED, JobState.CANCELLED)
    deadline = time.monotonic() + _PATIENCE
    while True:
        current = Job.objects.get(pk=job.pk)
        if current.state == state:
            return
        if current.state in stuck or time.monotonic() > deadline:
            raise RuntimeError(f"The job is {current.state}: {current.reason}{current.trouble}")
        worker.look()
        time.sleep(_LOOK)


def _lines(given: argparse.Namespace, told: dict[str, Any]) -> Iterator[str]:
    yield ""
    yield f"{'':<44}{'rows/s':>10}{'ratio':>10}{'aim':>10}"
    yield f"{'A serial script, ' + str(given.latency_ms) + ' ms':<44}{told['serial_rate']:>10}"
    yield (
        f"{'A job, ' + str(given.threads) + ' in flight':<44}{told['job_rate']:>10}"
        f"{told['ratio']:>10}{15:>10}"
    )
    yield (f"{'  share of in flight ÷ latency':<44}{'':>10}{told['share_of_limit']:>10}")
    yield (
        f"{'A job under ' + str(given.limit) + ' requests a second':<44}"
        f"{told['limited_rate']:>10}{told['share_of_rate_limit']:>10}{0.95:>10}"
    )
    failed = told["failed"] + told["limited_failed"] + told.get("quick_failed", 0)
    yield f"{'Failed rows':<44}{failed:>10}{'':>10}{0:>10}"
    for name, value in told.items():
        if name.startswith("worker_mb_"):
            yield f"{'Worker after ' + name.split('_')[2] + ' rows, MB':<44}{value:>10}"
    yield ""


if __name__ == "__main__":
    main()
