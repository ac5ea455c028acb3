"""People who watch a page that keeps itself fresh: each asks for its part every few seconds."""

import random
import threading
import time
from dataclasses import dataclass, field
from http.client import HTTPConnection

_TIMEOUT = 30.0


@dataclass
class Seen:
    """Results of the viewers: the seconds that each answer took, and how many were unchanged."""

    times: list[float] = field(default_factory=list)
    unchanged: int = 0
    faults: int = 0


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
        etag, due = "", time.perf_counter() + delay
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
            due += self._every
        connection.close()
