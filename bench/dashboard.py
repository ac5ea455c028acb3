"""`make bench-dashboard`: what it costs that many people watch what is live.

200 viewers ask for the part that keeps itself fresh as its page does, for a minute, against a
sandbox with 120 live meetings behind a proxy that counts its requests, in two web processes. Then
as many pages as they can are served to 16 clients, beside the same portal where each page asks the
service itself.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

from bench import memory, portal
from bench.command import Aim, Options, finish, say
from bench.faults import faulty_proxy
from bench.load import Workload, clients
from bench.served import until_up
from bench.servers import ROOT, Server, free_port, sandbox
from bench.viewers import Viewers

INTERVAL = 10.0  # seconds between two questions to the service
LISTS = 2
PAGES = 30  # of quality a minute, however many watch
_TIMEOUT = 60.0
AIMS = (
    Aim("Calls a minute", "calls_a_minute", LISTS * 60 / INTERVAL + PAGES, at_most=True),
    Aim("An answer, p95 in ms", "p95_ms", 50.0, at_most=True),
    Aim("Age of the figures, most in s", "oldest_s", INTERVAL + 2, at_most=True),
    Aim("Pages a second, to those that each ask", "ratio_to_uncached", 10.0),
)


def main() -> None:
    given = _arguments()
    with (
        TemporaryDirectory(prefix="switchboard-dashboard-") as directory,
        sandbox(Path(directory, "sandbox"), given.sessions + 60, "--frozen") as service,
        faulty_proxy(service, given.latency_ms) as proxy,
    ):
        begin_meetings(service, given.sessions)
        portal.configure(Path(directory, "portal"), ALLOWED_HOSTS="127.0.0.1")
        key = portal.connect(proxy.server)
        headers = _headers()
        target = f"/c/{key}/dashboards/?{urlencode({'all': 1})}"
        with web("portal.config.settings", 2) as server:
            _until_shown(server, target, headers, given.sessions)
            proxy.recovers()
            viewers = Viewers(given.viewers, given.every, target, headers)
            with memory.watched(server, lambda: len(viewers.seen.times)) as used:
                seen = viewers.watch(server.port, given.seconds)
            calls = proxy.recovers()
            fast = _most(server, target, headers, given.most_seconds)
        with web("bench.uncached_settings", 2) as server:
            slow = _most(server, target, headers, given.most_seconds)
    figures = {
        "viewers": given.viewers,
        "sessions": given.sessions,
        "answers": len(seen.times),
        "faults": seen.faults,
        "unchanged": round(seen.unchanged / len(seen.times), 2),
        "calls": calls,
        "calls_a_minute": round(calls / given.seconds * 60, 1),
        "oldest_s": round(seen.oldest, 1),
        "mean_age_s": round(seen.mean_age, 1),
        "p50_ms": round(quantiles(seen.times, n=100)[49] * 1000, 1),
        "p95_ms": round(quantiles(seen.times, n=100)[94] * 1000, 1),
        "server_mb": used.mb[-1],
        "server_mb_by_minute": used.by_minute,
        "growth_mb_a_minute": used.by_the_minute,
        "growth_mb_a_thousand_answers": used.by_a_thousand,
        "pages_per_second": fast,
        "uncached_pages_per_second": slow,
        "ratio_to_uncached": round(fast / slow, 1),
    }
    say(*table(figures))
    finish(figures, AIMS)


def begin_meetings(service: Server, count: int) -> None:
    """Instant meetings of as many people."""
    hosts = _call(service, "GET", "/users?page_size=300")["users"]
    for host in hosts[:count]:
        _call(service, "POST", f"/users/{host['id']}/meetings", {"topic": "Bench", "type": 1})


def table(figures: dict[str, Any]) -> Iterator[str]:
    yield f"{'Live sessions, watched':<44}{'measured':>12}{'aim':>10}"
    for aim in AIMS:
        yield f"{aim.title:<44}{figures[aim.figure]:>12}{aim.value:>10g}"
    yield f"{'Share of answers that were unchanged':<44}{figures['unchanged']:>12}"
    yield f"{'Age of the figures, mean in s':<44}{figures['mean_age_s']:>12}"
    yield f"{'Memory of the web processes, MB':<44}{figures['server_mb']:>12}"
    for title, name in (
        (f"Its growth after minute {memory.WARM}, MB a minute", "growth_mb_a_minute"),
        ("Its growth by a thousand answers, MB", "growth_mb_a_thousand_answers"),
    ):
        shown = "too short" if figures[name] is None else figures[name]
        yield f"{title:<44}{shown:>12}"
    yield ""


@contextmanager
def web(settings: str, workers: int) -> Iterator[Server]:
    """The web server of the Procfile."""
    port = free_port()
    own = {"DJANGO_SETTINGS_MODULE": settings, "PORT": str(port), "WEB_WORKERS": str(workers)}
    process = subprocess.Popen(
        [sys.executable, "-m", "portal.config.procfile", "web"],
        cwd=ROOT,
        env={**os.environ, **own, "WEB_THREADS": "16"},
        stdout=sys.stderr,
    )
    try:
        until_up(process, port)
        yield Server(process.pid, port, "", "", 0)
    finally:
        process.terminate()
        process.wait(_TIMEOUT)


def _until_shown(server: Server, target: str, headers: dict[str, str], sessions: int) -> None:
    deadline = time.monotonic() + _TIMEOUT
    while time.monotonic() < deadline:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=_TIMEOUT)
        try:
            connection.request("GET", target, headers={**headers, "Accept-Encoding": "identity"})
            if connection.getresponse().read().count(b'id="live-open-') >= sessions:
                return
        except OSError:
            pass
        finally:
            connection.close()
        time.sleep(0.2)
    raise RuntimeError("The page does not show the live sessions.")


def _most(server: Server, target: str, headers: dict[str, str], seconds: float) -> float:
    """Pages a second to 16 clients that ask as soon as they are answered."""
    _until_shown(server, target, headers, 1)
    page = Workload("live", target, (target,), headers=tuple(headers.items()))
    with clients(16) as started:
        started.measure(server.port, page, min(2.0, seconds))  # the first ones fill caches
        return started.measure(server.port, page, seconds).rps


def _headers() -> dict[str, str]:
    """Those of a viewer who is signed in."""
    from django.test import Client  # noqa: PLC0415 - models need the setup

    from bench.asking import cookie  # noqa: PLC0415
    from portal.access.models import User  # noqa: PLC0415

    client = Client()
    client.force_login(User.objects.get())
    return {
        "Cookie": cookie(client),
        "HX-Request": "true",
        "HX-Target": "live",
        "Accept-Encoding": "gzip",
    }


def _call(service: Server, method: str, path: str, sent: Any = None) -> Any:
    connection = HTTPConnection("127.0.0.1", service.port, timeout=_TIMEOUT)
    try:
        body = json.dumps(sent) if sent else None
        headers = {"Content-Type": "application/json"}
        connection.request(method, service.address(path), body, headers)
        return json.loads(connection.getresponse().read())
    finally:
        connection.close()


def _arguments() -> argparse.Namespace:
    parser = Options(
        "dashboard", __doc__, viewers=4, sessions=3, every=0.5, seconds=3.0, most_seconds=0.5
    )
    parser.add_argument("--viewers", type=int, default=200)
    parser.add_argument("--sessions", type=int, default=120)
    parser.add_argument(
        "--every",
        type=float,
        default=INTERVAL,
        help="age of figures, in seconds, at which newer ones are asked for",
    )
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="600 also show whether memory grows"
    )
    parser.add_argument(
        "--most-seconds",
        type=float,
        default=5.0,
        help="in which as many pages are asked for as can be",
    )
    parser.add_argument("--latency-ms", type=int, default=20, help="of the service")
    return parser.given()


if __name__ == "__main__":
    main()
