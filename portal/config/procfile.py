"""The processes of Switchboard.

`python -m portal.config.procfile web` becomes one of them: containers run that, so that signals
reach the process itself and its log lines stay as they are. With several names it runs these
together, and restarts a process that ends unasked.
"""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

from honcho.environ import parse_procfile
from honcho.manager import Manager
from honcho.printer import Printer
from honcho.process import Process

from portal.config import starting

_POLL = 0.2
_GRACE = 5.0
# Seconds until an ended process is restarted: twice as many each time, unless it ran longer than
# the longest pause.
_PAUSE, _LONGEST_PAUSE = 1.0, 30.0
_OF_THE_PORTAL = {"web", "worker", "beat"}
PROCFILE = Path(__file__).resolve().parents[2] / "Procfile"


class SupervisedProcess(Process):
    """Process that is restarted whenever it ends, until the manager asks for the end.

    It ends with the manager, even if that was killed.
    """

    ending: Event

    def run(
        self, events: "multiprocessing.Queue[Any] | None" = None, ignore_signals: bool = False
    ) -> None:
        if ignore_signals:
            # A handler, not `SIG_IGN`: that would be handed down to what is started here.
            for each in (signal.SIGINT, signal.SIGTERM):
                signal.signal(each, lambda *_: None)
        threading.Thread(target=self._follow, args=(os.getppid(),), daemon=True).start()
        pause = _PAUSE
        while True:
            began = time.monotonic()
            super().run(events)
            status = self._child.returncode
            if time.monotonic() - began > _LONGEST_PAUSE:
                pause = _PAUSE
            if not self.ending.is_set():
                self._send_message(
                    f"ended by itself (status {status}), is started again in {pause:.0f} s\n"
                )
            if self.ending.wait(pause):
                super()._send_message({"returncode": status}, type="stop")
                return
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _send_message(self, data: object, type: str = "line") -> None:  # noqa: A002 - as honcho's
        if type == "stop":
            return  # of this child alone; `run` says when there is none after it
        super()._send_message(data, type)
        if type == "start" and self.ending.is_set():
            # The manager asked the one before this to end, and does not know of this one yet.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._child.pid, signal.SIGTERM)

    def _follow(self, manager: int) -> None:
        while os.getppid() == manager:
            time.sleep(_POLL)
        self.ending.set()
        group = self._child.pid
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGTERM)
            deadline = time.monotonic() + _GRACE
            while time.monotonic() < deadline:
                self._child.poll()
                os.killpg(group, 0)
                time.sleep(_POLL)
            os.killpg(group, signal.SIGKILL)
        os._exit(1)


class LossyPrinter(Printer):
    """Printer whose failed writes, as on a full disk, are lost and end nothing."""

    def write(self, message: object) -> None:
        with contextlib.suppress(OSError):
            super().write(message)


class Supervisor(Manager):
    """Manager that runs named shell commands until a signal comes, then ends them all.

    `started` is called in a thread once all have been started.
    """

    def __init__(
        self,
        commands: Iterable[tuple[str, str]],
        *,
        cwd: str,
        started: Callable[[], None] = lambda: None,
    ) -> None:
        # A forked child sees by its parent's id that the manager is gone; others have the parent
        # of all children, a server that lives on.
        multiprocessing.set_start_method("fork", force=True)
        super().__init__(LossyPrinter(sys.stdout))
        self._process_ctor = SupervisedProcess
        self._started = started
        self._ending = multiprocessing.Event()
        for name, command in commands:
            self.add_process(name, command, cwd=cwd).ending = self._ending

    def terminate(self) -> None:
        if not self._all_started():
            # A signal came while processes were being made, and not all are known to end.
            threading.Timer(_POLL, os.kill, (os.getpid(), signal.SIGTERM)).start()
            return
        self._ending.set()
        super().terminate()

    def _start(self) -> None:
        super()._start()
        threading.Thread(target=self._started, daemon=True).start()


def commands() -> dict[str, str]:
    """Returns each process's shell command by its name."""
    return dict(parse_procfile(PROCFILE.read_text()).processes)


def main() -> None:
    all_commands, names = commands(), sys.argv[1:]
    if not names or set(names) - all_commands.keys():
        sys.exit(f"Name one process or several: {', '.join(all_commands)}.")
    os.chdir(PROCFILE.parent)
    if {*names} & _OF_THE_PORTAL:
        starting.check(names)
    if len(names) == 1:
        os.execvp("sh", ["sh", "-c", all_commands[names[0]]])  # noqa: S606, S607
    chosen = {name: all_commands[name] for name in names}
    Supervisor(chosen.items(), cwd=str(PROCFILE.parent)).loop()


if __name__ == "__main__":
    main()
