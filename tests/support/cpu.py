"""The CPU seconds of a run, of all its processes, and their limit.

    pytest --cpu-budget=800                   # says so at the end
    pytest --cpu-budget=800 --cpu-limit=1200   # and fails above the limit

Budget and limit are in seconds of one machine, since others are up to twice as fast, and one that
is shared is slower at some hours than at others: between the tests a run times a sample of work
every few seconds, and counts as many seconds as it would have cost there.

Programs that outlive the process that started them become children of the run's own process, so
that their seconds count too.
"""

import ctypes
import json
import os
import resource
import statistics
import sys
import time
from contextlib import suppress

import pytest
from xdist.workermanage import WorkerController

_SET_CHILD_SUBREAPER = 36  # of Linux's prctl
_GRACE = 5.0  # seconds for what is ending just now
_SECONDS = pytest.StashKey[float]()
_SAMPLES = pytest.StashKey[list[float]]()
_OUTPUT = "cpu_samples"
_REFERENCE = 0.0147  # seconds that the sample takes on the machine of the budget, during a run
_EVERY = 5.0  # seconds from one sample of a process to its next


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--cpu-budget", type=float, metavar="S", help="CPU seconds that a run may cost"
    )
    parser.addoption("--cpu-limit", type=float, metavar="S", help="fail above so many CPU seconds")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_SAMPLES] = []
    config.pluginmanager.register(_Sampler(config.stash[_SAMPLES]))
    if _is_controller() and sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


class _Sampler:
    """Times the sample after a test, where the last is some seconds ago."""

    def __init__(self, samples: list[float]) -> None:
        self._samples = samples
        self._next = 0.0

    def pytest_runtest_logfinish(self) -> None:
        if time.monotonic() > self._next:
            self._samples.append(_sample())
            self._next = time.monotonic() + _EVERY


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: WorkerController) -> None:
    output = getattr(node, "workeroutput", {})  # of a worker that died there is none
    node.config.stash[_SAMPLES].extend(output.get(_OUTPUT, []))


@pytest.hookimpl(trylast=True)  # once the workers have ended
def pytest_sessionfinish(session: pytest.Session) -> None:
    if not _is_controller():
        session.config.workeroutput[_OUTPUT] = session.config.stash[_SAMPLES]  # type: ignore[attr-defined]
        return
    session.config.stash[_SECONDS] = seconds = _spent()
    limit = session.config.getoption("--cpu-limit")
    is_above = bool(limit) and seconds * _slowness(session.config) > limit
    if is_above and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    config = terminalreporter.config
    seconds = config.stash.get(_SECONDS, None)
    if seconds is None:
        return
    words = f"CPU: {seconds:.0f} s, user and system, of all processes"
    there = seconds * _slowness(config)
    if budget := config.getoption("--cpu-budget"):
        words += f"; {there:.0f} s on the machine whose budget is {budget:.0f} s"
    limit = config.getoption("--cpu-limit")
    terminalreporter.write_line(words)
    if limit and there > limit:
        terminalreporter.write_line(f"That is above the limit of {limit:.0f} s.", red=True)


def _is_controller() -> bool:
    return "PYTEST_XDIST_WORKER" not in os.environ


def _slowness(config: pytest.Config) -> float:
    """Returns how many seconds the machine of the budget takes for one second of this machine."""
    samples: list[float] = config.stash[_SAMPLES]
    return _REFERENCE / statistics.harmonic_mean(samples or [_sample()])


def _sample() -> float:
    """The seconds of some work of the kind that tests do."""
    started = time.process_time()
    words: dict[str, int] = {}
    for number in range(60_000):
        key = f"row {number % 997}"
        words[key] = words.get(key, 0) + len(key)
    text = json.dumps(words)
    for _ in range(40):
        json.loads(text)
    return time.process_time() - started


def _spent() -> float:
    """The seconds of this process and of its descendants, those that end within moments too."""
    deadline = time.monotonic() + _GRACE
    with suppress(ChildProcessError):  # none is left
        while time.monotonic() < deadline:
            ended, _ = os.waitpid(-1, os.WNOHANG)
            if not ended:
                time.sleep(0.05)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + used.ru_utime + used.ru_stime
