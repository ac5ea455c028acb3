"""People who watch a page that keeps itself fresh: each asks for its part as the page does, once
its figures are as old as chosen and there may be newer ones."""

import random
import threading
import time
from dataclasses import dataclass, field
from http.client import HTTPConnection

_TIMEOUT = 30.0
_SPREAD = 1.2  # seconds, as in `static/js/refresh.js`


@dataclass
class Seen:
    """Results of the viewers: the seconds that each answer took, how many were unchanged, and how
    old figures were before the next ones came, from which age on."""

    times: list[float] = field(default_factory=list)
    ages: list[tuple[float, float]] = field(default_factory=list)
    unchanged: int = 0
    faults: int = 0

    @property
    def oldest(self) -> float:
        """Seconds."""
        return max((age for _first, age in self.ages), default=0.0)

    @property
    def mean_age(self) -> float:
        """Seconds, at any moment."""
        watched = sum(age - first for first, age in self.ages)
        return sum((age**2 - first**2) / 2 for first, age in self.ages) / max(watched, 0.001)


class Viewers:
    """So many threads, which begin spread over one interval, as people do."""

    def __init__(self, number: int, every: float, target: str, headers: dict[str, str]) -> None:
        self._every, self._target, self._headers = every, target, headers
        self._number = number
        self.seen = Seen()  # so far
        self._chance = random.Random(7)  # noqa: S311

    def watch(self, port: int, seconds: float) -> Seen:
        """All of them, until the time is over."""
        self.seen, until = Seen(), time.perf_counter() + seconds
        threads = [
            threading.Thread(target=self._one, args=(port, until, delay, self.seen))
            for delay in [self._chance.uniform(0, self._every) for _ in range(self._number)]
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self.seen

    def _one(self, port: int, until: float, delay: float, seen: Seen) -> None:
        connection = HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT)
        etag, due, pictured, first = "", time.perf_counter() + delay, 0.0, 0.0
        while due < until:
            time.sleep(max(due - time.perf_counter(), 0))
            headers = {**self._headers, **({"If-None-Match": etag} if etag else {})}
            start = time.perf_counter()
            connection.request("GET", self._target, headers=headers)
            answer = connection.getresponse()
            answer.read()
            seen.times.append(time.perf_counter() - start)
            seen.unchanged += answer.status == 304
            seen.faults += answer.status not in {200, 304}
            etag = answer.headers.get("ETag") or etag
            now = time.perf_counter()
            age = float(answer.headers.get("Switchboard-Age") or 0)
            if pictured:
                seen.ages.append((first, now - pictured))
            pictured, first = now - age, age
            wait = float(answer.headers.get("Switchboard-Next") or 0)
            wait += self._chance.uniform(0, min(_SPREAD, wait / 2))
            due = now + max(wait, self._every - age)
        connection.close()
