"""Runs several processes as one: they start together, end together, and none is left behind."""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from honcho.manager import Manager
from honcho.process import Process

_ASK_AGAIN = 0.2
_GRACE = 5.0


class Tethered(Process):  # type: ignore[misc]
    """Ends when the manager ends, even if that was killed and could say nothing."""

    def run(
        self, events: "multiprocessing.Queue[Any] | None" = None, ignore_signals: bool = False
    ) -> None:
        threading.Thread(target=self._follow, args=(os.getppid(),), daemon=True).start()
        super().run(events, ignore_signals)

    def _follow(self, manager: int) -> None:
        while os.getppid() == manager:
            time.sleep(_ASK_AGAIN)
        group = self._child.pid
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGTERM)
            deadline = time.monotonic() + _GRACE
            while time.monotonic() < deadline:
                self._child.poll()
                os.killpg(group, 0)
                time.sleep(_ASK_AGAIN)
            os.killpg(group, signal.SIGKILL)
        os._exit(1)


class Supervisor(Manager):  # type: ignore[misc]
    """Runs named shell commands until one ends or a signal comes, then ends them all.

    `started` is called in a thread once all have been started. Afterwards `ended_first` names the
    process that ended by itself, and is empty where a signal asked for the end.
    """

    def __init__(
        self, commands: Iterable[tuple[str, str]], *, cwd: str, started: Callable[[], None]
    ) -> None:
        # A forked child sees by its parent's id that the manager is gone; others have the parent
        # of all children, a server that lives on.
        multiprocessing.set_start_method("fork", force=True)
        super().__init__()
        self._process_ctor = Tethered
        self._started = started
        self.ended_first = ""
        for name, command in commands:
            self.add_process(name, command, cwd=cwd)

    def terminate(self) -> None:
        if not self._all_started():
            # A signal came while processes were being made, and not all are known to end.
            threading.Timer(_ASK_AGAIN, os.kill, (os.getpid(), signal.SIGTERM)).start()
            return
        if not self._terminating:
            ended = (name for name, process in self._processes.items() if "returncode" in process)
            self.ended_first = next(ended, "")
        super().terminate()

    def _start(self) -> None:
        super()._start()
        threading.Thread(target=self._started, daemon=True).start()
