"""The demonstration that all workers of a run use: the first that needs it starts it, and it ends
with the last of them, however that ends.

    with shared_demonstration(folder) as demo: ...
    with turn(folder, alone=True): ...    # no other process uses it meanwhile

Each worker holds a lock meanwhile, and the keeper ends the demonstration when none does.
"""

import fcntl
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

import pytest

from portal.config import demo as started
from tests.browser.keeper import RUNNING, USERS
from tests.support import plain_http, ready_made
from tests.support.programs import ROOT, surroundings

_TIMEOUT = 240.0


@dataclass(frozen=True)
class Demo:
    """A running demo: where it is, who may sign in, and what it was started with."""

    url: str
    email: str
    password: str
    sandbox_url: str
    sandbox_token: str
    data_dir: Path
    environment: dict[str, str]
    sandbox_profile: str = ""


def free_ports(count: int) -> list[int]:
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [server.getsockname()[1] for server in held]
    for server in held:
        server.close()
    return ports


@contextmanager
def shared_demonstration(folder: Path) -> Iterator[Demo]:
    """The demonstration of this folder, which lasts as long as anybody uses it."""
    running = folder / RUNNING
    with _lock(folder, USERS) as users:
        with _lock(folder, "start.lock") as starting:
            fcntl.flock(starting, fcntl.LOCK_EX)
            fcntl.flock(users, fcntl.LOCK_SH)  # where the last one ends just now, once it has
            if not running.exists():
                _write(running, _start(folder))
        known = json.loads(running.read_text())
        yield Demo(**known | {"data_dir": Path(known["data_dir"])})


@contextmanager
def turn(folder: Path, *, alone: bool) -> Iterator[None]:
    """A time in which it is used, beside others or alone; who waits for that is next."""
    with _lock(folder, "gate.lock") as gate, _lock(folder, "turn.lock") as inside:
        fcntl.flock(gate, fcntl.LOCK_EX)
        fcntl.flock(inside, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        fcntl.flock(gate, fcntl.LOCK_UN)
        yield


def _lock(folder: Path, name: str) -> IO[str]:
    return (folder / name).open("a")


def _write(path: Path, demo: Demo) -> None:
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(asdict(demo), default=str))
    unfinished.replace(path)


def _start(folder: Path) -> Demo:
    data_dir = Path(tempfile.mkdtemp(prefix="demo-", dir=folder))
    _prepare(data_dir)
    port, sandbox_port = free_ports(2)
    environment = surroundings() | {
        "DATA_DIR": str(data_dir),
        "PORT": str(port),
        "SANDBOX_PORT": str(sandbox_port),
        "ALLOWED_API_HOSTS": "127.0.0.1",
        "SAMPLE": "off",
        "EMAIL_URL": f"filemail:///{data_dir}/mail",
    }
    log, python = data_dir / "output.log", [sys.executable, "-m"]
    with log.open("wb") as output:
        keeper = subprocess.Popen(
            [*python, "tests.browser.keeper", str(folder), *python, "portal.config.demo"],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    for url in (
        f"http://127.0.0.1:{port}/readyz",
        f"http://127.0.0.1:{sandbox_port}/v2/openapi.json",
    ):
        _until_ready(url, keeper, log)
    known = json.loads((data_dir / "demo-credentials.json").read_text())
    return Demo(**known, data_dir=data_dir, environment=environment)


def _prepare(data_dir: Path) -> None:
    """Databases that are migrated already, and the key under which the trail in them is sealed."""
    ready_made.lay_out(ready_made.portal_database(), data_dir / "switchboard.sqlite3")
    ready_made.lay_out(ready_made.sandbox_database(), data_dir / "sandbox" / "sandbox.sqlite3")
    made = started.keys(data_dir) | {"AUDIT_KEY": ready_made.AUDIT_KEY}
    text = "".join(f"{name}={value}\n" for name, value in made.items())
    started.write_private(data_dir / "demo.env", text)


def _until_ready(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Waits until this address answers; portal and sandbox come up in either order."""
    deadline = time.monotonic() + _TIMEOUT
    while time.monotonic() < deadline:
        if process.poll() is not None:
            pytest.fail(f"The demo ended by itself:\n{log.read_text()[-4000:]}")
        if plain_http.is_up(url):
            return
        time.sleep(0.1)
    pytest.fail(f"{url} was not ready in time:\n{log.read_text()[-4000:]}")
