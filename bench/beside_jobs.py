"""`make bench-beside-jobs`: pages while jobs of 20,000 people run, beside the same pages alone.

On SQLite, through one web server, with one worker that carries two imports out against a sandbox
which answers at once: so both the database and the processors are as busy as a job makes them.
"""

import argparse
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench import portal, servers
from bench.command import Aim, Options, finish, say
from bench.fleet import Fleet, fleet
from bench.jobs import Imports, NoWorker
from bench.pages import Figures, figures, seconds

# Rounds that are asked however long they take.
_FEWEST = 5
# A page beside the jobs may take so many times as long as alone; it shares the processors.
AIM = 4.0
AIMS = (Aim("A page, to the same alone", "pages/*/ratio", AIM, at_most=True),)


def main() -> None:
    given = _arguments()
    with (
        TemporaryDirectory(prefix="switchboard-beside-") as directory,
        servers.sandbox(Path(directory, "service"), given.people, "--frozen") as service,
    ):
        portal.configure(Path(directory, "portal"), ALLOWED_HOSTS="127.0.0.1,testserver")
        key = portal.connect(service)
        with fleet(os.environ, "web-1", "worker-1", "beat") as running:
            data = _measured(given, running, key)
    for line in _lines(data):
        say(line)
    finish(data, AIMS)


def _arguments() -> argparse.Namespace:
    parser = Options("beside-jobs", __doc__, rows=60, jobs=1, people=50, times=2)
    parser.add_argument("--rows", type=int, default=20_000, help="people of each job")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--people", type=int, default=2_000, help="of the account before")
    parser.add_argument("--times", type=int, default=20, help="requests of each page, at most")
    parser.add_argument("--seconds", type=float, default=40, help="after which no more are begun")
    return parser.given()


def _measured(given: argparse.Namespace, running: Fleet, key: str) -> dict[str, Any]:
    from portal.jobs.models import ItemState, JobItem, JobState  # noqa: PLC0415 - after the setup

    cookie, pages = _cookie(key), _pages(key)
    _all(running, pages, cookie, 3, 0)  # the first ones fill caches, and have the lists read
    _until_read(key)
    alone = _all(running, pages, cookie, given.times, given.seconds)
    imports = Imports(key, NoWorker())
    jobs = [imports.planned(given.rows) for _ in range(given.jobs)]
    for job in jobs:
        imports.approved(job)
    imports.until_done(jobs[0], min(100, given.rows // 2))
    before = time.perf_counter()
    beside = _all(running, pages, cookie, given.times, given.seconds)
    taken = time.perf_counter() - before
    done = JobItem.objects.filter(job__in=jobs, state=ItemState.DONE).count()
    states = {type(job).objects.get(pk=job.pk).state for job in jobs}
    return {
        "rows": given.rows,
        "jobs": given.jobs,
        "rows_done": done,
        "seconds": round(taken, 1),
        "still_running": JobState.RUNNING in states,
        "aim_ratio": AIM,
        "pages": {
            title: {
                **{f"{name}_alone": value for name, value in alone[title].items()},
                **{f"{name}_beside": value for name, value in beside[title].items()},
                "ratio": round(beside[title]["p50_ms"] / alone[title]["p50_ms"], 1),
            }
            for title in pages
        },
    }


def _pages(key: str) -> dict[str, str]:
    return {
        "home": "/",
        "people": f"/c/{key}/people/",
        "licences": f"/c/{key}/people/licences/",
        "report on hosts": f"/c/{key}/reports/hosts/",
        "groups": f"/c/{key}/groups/",
        "jobs": f"/c/{key}/jobs/",
    }


def _all(
    running: Fleet, pages: Mapping[str, str], cookie: str, times: int, limit: float
) -> dict[str, Figures]:
    taken: dict[str, list[float]] = {title: [] for title in pages}
    ends = time.monotonic() + limit
    for turn in range(times):
        if turn >= _FEWEST and time.monotonic() > ends:
            break
        for title, address in pages.items():
            taken[title].append(seconds(running.ports["web-1"], address, cookie))
    return {title: {**figures(each), "times": len(each)} for title, each in taken.items()}


def _until_read(key: str) -> None:
    """Until no list is wanted any more, so that its reading is not measured with the page."""
    from portal.access.models import Connection  # noqa: PLC0415 - after the setup
    from portal.mirror.models import MirrorState  # noqa: PLC0415

    states = MirrorState.objects.filter(connection=Connection.objects.get(key=key))
    deadline = time.monotonic() + 300
    while states.exclude(requested_at=None).exists():
        if time.monotonic() > deadline:
            raise RuntimeError("The lists are not read.")
        time.sleep(0.5)


def _cookie(key: str) -> str:
    from django.test import Client  # noqa: PLC0415 - after the setup

    from bench import asking  # noqa: PLC0415
    from portal.access.models import Connection  # noqa: PLC0415

    client = Client()
    client.force_login(Connection.objects.get(key=key).owner)
    return asking.cookie(client)


def _lines(data: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield f"{'':<24}{'alone':>10}{'beside':>10}{'longest':>10}{'ratio':>8}{'aim':>6}"
    for title, one in data["pages"].items():
        cells = (one["p50_ms_alone"], one["p50_ms_beside"], one["max_ms_beside"])
        yield (
            f"{title:<24}"
            + "".join(f"{each:>10}" for each in cells)
            + (f"{one['ratio']:>8}{AIM:>6}")
        )
    yield f"{'Rows done meanwhile':<24}{data['rows_done']:>10}"
    yield ""


if __name__ == "__main__":
    main()
