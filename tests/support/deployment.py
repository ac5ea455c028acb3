"""The whole of the portal as an operator runs it: every process by itself, each can be killed."""

import contextlib
import copy
import os
import re
import shlex
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import httpx
import psycopg
from redis import Redis

from portal.config.procfile import commands
from tests.support import plain_http
from tests.support.fork_server import Forked, ForkServer, of_the_portal
from tests.support.programs import ROOT, production, surroundings
from tests.support.ready_made import AUDIT_KEY, lay_out, portal_database, postgresql_template
from tests.support.sandbox import Sandbox
from tests.support.services import Services

_PREPARE = """
import sys
import django; django.setup()
from portal.team.management.commands.seed_demo import ensure_demo
print(ensure_demo(*sys.argv[1:]).key)
"""
_FORKED = {"worker", "beat"}
_FILLED_IN = re.compile(r"\$\{(\w+):-([^}]*)\}")
_TIMEOUT = 300.0


class Whole:
    """Web, worker and beat on data of their own, with an administrator and a connection.

    On PostgreSQL and Redis where the tests run on those. `API_TIMEOUT` is short, and so is the
    silence after which a worker is taken for dead. Worker, beat and scripts are forks of a process
    that has set up Django with `environment`, unless the test is about how they start.
    """

    email = "admin@example.com"
    password = "correct horse battery"

    def __init__(
        self, data_dir: Path, sandbox: Sandbox, services: Services, *, forks: bool = True
    ) -> None:
        self.data_dir = data_dir
        self.sandbox = sandbox
        self.services = services
        self.port = free_port()
        self._running: dict[str, subprocess.Popen[bytes] | Forked] = {}
        self._forks = forks
        self._server: ForkServer | None = None
        self._server_environment: dict[str, str] = {}
        self._database = ""
        self.environment = self._environment()
        self.connection = self._prepare()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, *names: str) -> None:
        """Starts those of them that do not run; of one there may be several: `worker-2`."""
        for name in set(names) - self._running.keys():
            process = name.partition("-")[0]
            with (self.data_dir / f"{name}.log").open("ab") as log:
                if self._forks and process in _FORKED:
                    self._make_folders()
                    self._running[name] = self._fork_server().start(
                        *_arguments(process, self.environment),
                        environment=self.environment,
                        stdout=log,
                        stderr=log,
                        new_session=True,
                    )
                else:
                    self._running[name] = subprocess.Popen(
                        [sys.executable, "-m", "portal.config.procfile", process],
                        cwd=ROOT,
                        env=self.environment,
                        stdout=log,
                        stderr=subprocess.STDOUT,
                        start_new_session=True,
                    )

    def _make_folders(self) -> None:
        """As Celery's module does where it is imported, and a fork has imported it before."""
        (self.data_dir / "broker" / "messages").mkdir(parents=True, exist_ok=True)

    def pid(self, name: str) -> int:
        return self._running[name].pid

    def kill(self, name: str) -> None:
        """As a power failure would, with all the processes that it has started."""
        process = self._running.pop(name)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(_TIMEOUT)

    def stop(self, name: str) -> int:
        """As an operator would; its exit status."""
        process = self._running.pop(name)
        process.terminate()
        return process.wait(_TIMEOUT)

    def ended(self) -> dict[str, int]:
        """The exit status of each that ended without being asked to."""
        found = {name: process.poll() for name, process in self._running.items()}
        return {name: status for name, status in found.items() if status is not None}

    def wipe_broker(self) -> None:
        """Forgets every message, those under way too."""
        broker = self.environment.get("CELERY_BROKER_URL", "")
        if broker.startswith("redis"):
            Redis.from_url(broker).flushdb()
        else:
            shutil.rmtree(self.data_dir / "broker" / "messages", ignore_errors=True)

    def close(self) -> None:
        for name in list(self._running):
            self.kill(name)
        if self._server:
            self._server.close()
        if self._database:
            with psycopg.connect(self.services.DATABASE_URL, autocommit=True) as connection:
                connection.execute(f'DROP DATABASE IF EXISTS "{self._database}" WITH (FORCE)')

    def backed_up(self, data_dir: Path, meanwhile: Callable[[], None] | None = None) -> "Whole":
        """Another portal on a backup that is taken now, whatever is under way, and restored.

        On PostgreSQL the dump waits, with all that it locks, until `meanwhile` has returned.
        """
        data_dir.mkdir()
        other = copy.copy(self)
        other._running, other._server, other.data_dir = {}, None, data_dir
        if self._database:
            other._database = f"{self._database}_backup"
            url = at_database(self.environment["DATABASE_URL"], other._database)
            with psycopg.connect(self.environment["DATABASE_URL"], autocommit=True) as connection:
                connection.execute(f'CREATE DATABASE "{other._database}"')
        else:
            url = f"sqlite:///{data_dir}/switchboard.sqlite3"
        other.environment = self.environment | {"DATA_DIR": str(data_dir), "DATABASE_URL": url}
        if not meanwhile or not self._database:
            self.manage("backup", str(data_dir / "backup"))
            other.manage("restore", str(data_dir / "backup"))
        else:
            dump = data_dir / "dump"
            command = ["pg_dump", "-Fc", self.environment["DATABASE_URL"]]
            with dump.open("wb") as file, subprocess.Popen(command, stdout=subprocess.PIPE) as made:
                assert made.stdout
                file.write(made.stdout.read(1))
                meanwhile()
                shutil.copyfileobj(made.stdout, file)
            assert made.returncode == 0
            subprocess.run(["pg_restore", "-d", url, dump], check=True)
        return other

    def script(self, text: str, *arguments: str) -> str:
        """Returns what a Python program says that works on the portal's database."""
        return self._checked(
            self._fork_server(), "-c", f"import sys, django; django.setup()\n{text}", *arguments
        )

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows of the portal's database; `?` stands for a value."""
        if self._database:
            with psycopg.connect(self.environment["DATABASE_URL"]) as found:
                return found.execute(sql.replace("?", "%s"), values).fetchall()
        path = self.data_dir / "switchboard.sqlite3"
        with contextlib.closing(sqlite3.connect(path, timeout=_TIMEOUT)) as known:
            return known.execute(sql, values).fetchall()

    def manage(self, *arguments: str) -> str:
        return self._checked(self._fork_server(), "manage.py", *arguments)

    def log(self, name: str) -> str:
        return (self.data_dir / f"{name}.log").read_text()[-3000:]

    def visitor(self) -> httpx.Client:
        """A client that is signed in as the administrator; the web server has to be up."""
        client = plain_http.Client(base_url=self.url, timeout=_TIMEOUT)
        client.get("/account/login/")
        data = {"login": self.email, "password": self.password}
        self.post(client, "/account/login/", data)
        return client

    def post(self, client: httpx.Client, path: str, values: dict[str, Any]) -> httpx.Response:
        """Sends a form as a page of the portal does."""
        token = client.cookies.get("csrftoken") or client.cookies.get("__Host-csrftoken") or ""
        answer = client.post(path, data={**values, "csrfmiddlewaretoken": token})
        assert answer.status_code < 400, (path, answer.status_code, answer.text[:500])
        return answer

    def until(self, holds: Callable[[], bool], timeout: float = _TIMEOUT) -> None:
        """Waits until something holds; fails with what the processes said if it never does."""
        deadline = time.monotonic() + timeout
        while not holds():
            text = "\n".join(f"{name}: {self.log(name)}" for name in self._running)
            assert time.monotonic() < deadline, text
            time.sleep(0.05)

    def answers(self) -> bool:
        return plain_http.is_up(f"{self.url}/readyz")

    def _prepare(self) -> str:
        """Makes the administrator and a connection. Returns the connection's key."""
        if not self._database:
            lay_out(portal_database(), self.data_dir / "switchboard.sqlite3")
        sandbox = self.sandbox
        known = (self.email, self.password, sandbox.url, sandbox.token, sandbox.profile)
        return self._checked(of_the_portal(), "-c", _PREPARE, *known).split()[-1]

    def _template(self) -> str:
        """Returns the database on PostgreSQL that its own begins as."""
        return postgresql_template(self.services.DATABASE_URL)

    def _environment(self) -> dict[str, str]:
        port = str(self.port)
        made = {
            **surroundings(),
            **production(self.data_dir),
            "DJANGO_SETTINGS_MODULE": "portal.config.settings",
            "AUDIT_KEY": AUDIT_KEY,
            "DEMO": "true",
            "SITE_URL": f"http://127.0.0.1:{port}",
            "ALLOWED_HOSTS": "127.0.0.1",
            "ALLOWED_API_HOSTS": "127.0.0.1",
            "PORT": port,
            "WEB_WORKERS": "1",
            "WEB_THREADS": "4",
            "WORKER_THREADS": "4",
            "API_TIMEOUT": "2",
            "JOB_LEASE": "4",
            "LOG_LEVEL": "WARNING",
            "PATH": f"{Path(sys.executable).parent}:{os.environ.get('PATH', '/usr/bin:/bin')}",
        }
        if self.services.on_postgresql:
            self._database = f"switchboard_whole_{uuid4().hex[:8]}"
            template = self._template()
            with psycopg.connect(self.services.DATABASE_URL, autocommit=True) as connection:
                connection.execute(f'CREATE DATABASE "{self._database}" TEMPLATE "{template}"')
            made["DATABASE_URL"] = at_database(self.services.DATABASE_URL, self._database)
        worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
        for name in ("REDIS_URL", "CELERY_BROKER_URL"):
            url = getattr(self.services, name)
            if url.startswith("redis"):
                url = urlunsplit(urlsplit(url)._replace(path=f"/{12 + int(worker)}"))
            if url:
                made[name] = url
        return made

    def _fork_server(self) -> ForkServer:
        """Settings are read once: an environment that has changed has a server of its own."""
        if self._server is None or self._server_environment != self.environment:
            if self._server:
                self._server.retire()
            self._server_environment = dict(self.environment)
            self._server = ForkServer(
                "tests.support.preloaded_whole",
                environment=self._server_environment,
                within=of_the_portal(),
            )
        return self._server

    def _checked(self, server: ForkServer, *arguments: str) -> str:
        done = server.run(*arguments, environment=self.environment)
        assert done.returncode == 0, done.stderr
        return done.stdout


def _arguments(name: str, environment: dict[str, str]) -> list[str]:
    """Returns the arguments of Python in the Procfile, filled in from the environment."""
    text = _FILLED_IN.sub(lambda found: environment.get(found[1]) or found[2], commands()[name])
    words = shlex.split(text)
    assert words[0] == "exec", text
    return words[words.index("python") + 1 :]


def at_database(url: str, name: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port
