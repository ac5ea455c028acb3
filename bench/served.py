"""Pages through the real web server, for more and more viewers, beside one without a server.

The server is the one of the Procfile with two processes; CPU is that of all its processes, for an
answer. Ratios are of CPU, for other programs on the machine disturb times more.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection

import psutil

from bench.load import Clients, Workload, clients
from bench.servers import ROOT, free_port

AIM = 1.15
PORTAL = "portal.config.settings"
ADMIN = "Django's admin"
_IN_PROCESS = "in-process"
_TIMEOUT = 120.0
Figures = dict[str, float]
Pages = dict[str, dict[str, Figures]]


def measure(
    environment: Mapping[str, str],
    pages: Mapping[str, str],
    cookie: str,
    given: argparse.Namespace,
) -> Pages:
    """By page and way, the round of the least CPU; `pages` are addresses by their names, the first
    that of the bench, and `given` says for how many `viewers` at once, and how many `rounds` of how
    many `seconds`."""
    taken: dict[str, dict[str, list[Figures]]] = {name: {} for name in pages}
    own = {name: _environment_of(name, environment) for name in pages}
    for name in (next(iter(pages)), *(pages.keys() & {ADMIN})):
        alone = _in_process(own[name], pages[name], cookie)
        taken[name][_IN_PROCESS] = [alone]
    with ExitStack() as stack:
        modules = {each["DJANGO_SETTINGS_MODULE"]: each for each in own.values()}
        servers = {one: stack.enter_context(_server(each)) for one, each in modules.items()}
        started = {number: stack.enter_context(clients(number)) for number in given.viewers}
        for _ in range(given.rounds):  # taking turns, for other programs disturb all
            for viewers, pool in started.items():
                for name, address in pages.items():
                    process, port = servers[own[name]["DJANGO_SETTINGS_MODULE"]]
                    page = Workload("page", name, (address,), headers=(("Cookie", cookie),))
                    pool.measure(port, page, min(0.5, given.seconds))  # the first fill caches
                    each = _counted(process, pool, port, page, given.seconds)
                    taken[name].setdefault(f"{viewers} at once", []).append(each)
    best = {
        name: {way: min(each, key=lambda one: one["cpu_ms"]) for way, each in ways.items()}
        for name, ways in taken.items()
    }
    _compare(best)
    return best


def _environment_of(name: str, environment: Mapping[str, str]) -> dict[str, str]:
    module = "bench.admin_site" if name == ADMIN else PORTAL
    return {**environment, "DJANGO_SETTINGS_MODULE": module}


def _compare(best: Pages) -> None:
    """Adds the ratios: to the same page without a server, and to Django's admin."""
    for name, ways in best.items():
        for way, data in ways.items():
            if way != _IN_PROCESS and _IN_PROCESS in ways and name != ADMIN:
                data["ratio"] = round(data["cpu_ms"] / ways[_IN_PROCESS]["cpu_ms"], 2)
            if name != ADMIN and way in best.get(ADMIN, {}):
                data["to_admin"] = round(data["cpu_ms"] / best[ADMIN][way]["cpu_ms"], 2)


def table(measured: Mapping[str, Pages]) -> Iterator[str]:
    """Lines for people: by database, page and way."""
    heads = ("CPU ms", "of in-process", "of the admin", "p50 ms", "p99 ms", "pages/s")
    yield f"{'A page, whole':<44}" + "".join(f"{head:>15}" for head in heads)
    for database, pages in measured.items():
        for name, ways in pages.items():
            for way, data in ways.items():
                cells = [f"{data[key]:.2f}" if key in data else "" for key in ("ratio", "to_admin")]
                cells = [f"{data['cpu_ms']:.1f}", *cells]
                cells += [f"{data[key]:.1f}" if key in data else "" for key in _MORE]
                title = f"{database}, {name}, {way}"
                yield f"{title:<44}" + "".join(f"{cell:>15}" for cell in cells)
    yield ""


_MORE = ("p50_ms", "p99_ms", "rps")


def _in_process(environment: Mapping[str, str], address: str, cookie: str) -> Figures:
    command = [sys.executable, "-m", "bench.in_process", address, cookie, "40"]
    done = subprocess.run(  # noqa: S603
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True
    )
    data: Figures = json.loads(done.stdout.splitlines()[-1])
    return data


def _counted(
    process: psutil.Process, started: Clients, port: int, page: Workload, seconds: float
) -> Figures:
    before = _cpu(process)
    data = started.measure(port, page, seconds)
    return {
        "cpu_ms": round((_cpu(process) - before) / data.answers * 1000, 2),
        "p50_ms": data.p50_ms,
        "p99_ms": data.p99_ms,
        "rps": data.rps,
    }


def _cpu(process: psutil.Process) -> float:
    """Seconds of CPU of the server and its process, in the program and in the system for it."""
    times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
    return float(sum(each.user + each.system for each in times))


@contextmanager
def _server(environment: Mapping[str, str]) -> Iterator[tuple[psutil.Process, int]]:
    port = free_port()
    own = {**environment, "PORT": str(port), "WEB_WORKERS": "2", "WEB_THREADS": "32"}
    own["PATH"] = f"{os.path.dirname(sys.executable)}{os.pathsep}{own['PATH']}"  # noqa: PTH120
    command = [sys.executable, "-m", "portal.config.procfile", "web"]
    process = subprocess.Popen(command, cwd=ROOT, env=own, stdout=sys.stderr)  # noqa: S603
    try:
        until_up(process, port)
        yield psutil.Process(process.pid), port
    finally:
        process.terminate()
        process.wait(_TIMEOUT)


def until_up(process: "subprocess.Popen[bytes]", port: int) -> None:
    """Waits until the web server answers; raises `RuntimeError` if it never does."""
    deadline = time.monotonic() + _TIMEOUT
    while process.poll() is None and time.monotonic() < deadline:
        connection = HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT)
        try:
            connection.request("GET", "/account/login/")
            connection.getresponse().read()
        except OSError:
            time.sleep(0.1)
            continue
        finally:
            connection.close()
        return
    raise RuntimeError("The web server did not answer.")
