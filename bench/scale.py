"""`make bench-scale`: ten connections of 50,000 people, 100,000 sessions, 1,000,000 audit entries.

On PostgreSQL and Redis, in databases of its own that are dropped at the end. Pages go through two
web servers; the same pages over a tenth of all show how they grow. Then one connection's list is
read anew while another's pages are asked for, and ten imports run under one rate limit while web
and worker processes are killed in turn.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from redis import Redis, RedisError

from bench import portal, servers
from bench.command import Aim, Options, finish, say, unavailable
from bench.fleet import Fleet, fleet
from bench.jobs import Imports, NoWorker
from bench.lists import own_database
from bench.pages import Figures, figures, seconds
from bench.scale_lines import AIM, SHARE, breaks_first, lines

AIMS = (
    Aim("A page, p95 in ms", "pages/*/p95_ms", AIM, at_most=True),
    Aim("Ten imports, share of the rate limit", "imports/share_of_limit", SHARE),
    Aim("Failed rows of these", "imports/failed", 0, at_most=True),
)
_BOTH = ("web-1", "web-2")
_ALL = ("web-1", "worker-1", "web-2", "worker-2")


def main() -> None:
    given = _arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # all is dropped and ended then, too
    with ExitStack() as stack:
        made = Path(stack.enter_context(TemporaryDirectory(prefix="switchboard-scale-")))
        redis = stack.enter_context(_own_redis(given.redis))
        tenth = _a_tenth(given, made / "tenth")
        url = stack.enter_context(own_database(given.postgresql))
        portal.configure(
            made / "whole",
            DATABASE_URL=url,
            REDIS_URL=redis,
            CELERY_BROKER_URL=redis,
            ALLOWED_HOSTS="127.0.0.1,testserver",
            WEB_WORKERS="1",
            LOG_LEVEL="ERROR",
        )
        data = _measured(given, made, tenth)
    for line in lines(data):
        say(line)
    finish(data, AIMS)


def _arguments() -> argparse.Namespace:
    parser = Options("scale", __doc__, scale=0.002, times=2, rows=5, kill_every=4.0)
    parser.add_argument("--people", type=int, default=500_000, help="of ten connections")
    parser.add_argument("--sessions", type=int, default=100_000)
    parser.add_argument("--entries", type=int, default=1_000_000, help="of the audit trail")
    parser.add_argument("--scale", type=float, default=1.0, help="of all of these")
    parser.add_argument("--times", type=int, default=40, help="requests of each kind")
    parser.add_argument("--limit", type=int, default=20, help="requests a second of the imports")
    parser.add_argument("--rows", type=int, default=120, help="rows of each of the ten imports")
    parser.add_argument("--kill-every", type=float, default=8.0, help="seconds between two kills")
    parser.add_argument(
        "--postgresql",
        default=os.environ.get("BENCH_POSTGRESQL", "postgres://postgres@127.0.0.1:5432/postgres"),
        help="a server where databases may be made; they are dropped afterwards",
    )
    parser.add_argument(
        "--redis",
        default=os.environ.get("BENCH_REDIS", "redis://127.0.0.1:6379/14"),
        help="a database of Redis that has nothing; it is emptied afterwards",
    )
    given = parser.given()
    for name in ("people", "sessions", "entries"):
        setattr(given, name, int(getattr(given, name) * given.scale))
    return given


class _own_redis:  # noqa: N801 - used as a function
    """The URL of a Redis database that no other program uses."""

    def __init__(self, url: str) -> None:
        self._url = url

    def __enter__(self) -> str:
        self._redis = Redis.from_url(self._url)
        try:
            is_empty = not self._redis.dbsize()
        except RedisError:
            unavailable(f"No Redis answers at {urlsplit(self._url).hostname}.")
        if not is_empty:
            unavailable(f"{self._url} is not empty: name another database by --redis.")
        return self._url

    def __exit__(self, *_: object) -> None:
        self._redis.flushdb()


def _a_tenth(given: argparse.Namespace, data_dir: Path) -> dict[str, Figures]:
    """The pages over a tenth of everything, in a database of its own."""
    with own_database(given.postgresql) as url:
        if not url:
            unavailable(f"No PostgreSQL answers at {urlsplit(given.postgresql).hostname}.")
        environment = {**portal.environment(data_dir, DATABASE_URL=url, WEB_WORKERS="1")}
        environment |= {"ALLOWED_HOSTS": "127.0.0.1,testserver", "LOG_LEVEL": "ERROR"}
        amounts = [str(each // 10) for each in (given.people, given.sessions, given.entries)]
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "bench.scale_data", *amounts],
            env=environment,
            stdout=subprocess.PIPE,
            check=True,
        )
        filled = json.loads(done.stdout.splitlines()[-1])
        say("A tenth is filled.")
        with fleet(environment, *_BOTH) as running:
            return _pages(running, _questions(filled["keys"][0]), filled["cookie"], given.times)


def _measured(
    given: argparse.Namespace, made: Path, tenth: Mapping[str, Figures]
) -> dict[str, Any]:
    from bench.scale_data import fill  # noqa: PLC0415 - models need the setup

    began = time.perf_counter()
    filled = fill(given.people, given.sessions, given.entries)
    say(f"Filled in {time.perf_counter() - began:.0f} s.")
    data: dict[str, Any] = {
        "people": filled.people,
        "sessions": filled.sessions,
        "entries": filled.entries,
        "aim_p95_ms": AIM,
    }
    users = max(filled.people // len(filled.keys), 60)
    limit = f"--rate-limit={given.limit}/s"
    with (
        servers.sandbox(made / "service", users, "--frozen") as quick,
        servers.sandbox(made / "limited", 60, "--frozen", limit) as limited,
        fleet(os.environ, *_ALL, "beat") as running,
    ):
        asked = _questions(filled.keys[0])
        pages = _pages(running, asked, filled.cookie, given.times)
        data["pages"] = {
            title: {**figures, "tenth_p95_ms": tenth[title]["p95_ms"]}
            for title, figures in pages.items()
        }
        say("Pages are measured.")
        data["refresh"] = _beside_refresh(running, portal.connect(quick), filled.cookie, asked)
        say("The refresh is measured.")
        data["imports"] = _imports(given, running, portal.connect(limited))
        data["memory_mb"] = running.memory()
    data["breaks_first"] = breaks_first(data["pages"])
    return data


def _questions(key: str) -> dict[str, str]:
    """Addresses by what they are, of one connection out of ten."""
    people, audit = f"/c/{key}/people/", "/audit/"
    return {
        "home": "/",
        "people": people,
        "people, a rare word": f"{people}?q=zyzzyva",
        "people, a common word": f"{people}?q=ada",
        "people, sorted, deep": f"{people}?sort=-name&page=50",
        "search everywhere": f"/c/{key}/search/?q=ada",
        "meetings": f"/c/{key}/meetings/",
        "calendar": f"/c/{key}/calendar/?day=2026-05-13",
        "audit": audit,
        "audit, a connection": f"{audit}?connection={key}",
        "audit, a word": f"{audit}?q=keller",
        "audit, nothing found": f"{audit}?q=qqqqqq",
        "audit, further back": f"{audit}?q=keller&below=50000",
        "audit, deep": f"{audit}?page=100",
    }


def _pages(running: Fleet, asked: Mapping[str, str], cookie: str, times: int) -> dict[str, Figures]:
    """Each in turn, by one web server after the other."""
    ports, taken = list(running.ports.values()), {title: [0.0] * 0 for title in asked}
    for number in range(times + 4):
        for title, address in asked.items():
            once = seconds(ports[number % len(ports)], address, cookie)
            if number >= 4:  # the first ones fill caches
                taken[title].append(once)
    return {title: figures(each) for title, each in taken.items()}


def _beside_refresh(
    running: Fleet, key: str, cookie: str, asked: Mapping[str, str]
) -> dict[str, Any]:
    """Pages of one connection without, and while another's list of people is read."""
    from portal.access.models import Connection  # noqa: PLC0415 - models need the setup
    from portal.directory.users import USERS  # noqa: PLC0415
    from portal.mirror.models import MirrorState  # noqa: PLC0415

    def once() -> float:
        return seconds(running.ports["web-1"], asked["people"], cookie)

    without = [once() for _ in range(40)]
    state = USERS.request(Connection.objects.get(key=key))
    beside, began = [], time.perf_counter()
    while (now := MirrorState.objects.get(pk=state.pk)).refreshed_at is None:
        if now.failure or time.perf_counter() - began > 600:
            raise RuntimeError(f"The list is not read: {now.failure}")
        beside.append(once())
    return {
        "seconds": round(time.perf_counter() - began, 1),
        "pages": len(beside),
        "p95_ms_without": figures(without)["p95_ms"],
        "p95_ms_beside": figures(beside)["p95_ms"] if len(beside) > 1 else None,
    }


