"""`make bench-import`: people imported by a job, beside the serial script that many write."""

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import httpx

from bench import faults, portal, servers
from bench.command import Aim, Options, finish, say
from bench.jobs import Imports
from bench.portal import Worker
from bench.servers import Server

AIMS = (
    Aim("A job, to a serial script", "ratio", 15),
    Aim("Share of the rate limit", "share_of_rate_limit", 0.95),
    Aim("5 % mixed faults, to a clean run", "mixed_5_ratio", 0.8),
    Aim("Rows lost to faults", "faults_lost", 0, at_most=True),
    Aim("Rows doubled by faults", "faults_doubled", 0, at_most=True),
    Aim("Failed rows", "failed", 0, at_most=True),
    Aim("Worker at rest, MB", "worker_rest_mb", 120, at_most=True),
)
_LIFETIME = 12  # seconds of a token


def main() -> None:
    given = _arguments()
    data: dict[str, Any] = {}
    with TemporaryDirectory() as made:
        portal.configure(Path(made), JOB_THREADS=str(given.threads))
        with portal.working() as worker:
            if given.profile == "current":
                data |= _on_a_service_of_today(given, Path(made), worker)
            else:
                data |= _on_a_plain_service(given, Path(made), worker)
            data["worker_mb"] = worker.peak
    for line in _lines(given, data):
        say(line)
    finish(data, AIMS)


def _on_a_plain_service(given: argparse.Namespace, made: Path, worker: Worker) -> dict[str, Any]:
    data: dict[str, Any] = {"worker_rest_mb": worker.at_rest()}
    with _service(made / "slow", f"--latency-ms={given.latency_ms}") as slow:
        data |= _beside_serial(given, slow, worker)
    with _service(made / "limited", f"--rate-limit={given.limit}/s") as limited:
        data |= _under_limit(given, limited, worker)
    if given.fault_rows:
        with _service(made / "road") as served:
            data |= _over_a_faulty_network(given, served, worker)
    if given.memory_rows:
        with _service(made / "quick") as quick:
            data |= _memory(given, quick, worker)
    return data


def _on_a_service_of_today(given: argparse.Namespace, made: Path, worker: Worker) -> dict[str, Any]:
    """Its classes are limited by themselves, and its tokens end within the job."""
    flags = ("--profile=current", "--one-token", f"--token-seconds={_LIFETIME}")
    with _service(made / "today", *flags, f"--limit=medium={given.limit}/s") as limited:
        return _under_limit(given, limited, worker)


def _arguments() -> argparse.Namespace:
    parser = Options(
        "import",
        __doc__,
        rows=60,
        serial_rows=10,
        warm_rows=10,
        latency_ms=5,
        limited_rows=20,
        fault_rows=0,
        memory_rows=0,
    )
    parser.add_argument("--rows", type=int, default=4000, help="rows of the job")
    parser.add_argument("--warm-rows", type=int, default=200, help="rows before that")
    parser.add_argument("--serial-rows", type=int, default=200, help="rows of the serial script")
    parser.add_argument("--latency-ms", type=int, default=50, help="of the service")
    parser.add_argument("--threads", type=int, default=20, help="requests in flight")
    parser.add_argument(
        "--profile",
        choices=("plain", "current"),
        default="plain",
        help="current: only under a limit of its class, on the sandbox as a service of today",
    )
    parser.add_argument(
        "--limit", type=int, help="requests a second, second part: 10, and 20 of a service of today"
    )
    parser.add_argument("--limited-rows", type=int, default=400, help="rows under that limit")
    parser.add_argument("--fault-rows", type=int, default=600, help="0 leaves that part out")
    parser.add_argument("--fault-latency-ms", type=int, default=40, help="of the faulty network")
    parser.add_argument("--rounds", type=int, default=3, help="pairs of a clean and a faulty job")
    parser.add_argument("--memory-rows", type=int, default=20_000, help="0 leaves that part out")
    given = parser.given()
    given.limit = given.limit or (20 if given.profile == "current" else 10)
    return given


@contextmanager
def _service(data_dir: Path, *flags: str) -> Iterator[Server]:
    with servers.sandbox(data_dir, 60, "--frozen", *flags) as server:
        yield server


def _beside_serial(given: argparse.Namespace, slow: Server, worker: Worker) -> dict[str, Any]:
    imports = Imports(portal.connect(slow), worker)
    imports.job(given.warm_rows)  # both sides begin warm
    serial = _serial(slow, given.serial_rows)
    job = imports.job(given.rows)
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
    job = Imports(portal.connect(limited, given.profile), worker).job(given.limited_rows)
    return {
        "limited_rate": round(job.rate, 2),
        "share_of_rate_limit": round(job.rate / given.limit, 3),
        "limited_failed": job.failed,
    }


def _over_a_faulty_network(
    given: argparse.Namespace, served: Server, worker: Worker
) -> dict[str, Any]:
    with faults.faulty_proxy(served, given.fault_latency_ms) as proxy:
        imports = Imports(portal.connect(proxy.server), worker)
        imports.job(given.warm_rows)
        data = faults.measured(proxy, given.rounds, given.fault_rows, imports)
        return data | faults.dead(proxy, given.fault_rows * 2, imports)


def _memory(given: argparse.Namespace, quick: Server, worker: Worker) -> dict[str, Any]:
    imports = Imports(portal.connect(quick), worker)
    small = imports.job(1000)
    large = imports.job(given.memory_rows)
    return {
        "worker_mb_1000_rows": small.worker_mb,
        f"worker_mb_{given.memory_rows}_rows": large.worker_mb,
        "quick_rate": round(large.rate, 1),
        "quick_failed": small.failed + large.failed,
    }


def _serial(server: Server, rows: int) -> float:
    """Measures a plain script: one request after the other, on one connection."""
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


def _lines(given: argparse.Namespace, data: dict[str, Any]) -> Iterator[str]:
    yield ""
    yield f"{'':<44}{'rows/s':>10}{'ratio':>10}{'aim':>10}"
    if "serial_rate" in data:
        yield f"{'A serial script, ' + str(given.latency_ms) + ' ms':<44}{data['serial_rate']:>10}"
        yield (
            f"{'A job, ' + str(given.threads) + ' in flight':<44}{data['job_rate']:>10}"
            f"{data['ratio']:>10}{15:>10}"
        )
        yield (f"{'  share of in flight ÷ latency':<44}{'':>10}{data['share_of_limit']:>10}")
    yield (
        f"{'A job under ' + str(given.limit) + ' requests a second':<44}"
        f"{data['limited_rate']:>10}{data['share_of_rate_limit']:>10}{0.95:>10}"
    )
    yield from faults.lines(data)
    if "worker_rest_mb" in data:
        yield f"{'Worker at rest, MB':<44}{data['worker_rest_mb']:>10}{'':>10}{120:>10}"
    failed = data.get("failed", 0) + data["limited_failed"] + data.get("quick_failed", 0)
    yield f"{'Failed rows':<44}{failed:>10}{'':>10}{0:>10}"
    for name, value in data.items():
        if name.startswith("worker_mb_"):
            yield f"{'Worker after ' + name.split('_')[2] + ' rows, MB':<44}{value:>10}"
    yield ""


if __name__ == "__main__":
    main()
