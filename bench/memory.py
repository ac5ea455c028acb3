"""Memory of a server while it is asked: MB by time, and by answers."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import linear_regression

from bench.servers import Server

WARM = 2  # minutes in which threads, connections and caches are made
_EVERY = 10.0  # seconds between two looks
_FEWEST = 6  # looks after that, below which they say nothing of growth


@dataclass
class Memory:
    """MB of the processes (PSS) at each look, with how many answers had been given by then."""

    warm: float = WARM
    minutes: list[float] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    mb: list[float] = field(default_factory=list)

    def look(self, seconds: float, answers: int, mb: float) -> None:
        self.minutes.append(seconds / 60)
        self.answers.append(answers)
        self.mb.append(mb)

    @property
    def by_minute(self) -> list[float]:
        """At the beginning, after each minute, and at the end."""
        looks = dict(zip(self.minutes, self.mb, strict=True))
        ends = range(int(self.minutes[-1]) + 1)
        return [*(looks[min(at for at in looks if at >= end)] for end in ends), self.mb[-1]]

    @property
    def by_the_minute(self) -> float | None:
        """MB that a minute adds once it is warm; None where it was not watched for long enough."""
        return self._slope(self.minutes)

    @property
    def by_a_thousand(self) -> float | None:
        """MB that a thousand answers add, likewise."""
        return self._slope([each / 1000 for each in self.answers])

    def _slope(self, along: list[float]) -> float | None:
        """By all looks, since one alone is off by what requests under way hold."""
        first = next(
            (at for at, minute in enumerate(self.minutes) if minute >= self.warm), len(along)
        )
        if len(along) - first < _FEWEST or along[first] == along[-1]:
            return None
        return round(linear_regression(along[first:], self.mb[first:]).slope, 3)


@contextmanager
def watched(server: Server, answers: Callable[[], int], warm: float = WARM) -> Iterator[Memory]:
    """Looks every ten seconds while this lasts; `answers` says how many were given so far."""
    memory, is_over, began = Memory(warm), threading.Event(), time.perf_counter()

    def look() -> None:
        memory.look(time.perf_counter() - began, answers(), server.memory()[0])

    def look_again() -> None:
        while not is_over.wait(_EVERY):
            look()

    look()
    thread = threading.Thread(target=look_again)
    thread.start()
    try:
        yield memory
    finally:
        is_over.set()
        thread.join()
        look()
