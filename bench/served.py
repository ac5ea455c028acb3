"""A page through the real web server, at 1 and at 16 viewers, beside the same without a server.

The server is the one of the Procfile with one process, so that its CPU time is that of the pages.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection

import psutil

from bench.load import Clients, Workload, clients
from bench.servers import ROOT, free_port

AIM = 1.15
PORTAL = "portal.config.settings"
VIEWERS = (1, 16)
_TIMEOUT = 120.0
Figures = dict[str, float]
Rounds = dict[str, list[Figures]]


def measure(
    environment: Mapping[str, str],
    pages: Mapping[str, str],
    cookie: str,
    given: argparse.Namespace,
) -> dict[str, dict[str, Figures]]:
    """By page and way, the round of the least CPU; `pages` are addresses by their settings, and
    `given` says how many `rounds` of how many `seconds`."""
    found: dict[str, dict[str, Figures]] = {}
    for module, address in pages.items():
        own = {**environment, "DJANGO_SETTINGS_MODULE": module}
        taken: Rounds = {}
        for _ in range(given.rounds):  # taking turns, for other programs disturb both
            taken.setdefault("in-process", []).append(_in_process(own, address, cookie))
            for viewers in VIEWERS:
                each = _served(own, address, cookie, viewers, given.seconds)
                taken.setdefault(f"{viewers} at once", []).append(each)
        best = {way: min(each, key=lambda one: one["cpu_ms"]) for way, each in taken.items()}
        for each in best.values():
            each["ratio"] = round(each["cpu_ms"] / best["in-process"]["cpu_ms"], 2)
        found[module] = best
    return found


def table(measured: Mapping[str, Mapping[str, Mapping[str, Figures]]]) -> Iterator[str]:
    """Lines for people: by database, page and way."""
    heads = ("CPU ms", "of in-process", "aim", "p50 ms", "p99 ms", "pages/s")
    yield f"{'One page, whole':<44}" + "".join(f"{head:>15}" for head in heads)
    for database, pages in measured.items():
        for module, ways in pages.items():
            name = "Django's admin" if "admin" in module else "the portal"
            for way, data in ways.items():
                ratio = data["ratio"]
                missed = " !" if way != "in-process" and ratio > AIM else ""
                cells = (
                    f"{data['cpu_ms']:.1f}",
                    f"{ratio:.2f}{missed}",
                    "" if way == "in-process" else f"{AIM}",
                    *(f"{data[key]:.1f}" if key in data else "" for key in _MORE),
                )
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


def _served(
    environment: Mapping[str, str], address: str, cookie: str, viewers: int, seconds: float
) -> Figures:
    headers = (("Cookie", cookie),)
    page = Workload("page", address, (address,), headers=headers)
    with _server(environment) as (process, port), clients(viewers) as started:
        started.measure(port, page, min(2.0, seconds))  # the first ones fill caches
        return _counted(process, started, port, page, seconds)


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
    own = {**environment, "PORT": str(port), "WEB_WORKERS": "1", "WEB_THREADS": "16"}
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
