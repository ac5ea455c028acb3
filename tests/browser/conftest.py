"""A real browser on the real program: what `make run` starts, on free ports and fresh data."""

import json
import math
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import httpx
import psycopg
import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.browser.fields import field
from tests.operations.programs import surroundings

ROOT = Path(__file__).resolve().parents[2]
_FRESH = 120.0  # seconds, well below those after which a proof of identity is asked for again
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


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


def _free_ports(count: int) -> list[int]:
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [server.getsockname()[1] for server in held]
    for server in held:
        server.close()
    return ports


def _own_database(url: str, name: str) -> str:
    """A new PostgreSQL database beside the one that the tests were given."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}"')
        connection.execute(f'CREATE DATABASE "{name}"')
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def _environment(data_dir: Path, worker: str) -> dict[str, str]:
    port, sandbox_port = _free_ports(2)
    environment = surroundings() | {
        "DATA_DIR": str(data_dir),
        "PORT": str(port),
        "SANDBOX_PORT": str(sandbox_port),
    }
    number = int(worker.removeprefix("gw") or 0) if worker.startswith("gw") else 0
    if os.environ.get("DATABASE_URL", "").startswith("postgres"):
        environment["DATABASE_URL"] = _own_database(
            os.environ["DATABASE_URL"], f"switchboard_browser_{worker}"
        )
    for name in ("REDIS_URL", "CELERY_BROKER_URL"):
        if os.environ.get(name, "").startswith("redis"):
            # Each demo has its own queue: a message must not reach another one's worker.
            parts = urlsplit(os.environ[name])
            environment[name] = urlunsplit(parts._replace(path=f"/{10 + number}"))
    return environment


def _until_ready(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Waits until this address answers; portal and sandbox come up in either order."""
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        if process.poll() is not None:
            pytest.fail(f"The demo ended by itself:\n{log.read_text()[-4000:]}")
        try:
            if httpx.get(url, timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    pytest.fail(f"{url} was not ready in time:\n{log.read_text()[-4000:]}")


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Demo]:
    data_dir = tmp_path_factory.mktemp("demo")
    environment = _environment(data_dir, worker_id)
    log = data_dir / "output.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "portal.demo"],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _until_ready(f"http://127.0.0.1:{environment['PORT']}/readyz", process, log)
        _until_ready(
            f"http://127.0.0.1:{environment['SANDBOX_PORT']}/v2/openapi.json", process, log
        )
        known = json.loads((data_dir / "demo-credentials.json").read_text())
        yield Demo(**known, data_dir=data_dir, environment=environment)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium; without one the test is skipped, or fails where it is required."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not path:
        reason = "no Chromium: set CHROMIUM or install the package chromium"
        if os.environ.get("BROWSER_REQUIRED"):
            pytest.fail(reason)
        pytest.skip(reason)
    # Playwright keeps an event loop in this thread while it runs, and Django would refuse its
    # database to every test that comes after on the same worker.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_FLAGS)
        yield browser
        browser.close()


class SignedIn:
    """The cookies of a signed-in administrator, so that not every test signs in anew.

    They are fresh enough for what needs a proof of the last minutes.
    """

    def __init__(self, browser: Browser, demo: Demo) -> None:
        self._browser, self._demo = browser, demo
        self._state: dict[str, object] = {}
        self._since = -math.inf

    @property
    def state(self) -> dict[str, object]:
        if time.monotonic() > self._since + _FRESH:
            context = self._browser.new_context(base_url=self._demo.url)
            self._since = time.monotonic()
            sign_in(context.new_page(), self._demo)
            self._state = dict(context.storage_state())
            context.close()
        return self._state


@pytest.fixture(scope="session")
def signed_in(chromium: Browser, demo: Demo) -> SignedIn:
    return SignedIn(chromium, demo)


@pytest.fixture
def signed_in_state(signed_in: SignedIn) -> dict[str, object]:
    return signed_in.state


def sign_in(page: Page, demo: Demo) -> None:
    page.goto("/")
    page.get_by_label("Email").fill(demo.email)
    field(page, "Password").fill(demo.password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("heading", level=1, name="People").wait_for()


class Visits:
    """Opens pages, and fails the test for whatever the browser complains of."""

    def __init__(self, browser: Browser, demo: Demo, state: dict[str, object]) -> None:
        self._browser, self._demo, self._state = browser, demo, state
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def __call__(self, *, signed_in: bool = True, **options: object) -> Page:
        if signed_in:
            options["storage_state"] = self._state
        context = self._browser.new_context(
            base_url=self._demo.url, **{"viewport": {"width": 1280, "height": 900}, **options}
        )
        context.set_default_timeout(10_000)
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def _hear(self, message: ConsoleMessage) -> None:
        # An answer such as 422 is logged by the browser as a failed resource; the page shows it.
        if message.type == "error" and "the server responded with a status" not in message.text:
            self.complaints.append(message.text)

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def visit(
    chromium: Browser, demo: Demo, signed_in_state: dict[str, object]
) -> Iterator[Callable[..., Page]]:
    visits = Visits(chromium, demo, signed_in_state)
    yield visits
    visits.close()
    assert visits.complaints == []
