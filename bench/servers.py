"""The servers that are measured, each a process of its own on a free port."""

import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[1]
PRISM = ROOT / "bench" / "node_modules" / ".bin" / "prism"
_TIMEOUT = 900.0  # seconds: a service of 50,000 people is filled at its start


@dataclass(frozen=True)
class Server:
    """A server that answers."""

    pid: int
    port: int
    base_path: str
    token: str
    startup_seconds: float

    def address(self, target: str) -> str:
        """Returns the address of a target, with the token in the query as the interface has it."""
        return f"{self.base_path}{target}{'&' if '?' in target else '?'}access_token={self.token}"

    def get(self, target: str) -> tuple[int, bytes]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=_TIMEOUT)
        try:
            connection.request("GET", self.address(target))
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def memory(self) -> tuple[float, float]:
        """MB of all its processes: what they share counted once (PSS), and each time (RSS)."""
        first = psutil.Process(self.pid)
        values = [each.memory_full_info() for each in (first, *first.children(recursive=True))]
        rss = sum(each.rss for each in values)
        pss = sum(getattr(each, "pss", each.rss) for each in values)
        return round(pss / 1e6, 1), round(rss / 1e6, 1)


@contextmanager
def sandbox(data_dir: Path, users: int, *flags: str) -> Iterator[Server]:
    """A sandbox with this many people, made at its first start in `data_dir`."""
    port, token = free_port(), secrets.token_urlsafe(24)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SANDBOX_")}
    command = [sys.executable, "manage.py", "sandbox", f"--bind=127.0.0.1:{port}"]
    with _running(
        [*command, f"--data-dir={data_dir}", f"--users={users}", *flags],
        {**kept, "SANDBOX_TOKEN": token},
        Server(0, port, "/v2", token, 0),
    ) as server:
        yield server


@contextmanager
def prism(document: Path) -> Iterator[Server]:
    """Prism as a static mock of an OpenAPI document; it logs nothing."""
    port = free_port()
    command = [str(PRISM), "mock", "--host=127.0.0.1", f"--port={port}", "--verboseLevel=silent"]
    with _running([*command, str(document)], {**os.environ}, Server(0, port, "", "any", 0)) as it:
        yield it


@contextmanager
def stand_in(module: str, *words: object) -> Iterator[Server]:
    """A stand-in service of `bench`, which takes its port and these words."""
    port = free_port()
    command = [sys.executable, "-m", module, str(port), *(str(word) for word in words)]
    with _running(command, {**os.environ}, Server(0, port, "/v2", "any", 0)) as it:
        yield it


@contextmanager
def _running(command: list[str], environment: dict[str, str], server: Server) -> Iterator[Server]:
    start = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
    )
    try:
        wait(process, server)
        seconds = round(time.perf_counter() - start, 2)
        yield Server(process.pid, server.port, server.base_path, server.token, seconds)
    finally:
        process.terminate()
        process.wait(_TIMEOUT)


def wait(process: "subprocess.Popen[bytes]", server: Server) -> None:
    """Until it answers; raises `RuntimeError` if it never does."""
    deadline = time.monotonic() + _TIMEOUT
    while process.poll() is None and time.monotonic() < deadline:
        try:
            status, _ = server.get("/users")
        except (OSError, HTTPException):
            time.sleep(0.02)
            continue
        if status in {200, 401}:  # a service of today takes no token in the query
            return
    raise RuntimeError(f"{process.args!r} did not answer.")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port
