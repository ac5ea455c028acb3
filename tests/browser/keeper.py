"""Runs a program until no user of it holds its lock any more.

    python -m tests.browser.keeper FOLDER python -m portal.config.demo

The system takes a lock back from a process that ends, in whatever way: so it outlives no run.
"""

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

RUNNING, USERS = "running.json", "users.lock"
_TO_STOP = 20.0


def keep(folder: Path, command: list[str]) -> None:
    signal.signal(signal.SIGCHLD, lambda *_: sys.exit("The program has ended."))
    process = subprocess.Popen(command, start_new_session=True)
    try:
        with (folder / USERS).open("a") as users:
            fcntl.flock(users, fcntl.LOCK_EX)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            (folder / RUNNING).unlink(missing_ok=True)  # who comes now starts another
            process.send_signal(signal.SIGINT)
            process.wait(_TO_STOP)
    finally:
        (folder / RUNNING).unlink(missing_ok=True)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


if __name__ == "__main__":
    keep(Path(sys.argv[1]), sys.argv[2:])
