"""`make bench-sync`: the first sync of a large account, at a limit of the service and without one.

The service is 50 ms away. Measured for a while each: the share of the limit that is used, what the
worker's memory grows by once people are there, and after how many seconds these can be searched.
The sync goes on for as long as the account is large; a share of it is enough to know its speed.
"""

import argparse
import json
import subprocess
import sys
import time
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from bench import portal, servers
from bench.command import Options, finish, say
from bench.servers import ROOT, Server

_LOOK = 0.25
_PEOPLE_WITHIN = 300.0


def main() -> None:
    given = _arguments()
    if given.one is not None:
        say(json.dumps(_measure(given, given.one)))
        return
    data: dict[str, Any] = {"people": given.people, "sessions": given.sessions}
    say(
        f"{'limit':>6} {'requests/s':>11} {'share':>6} {'people after':>13} {'MB':>7} {'growth':>7}"
    )
    for limit in (given.limit, 0):
        ran = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "bench.sync", f"--one={limit}", *sys.argv[1:]],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        one = json.loads(ran.stdout.splitlines()[-1])
        say(
            f"{limit or 'none':>6} {one['a_second']:>11} {one['share'] or '':>6} "
            f"{one['people_after']:>11} s {one['mb']:>7} {one['growth']:>7}"
        )
        data |= {f"{name}_{limit or 'none'}": value for name, value in one.items()}
    finish(data)


def _arguments() -> argparse.Namespace:
    parser = Options("sync", __doc__, people=100, sessions=100, latency_ms=5, seconds=2.0)
    parser.add_argument("--people", type=int, default=20_000)
    parser.add_argument("--sessions", type=int, default=47_000)
    parser.add_argument("--latency-ms", type=int, default=50, help="of the service")
    parser.add_argument("--limit", type=int, default=20, help="requests a second")
    parser.add_argument("--seconds", type=float, default=60.0, help="that each is measured for")
    parser.add_argument("--one", type=int, default=None, help=argparse.SUPPRESS)
    return parser.given()


def _service(given: argparse.Namespace, limit: int) -> AbstractContextManager[Server]:
    words = (given.people, given.sessions, given.latency_ms, limit)
    return servers.stand_in("bench.sync_service", *words)


def _measure(given: argparse.Namespace, limit: int) -> dict[str, Any]:
    with TemporaryDirectory() as made:
        portal.configure(Path(made), WORKER_THREADS="16")
        with _service(given, limit) as service, portal.working() as worker:
            connection = _connection(service)
            worker.at_rest()
            begun = time.perf_counter()
            _begin(connection)
            after = _people(connection, given.people, begun)
            # Threads and caches are made in the first seconds with all lists under way.
            time.sleep(min(10.0, given.seconds / 4))
            warm, first = worker.look(), _answered(service)
            measured = time.perf_counter()
            while time.perf_counter() - measured < given.seconds:
                worker.look()
                time.sleep(_LOOK)
            seconds = time.perf_counter() - measured
            rate = (_answered(service) - first) / seconds
            return {
                "a_second": round(rate, 1),
                "share": round(rate / limit, 2) if limit else None,
                "people_after": round(after, 1),
                "mb": worker.look(),
                "growth": round(worker.look() - warm, 1),
            }


def _connection(service: Server) -> Any:
    from portal.access.models import Connection  # noqa: PLC0415 - models need the setup

    return Connection.objects.get(key=portal.connect(service))


def _begin(connection: Any) -> None:
    from portal.mirror.loading import begin  # noqa: PLC0415 - models need the setup

    begin(connection)


def _people(connection: Any, count: int, begun: float) -> float:
    """Returns the seconds until the list of people was there, whole."""
    from portal.directory.models import MirroredUser  # noqa: PLC0415 - models need the setup

    people = MirroredUser.objects.filter(connection=connection)
    while (found := people.count()) < count:
        time.sleep(_LOOK)
        if time.perf_counter() - begun > _PEOPLE_WITHIN:
            raise RuntimeError(f"{found} of {count} people were loaded.")
    return time.perf_counter() - begun


def _answered(service: Server) -> int:
    url = f"http://127.0.0.1:{service.port}/v2/counts"
    answered: int = httpx.get(url, timeout=10).json()["answered"]
    return answered


if __name__ == "__main__":
    main()
