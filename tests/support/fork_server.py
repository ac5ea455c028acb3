"""Starts programs as forks of a process that has imported and set up what they need.

    done = of_the_sandbox().run("-c", "import django; django.setup(); …", environment={…})
    running = of_the_sandbox().start("manage.py", "sandbox", environment={…}, stderr=log)

A fork costs a tenth of a program that begins with nothing, and is otherwise as one: its arguments,
environment, folder, streams and signals are its own. How the program itself starts is not shown by
it, so that each command is also run as a process of its own by some test.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import IO

from tests.support.forking import NUMBER
from tests.support.programs import ROOT, surroundings

# What programs of the portal import that reads no settings.
_LIBRARIES = (
    "celery.bin.celery",
    "cryptography.x509",
    "django.core.management",
    "django.db.backends.sqlite3.base",
    "django.forms",
    "django.template",
    "django_structlog",
    "httpx",
    "pydantic",
    "redis",
    "requests",
    "whitenoise",
    "yaml",
    "portal.client",
    "portal.config.environment",
    "portal.config.logs",
    "portal.contract",
)
_STARTS_WITHIN = 150.0  # seconds, on a busy machine
_SERVERS: list["ForkServer"] = []


class Forked:
    """A program that runs in a fork; has what a test needs of `subprocess.Popen`."""

    def __init__(self, answers: socket.socket, arguments: tuple[str, ...]) -> None:
        self.args = arguments
        self.returncode: int | None = None
        self._answers = answers
        self.pid = self._answer(_STARTS_WITHIN)

    def poll(self) -> int | None:
        """Its exit status, if it has ended."""
        try:
            return self.wait(0.0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            self.returncode = self._answer(timeout)
            self._answers.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _answer(self, timeout: float | None) -> int:
        self._answers.settimeout(timeout)
        try:
            answer = self._answers.recv(NUMBER.size)
        except (TimeoutError, BlockingIOError):
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0) from None
        if not answer:
            raise RuntimeError("The fork server has ended.")
        number: int
        (number,) = NUMBER.unpack(answer)
        return number


class ForkServer:
    """Forks from a process that has imported these modules, which starts now.

    It may come of another server, and has imported then what that has.
    """

    def __init__(
        self,
        *modules: str,
        environment: Mapping[str, str],
        within: "ForkServer | None" = None,
    ) -> None:
        self._control, theirs = socket.socketpair()
        command = ["-m", "tests.support.forking", *modules]
        with theirs:
            if within:
                self._process: Forked | subprocess.Popen[bytes] = within.start(
                    *command, environment=environment, stdin=theirs.fileno(), stderr=2
                )
            else:
                self._process = subprocess.Popen(
                    [sys.executable, *command], cwd=ROOT, env=environment, stdin=theirs.fileno()
                )
        _SERVERS.append(self)

    def start(
        self,
        *arguments: str,
        environment: Mapping[str, str],
        stdin: int = subprocess.DEVNULL,
        stdout: "IO[str] | IO[bytes] | int" = subprocess.DEVNULL,
        stderr: "IO[str] | IO[bytes] | int" = subprocess.DEVNULL,
        new_session: bool = False,
    ) -> Forked:
        """`python <arguments>` in the project's directory, with this environment and no other."""
        ours, theirs = socket.socketpair()
        message = {
            "arguments": arguments,
            "environment": dict(environment),
            "folder": str(ROOT),
            "new_session": new_session,
        }
        with theirs, Path(os.devnull).open("r+b") as nothing:
            streams = [
                nothing.fileno() if stream == subprocess.DEVNULL else _number(stream)
                for stream in (stdin, stdout, stderr)
            ]
            socket.send_fds(self._control, [b"."], [*streams, theirs.fileno()])
            ours.sendall(json.dumps(message).encode() + b"\n")
        return Forked(ours, arguments)

    def run(
        self, *arguments: str, environment: Mapping[str, str], timeout: float = 240
    ) -> "subprocess.CompletedProcess[str]":
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            running = self.start(*arguments, environment=environment, stdout=out, stderr=err)
            try:
                status = running.wait(timeout)
            finally:
                running.kill()
            out.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess(arguments, status, out.read(), err.read())

    def retire(self) -> None:
        """Ends it with its last program, whenever that is."""
        self._control.close()

    def close(self) -> None:
        """Ends it with its last program; what they cost is this process's then."""
        _SERVERS.remove(self)
        self.retire()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


@cache
def of_the_sandbox() -> ForkServer:
    """Has set up Django for the sandbox, and imported what serves it."""
    settings = {"DJANGO_SETTINGS_MODULE": "portal.sandbox.settings"}
    return ForkServer("tests.support.preloaded_sandbox", environment=surroundings() | settings)


@cache
def of_the_portal() -> ForkServer:
    """Has imported libraries and the contract; its programs read their settings themselves."""
    return ForkServer(*_LIBRARIES, environment=surroundings())


def run_forked(
    *arguments: str, environment: Mapping[str, str]
) -> "subprocess.CompletedProcess[str]":
    """`programs.run` of a program of the portal's."""
    return of_the_portal().run(*arguments, environment={**surroundings(), **environment})


def loaded(*environments: Mapping[str, str]) -> list[str]:
    """Why each of them is refused as the portal's settings, or nothing where it is not."""
    done = [run_forked("-c", "import portal.config.settings", environment=e) for e in environments]
    return [each.stderr if each.returncode else "" for each in done]


def pytest_sessionfinish() -> None:
    for server in reversed([*_SERVERS]):  # one that came of another first
        server.close()


def _number(stream: "IO[str] | IO[bytes] | int") -> int:
    return stream if isinstance(stream, int) else stream.fileno()