def _imports(given: argparse.Namespace, running: Fleet, key: str) -> dict[str, Any]:
    """Ten at once over one connection, while a process is killed every few seconds."""
    from portal.jobs.models import OPEN, ItemState, Job, JobItem  # noqa: PLC0415

    imports = Imports(key, NoWorker())
    jobs = [imports.planned(given.rows) for _ in range(10)]
    keys = [job.pk for job in jobs]
    items = JobItem.objects.filter(job__in=keys)
    began, turn = time.perf_counter(), 0
    for job in jobs:
        imports.approved(job)
    due = began + given.kill_every
    while Job.objects.filter(pk__in=keys, state__in=OPEN).exists():
        if time.perf_counter() > due:
            running.kill(_ALL[turn % len(_ALL)])
            turn, due = turn + 1, due + given.kill_every
        if time.perf_counter() - began > 900:
            raise RuntimeError("The imports do not end.")
        time.sleep(0.1)
    taken = time.perf_counter() - began
    done = items.filter(state=ItemState.DONE).count()
    return {
        "rows": done,
        "failed": items.count() - done,
        "kills": running.kills,
        "rate": round(done / taken, 2),
        "limit": given.limit,
        "share_of_limit": round(done / taken / given.limit, 3),
    }


if __name__ == "__main__":
    main()
