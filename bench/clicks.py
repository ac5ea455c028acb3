"""`make bench-clicks`: the memory of web processes while people click through all pages.

Each begins at home and goes on by any link or part of the page that is open, in two web processes
as they are deployed, with worker and scheduler, against a sandbox with 500 people. The first half
imports views and makes threads, connections and caches; what the second adds is growth.
"""

import argparse
import random
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from html import unescape
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

from bench import memory, portal
from bench.command import Aim, Options, finish, say
from bench.dashboard import web
from bench.servers import sandbox

AIM = 1.0
AIMS = (Aim("Growth by a thousand answers, MB", "growth_mb_a_thousand_answers", AIM, at_most=True),)
_LINK = re.compile(rb'(?:href|hx-get)="(/[^"#]*)"')
_NOT_FOLLOWED = re.compile(r"^/(static|account/logout)/")
_TIMEOUT = 60.0


class Clicker(threading.Thread):
    """A user who opens page after page until the time is over."""

    def __init__(self, port: int, cookie: str, until: float, seed: int) -> None:
        super().__init__()
        self._port, self._until = port, until
        self._headers = {"Cookie": cookie, "Accept-Encoding": "identity"}
        self._chance = random.Random(seed)  # noqa: S311
        self.times: list[float] = []
        self.statuses: Counter[int] = Counter()
        self.addresses: set[str] = set()

    def run(self) -> None:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=_TIMEOUT)
        links = ["/"]
        while time.perf_counter() < self._until:
            address = self._chance.choice(links)
            began = time.perf_counter()
            try:
                connection.request("GET", address, headers=self._headers)
                answer = connection.getresponse()
                content = answer.read()
            except (OSError, HTTPException):
                self.statuses[0] += 1
                connection.close()
                continue
            self.times.append(time.perf_counter() - began)
            self.statuses[answer.status] += 1
            self.addresses.add(address)
            found = {unescape(link.decode()) for link in _LINK.findall(content)}
            followed = sorted(link for link in found if not _NOT_FOLLOWED.match(link))
            # A part of a page has few links, and a file none: then it goes on from the page before.
            links = followed if len(followed) > 5 else [*links, *followed, "/"]
        connection.close()


def main() -> None:
    given = _arguments()
    with (
        TemporaryDirectory(prefix="switchboard-clicks-") as directory,
        sandbox(Path(directory, "service"), given.people, "--frozen") as service,
    ):
        portal.configure(Path(directory, "portal"), ALLOWED_HOSTS="127.0.0.1")
        portal.connect(service)
        with portal.working(), web("portal.config.settings", 2) as server:
            until = time.perf_counter() + given.minutes * 60
            people = [Clicker(server.port, _cookie(), until, at) for at in range(given.clickers)]
            with memory.watched(
                server, lambda: sum(len(each.times) for each in people), given.minutes / 2
            ) as used:
                for each in people:
                    each.start()
                for each in people:
                    each.join()
    figures = _figures(people, used)
    say(*_table(figures))
    finish(figures, AIMS)


def _figures(people: list[Clicker], used: memory.Memory) -> dict[str, Any]:
    times = quantiles([one for each in people for one in each.times], n=100)
    statuses = sum((each.statuses for each in people), Counter[int]())
    return {
        "answers": statuses.total(),
        "addresses": len(set().union(*(each.addresses for each in people))),
        "statuses": dict(sorted(statuses.items())),
        "p50_ms": round(times[49] * 1000, 1),
        "p95_ms": round(times[94] * 1000, 1),
        "mb_by_minute": used.by_minute,
        "growth_mb_a_minute": used.by_the_minute,
        "growth_mb_a_thousand_answers": used.by_a_thousand,
        "aim_mb_a_thousand_answers": AIM,
    }


def _table(figures: dict[str, Any]) -> Iterator[str]:
    yield f"{'Clicks through all pages':<44}{'measured':>12}{'aim':>10}"
    for title, name, aim in (
        ("Answers", "answers", ""),
        ("Different addresses", "addresses", ""),
        ("Growth by a thousand answers, MB", "growth_mb_a_thousand_answers", AIM),
        ("Growth by a minute, MB", "growth_mb_a_minute", ""),
    ):
        shown = "too short" if figures[name] is None else figures[name]
        yield f"{title:<44}{shown:>12}{aim:>10}"
    yield f"MB of the web processes by minute: {figures['mb_by_minute']}"
    yield f"Answers by status: {figures['statuses']}"
    yield ""


def _cookie() -> str:
    from django.test import Client  # noqa: PLC0415 - models need the setup

    from bench import asking  # noqa: PLC0415
    from portal.access.models import User  # noqa: PLC0415

    client = Client()
    client.force_login(User.objects.get())
    return asking.cookie(client)


def _arguments() -> argparse.Namespace:
    parser = Options("clicks", __doc__, minutes=0.1, clickers=2, people=20)
    parser.add_argument("--minutes", type=float, default=6.0)
    parser.add_argument("--clickers", type=int, default=4)
    parser.add_argument("--people", type=int, default=500, help="of the account")
    return parser.given()


if __name__ == "__main__":
    main()
