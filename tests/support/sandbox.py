"""The sandbox as a process of its own, over a real socket.

    sandbox.url, sandbox.token                # of one that all tests of a session share
    sandbox.client.get("/users").json()       # raw HTTP, signed in
    sandbox_factory("--rate-limit=5/s")       # one of the test's own

The shared one keeps what tests do to it, and nothing happens in it by itself: a test changes only
people that it made.
"""

import os
import secrets
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import httpx
import pytest

from tests.support import plain_http
from tests.support.fork_server import Forked, of_the_sandbox
from tests.support.programs import ROOT, run
from tests.support.ready_made import lay_out, sandbox_database

# Where Django is set up already, the settings have been read, with another database.
_ON_ITS_DATABASE = """
import sys, pathlib, django
django.setup()
from portal.sandbox.management.commands.sandbox import use_database
use_database(pathlib.Path(sys.argv.pop(1)))
"""
_ASKED_FOR = "Cost centre"
_DATABASE, _BACKUP = "sandbox.sqlite3", "backup.sqlite3"
_TIMEOUT = 30.0
_CROWD = 120  # active people; the sample has some fifty
_STARTS_WITHIN = 150.0  # a busy machine takes its time to make up an account


class Sandbox:
    """A sandbox on a free port; `url` includes the base path. It makes up 20 people."""

    def __init__(self, data_dir: Path, *flags: str, database_url: str = "") -> None:
        self.data_dir = data_dir
        self.database_url = database_url
        self.flags = ("--users=20", *flags)
        self.token = secrets.token_urlsafe(24)
        self.port = _free_port()
        self._process: subprocess.Popen[bytes] | Forked | None = None

    @property
    def url(self) -> str:
        return f"{self.site}/v2"

    @property
    def profile(self) -> str:
        """Returns how it serves: as its flags say, or for all of a run `SANDBOX_PROFILE`."""
        asked = [flag.partition("=")[2] for flag in self.flags if flag.startswith("--profile=")]
        return asked[0] if asked else os.environ.get("SANDBOX_PROFILE") or "plain"

    @property
    def site(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @cached_property
    def client(self) -> httpx.Client:
        """Sends the token with every request."""
        headers = {"Authorization": f"Bearer {self.token}"}
        # A connection that idles longer may be closed by the service just as it is used again.
        limits = httpx.Limits(keepalive_expiry=1)
        return plain_http.Client(
            base_url=self.url, headers=headers, timeout=_TIMEOUT, limits=limits
        )

    def people(self, *statuses: str) -> list[dict[str, Any]]:
        """Everybody with these statuses, active ones unless said, however many tests have left."""
        found: list[dict[str, Any]] = []
        for status in statuses or ("active",):
            page, pages = 1, 1
            while page <= pages:
                query: dict[str, Any] = {"status": status, "page_size": 300, "page_number": page}
                data = self.client.get("/users", params=query).json()
                found += data["users"]
                page, pages = page + 1, -(-data["total_records"] // 300)
        return found

    @property
    def log(self) -> str:
        """Returns what it wrote to its standard error."""
        return self._log_file.read_text()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self, *, from_nothing: bool = False) -> None:
        """Raises `RuntimeError` with the log if it does not come up.

        It is a fork of a process that has Django set up for SQLite. `from_nothing` makes it a
        program of its own, which imports what it needs and makes the tables too: it takes it a
        while.
        """
        self.data_dir.mkdir(parents=True, exist_ok=True)
        from_nothing = from_nothing or bool(self.database_url)
        if not from_nothing:
            lay_out(sandbox_database(), self.data_dir / _DATABASE)
        command = ["manage.py", "sandbox", f"--bind=127.0.0.1:{self.port}"]
        command += [f"--data-dir={self.data_dir}", *self.flags]
        reads, writes = os.pipe()
        with os.fdopen(reads) as said, os.fdopen(writes) as saying, self._log_file.open("a") as log:
            if from_nothing:
                self._process = subprocess.Popen(
                    [sys.executable, *command],
                    cwd=ROOT,
                    env=self._environment,
                    stdout=saying,
                    stderr=log,
                )
            else:
                self._process = of_the_sandbox().start(
                    *command, environment=self._environment, stdout=saying, stderr=log
                )
            saying.close()
            watchdog = threading.Timer(_STARTS_WITHIN, self._process.kill)
            watchdog.start()
            try:
                line = said.readline()
            finally:
                watchdog.cancel()
        if line.strip() != f"Sandbox listening on {self.url}":
            self.kill()
            raise RuntimeError(f"The sandbox did not start: {line}{self.log}")

    def stop(self) -> int:
        """Ends it as an operator would; its exit status."""
        return self._end("terminate")

    def back_up(self) -> None:
        """Copies its database, to which `begin_again` returns."""
        with (
            closing(sqlite3.connect(self.data_dir / _DATABASE)) as now,
            closing(sqlite3.connect(self.data_dir / _BACKUP)) as backup,
        ):
            now.backup(backup)

    def begin_again(self) -> None:
        self.stop()
        for path in self.data_dir.glob(f"{_DATABASE}*"):
            path.unlink()
        (self.data_dir / _DATABASE).write_bytes((self.data_dir / _BACKUP).read_bytes())
        self.start()

    def kill(self) -> None:
        """Ends it as a power failure would; its worker processes have to notice by themselves."""
        self._end("kill")
        deadline = time.monotonic() + _TIMEOUT
        while self._is_listening():
            assert time.monotonic() < deadline, "worker processes outlive the sandbox"

    def _end(self, how: str) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        getattr(process, how)()
        return process.wait(_TIMEOUT)

    def _is_listening(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    @property
    def _environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "SANDBOX_TOKEN": self.token,
            "SANDBOX_DATABASE_URL": self.database_url,
            "SANDBOX_NOW": "",
        }

    @property
    def _log_file(self) -> Path:
        return self.data_dir / "stderr.log"


def run_within(sandbox: Sandbox, code: str, *arguments: str, afresh: bool = False) -> str:
    """Runs code on the sandbox's database, as one of its processes; what it prints.

    It is a fork of a process that others come from too, or if it has to begin `afresh` none.
    """
    how = run if afresh or sandbox.database_url else of_the_sandbox().run
    ran = how(
        *("-c", f"{_ON_ITS_DATABASE}{code}", str(sandbox.data_dir), *arguments),
        environment={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "portal.sandbox.settings",
            "SANDBOX_DATABASE_URL": sandbox.database_url,
        },
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


_SHARED: list[Sandbox] = []  # the one of this process's tests, once it is started


class SandboxFactory(Protocol):
    """Starts a sandbox with these flags, on data of its own; it ends with the test."""

    def __call__(self, *flags: str) -> Sandbox: ...


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    running = Sandbox(tmp_path_factory.mktemp("sandbox"), "--users=60", "--frozen")
    running.start()
    running.back_up()
    _SHARED.append(running)
    yield running
    _SHARED.remove(running)
    running.client.close()
    running.stop()


@pytest.fixture(scope="module", autouse=True)
def _uncrowded() -> Iterator[None]:
    """Begins the shared sandbox again after a module if tests have added people to it by the
    dozen: whatever reads everybody would take ever longer."""
    yield
    for shared in _SHARED:
        if len(shared.people()) > _CROWD:
            shared.begin_again()


@pytest.fixture
def required_tracking_field(sandbox: Sandbox) -> Iterator[str]:
    """A tracking field without which no meeting is scheduled while the test lasts; its name."""
    listed = sandbox.client.get("/v2/tracking_fields").json()["tracking_fields"]
    [path] = [f"/v2/tracking_fields/{each['id']}" for each in listed if each["field"] == _ASKED_FOR]
    sandbox.client.patch(path, json={"required": True}).raise_for_status()
    yield _ASKED_FOR
    sandbox.client.patch(path, json={"required": False}).raise_for_status()


@pytest.fixture
def sandbox_factory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxFactory]:
    with ExitStack() as at_the_end:

        def make(*flags: str) -> Sandbox:
            made = Sandbox(tmp_path_factory.mktemp("sandbox"), *flags)
            made.start()
            at_the_end.callback(made.client.close)
            at_the_end.callback(made.stop)
            return made

        yield make


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port
