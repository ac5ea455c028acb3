"""Web and worker processes on one host, killed and started again as a service manager does it."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException

import psutil

from bench.servers import ROOT, free_port

_TIMEOUT = 90.0
_ENDED_WITHIN = 10.0


class Fleet:
    """Processes by name: `web-1`, `worker-2`, `beat`. `kills` counts those that were killed."""

    def __init__(self, environment: Mapping[str, str], names: tuple[str, ...]) -> None:
        self._environment = environment
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self.ports = {name: free_port() for name in names if name.startswith("web")}
        self.kills = 0
        self.names = names
        for name in names:
            self._start(name)
        for name in self.ports:
            self._await(name)

    def kill(self, name: str) -> None:
        """`kill -9` of a process and all that it has started; another takes its place at once.

        Raises `RuntimeError` where it had ended by itself: then nothing would be killed."""
        code = self._running[name].poll()
        if code is not None:
            raise RuntimeError(f"{name} had ended by itself, with {code}.")
        self._end(name)
        self.kills += 1
        self._start(name)

    def memory(self) -> dict[str, float]:
        """MB that each has, with the processes that it has started."""
        found = {}
        for name, process in self._running.items():
            first = psutil.Process(process.pid)
            family = (first, *first.children(recursive=True))
            found[name] = round(sum(each.memory_info().rss for each in family) / 1e6, 1)
        return found

    def close(self) -> None:
        for name in list(self._running):
            self._end(name)

    def _start(self, name: str) -> None:
        own = {"PORT": str(self.ports[name])} if name in self.ports else {}
        self._running[name] = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "portal.config.procfile", name.partition("-")[0]],
            cwd=ROOT,
            env={**self._environment, **own},
            stdout=sys.stderr,
            start_new_session=True,
        )

    def _end(self, name: str) -> None:
        process = self._running.pop(name)
        family: list[psutil.Process] = []
        with contextlib.suppress(psutil.NoSuchProcess):
            family = psutil.Process(process.pid).children(recursive=True)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for each in family:  # also one that has left the group
            with contextlib.suppress(psutil.NoSuchProcess):
                each.kill()
        _, alive = psutil.wait_procs(family, timeout=_ENDED_WITHIN)
        if alive:
            raise RuntimeError(f"{name} was killed, and {alive} live on.")

    def _await(self, name: str) -> None:
        deadline = time.monotonic() + _TIMEOUT
        while time.monotonic() < deadline:
            connection = HTTPConnection("127.0.0.1", self.ports[name], timeout=5)
            try:
                connection.request("GET", "/healthz")
                if connection.getresponse().status == 200:
                    return
            except (OSError, HTTPException):
                time.sleep(0.1)
            finally:
                connection.close()
        raise RuntimeError(f"{name} does not answer.")


@contextmanager
def fleet(environment: Mapping[str, str], *names: str) -> Iterator[Fleet]:
    # A process that is asked to end ends what it started too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    made = Fleet(environment, names)
    try:
        yield made
    finally:
        made.close()
