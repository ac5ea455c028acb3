"""Services that all workers of a run use end with the last of them, however that ends."""

import subprocess
import sys
from pathlib import Path

from tests.browser.keeper import RUNNING, USERS
from tests.support.programs import ROOT

_USES = """
import fcntl, sys
lock = open(sys.argv[1], "a")
fcntl.flock(lock, fcntl.LOCK_SH)
print("held", flush=True)
input()
"""
# A process that is started in the background ignores interruptions.
_IS_USED = """
import os, signal
signal.signal(signal.SIGINT, signal.SIG_DFL)
print(os.getpid(), flush=True)
signal.pause()
"""


def program(*arguments):
    return subprocess.Popen(
        [sys.executable, *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def first_line(process):
    assert process.stdout
    return process.stdout.readline().strip()


def test_what_is_kept_ends_once_its_last_user_is_killed(tmp_path):
    first, last = (program("-c", _USES, str(tmp_path / USERS)) for _ in range(2))
    assert [first_line(each) for each in (first, last)] == ["held", "held"]
    keeper = program("-m", "tests.browser.keeper", str(tmp_path), sys.executable, "-c", _IS_USED)
    kept = Path("/proc", first_line(keeper))
    (tmp_path / RUNNING).touch()
    first.communicate("done")
    assert kept.exists()
    last.kill()
    last.wait()
    assert keeper.wait(60) == 0
    assert not kept.exists()
    assert not (tmp_path / RUNNING).exists()
