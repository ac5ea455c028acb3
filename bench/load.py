"""Load from client processes that each keep one connection and ask as soon as they are answered."""

import multiprocessing
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import cycle, islice
from multiprocessing.synchronize import Barrier
from statistics import quantiles
from uuid import uuid4

_TIMEOUT = 30.0
_FEWEST_REQUESTS = 5
_MOST_REQUESTS = 50_000
_UNIQUE = "{unique}"

_barrier: Barrier


@dataclass(frozen=True)
class Workload:
    """Requests that take turns; `{unique}` in a body is another text each time."""

    name: str
    title: str
    targets: tuple[str, ...]
    method: str = "GET"
    body: str = ""
    headers: tuple[tuple[str, str], ...] = (("Content-Type", "application/json"),)


@dataclass(frozen=True)
class Figures:
    """Figures seen from outside: requests a second, and the duration of an answer."""

    rps: float
    p50_ms: float
    p99_ms: float
    answers: int


@dataclass(frozen=True)
class _Measured:
    """The seconds that each answer took, and all of them with what is between."""

    times: list[float]
    seconds: float


class Clients:
    """Client processes, started once, that all begin at the same moment."""

    def __init__(self, pool: ProcessPoolExecutor, number: int) -> None:
        self._pool = pool
        self._number = number

    def measure(self, port: int, workload: Workload, seconds: float) -> Figures:
        """Raises `RuntimeError` if an answer is not a success."""
        asked = [self._pool.submit(_ask, port, workload, seconds, at) for at in range(self._number)]
        values = [each.result() for each in asked]
        times = [one for each in values for one in each.times]
        hundredths = quantiles(times, n=100)
        return Figures(
            rps=round(sum(len(each.times) / each.seconds for each in values), 1),
            p50_ms=round(hundredths[49] * 1000, 2),
            p99_ms=round(hundredths[98] * 1000, 2),
            answers=len(times),
        )


@contextmanager
def clients(number: int) -> Iterator[Clients]:
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(number)
    with ProcessPoolExecutor(number, context, _remember, (barrier,)) as pool:
        yield Clients(pool, number)


def _remember(barrier: Barrier) -> None:
    global _barrier  # noqa: PLW0603 - only what a process starts with may carry a barrier
    _barrier = barrier


def _ask(port: int, workload: Workload, seconds: float, at: int) -> _Measured:
    turns = islice(cycle(workload.targets), at, at + _MOST_REQUESTS)
    connection = HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT)
    connection.connect()
    times: list[float] = []
    _barrier.wait(_TIMEOUT)
    begin = now = time.perf_counter()
    for target in turns:
        body = workload.body.replace(_UNIQUE, uuid4().hex).encode() or None
        start = time.perf_counter()
        connection.request(workload.method, target, body, dict(workload.headers))
        response = connection.getresponse()
        content = response.read()
        now = time.perf_counter()
        times.append(now - start)
        if response.status not in {200, 201}:
            raise RuntimeError(f"{workload.title}: {response.status} {content[:200]!r}")
        if now > begin + seconds and len(times) >= _FEWEST_REQUESTS:
            break
    connection.close()
    return _Measured(times, now - begin)
