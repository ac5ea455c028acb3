"""A real browser on the real program: what `make run` starts, on free ports and fresh data.

A story that fails leaves the last look of each of its pages, and a trace of what they did for
`playwright show-trace`, in `test-results/`.
"""

import math
import os
import re
import shutil
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, Protocol

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    expect,
    sync_playwright,
)

from tests.browser.fields import field
from tests.browser.shared_demonstration import Demo, shared_demonstration, turn

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "test-results"
_HAS_FAILED = pytest.StashKey[bool]()
# An answer such as 422 is logged by the browser as a failed resource, and the page shows it; htmx
# logs a request that ends because the page is left, because a newer one takes its place, or because
# the machine has too much to do for an answer in time, which the page says.
_HARMLESS = re.compile(
    r".*the server responded with a status|htmx:(afterRequest|sendAbort|timeout)\b", re.DOTALL
)
_FRESH = 400.0  # seconds, well below those after which a proof of identity is asked for again
# Milliseconds for whatever a page does by itself. A story promises what comes, and not how soon: it
# may run beside others, where the machine has much to do.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this run share."""
    own = tmp_path_factory.getbasetemp()
    shared = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "browser"
    shared.mkdir(exist_ok=True)
    return shared


@pytest.fixture(scope="session")
def demo(folder: Path) -> Iterator[Demo]:
    with shared_demonstration(folder) as demo:
        yield demo


@pytest.fixture(autouse=True)
def _turn(request: pytest.FixtureRequest, folder: Path) -> Iterator[None]:
    """Lets stories use the demonstration beside each other, and one that is marked so alone."""
    if "demo" not in request.fixturenames:
        yield
        return
    with turn(folder, alone=request.node.get_closest_marker("alone") is not None):
        yield


def chromium_path() -> str:
    found = (shutil.which(name) for name in ("chromium-headless-shell", "chromium"))
    return os.environ.get("CHROMIUM") or next(filter(None, found), "")


def missing(reason: str) -> NoReturn:
    """Skips a test that this machine is not equipped for, or fails it where it is required."""
    if os.environ.get("BROWSER_REQUIRED"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium without a window, or with a hidden one; without either the test is
    skipped, or fails where it is required."""
    path = chromium_path()
    if not path:
        missing("no Chromium: set CHROMIUM or install the package chromium-headless-shell")
    # Playwright keeps an event loop in this thread while it runs, and Django would refuse its
    # database to every test that comes after on the same worker.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
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


class SignsIn(Protocol):
    """A portal with the password of a user who may sign in."""

    @property
    def email(self) -> str: ...

    @property
    def password(self) -> str: ...


def sign_in(page: Page, demo: SignsIn) -> None:
    page.goto("/")
    page.get_by_label("Email").fill(demo.email)
    field(page, "Password").fill(demo.password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("heading", level=1, name="Home").wait_for()


class Visits:
    """Opens pages, and fails the test for whatever the browser complains of.

    Nothing moves in them unless a story asks for it: what fades takes the time of all others.
    """

    def __init__(self, browser: Browser, demo: Demo, state: dict[str, object]) -> None:
        self._browser, self._demo, self._state = browser, demo, state
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def __call__(self, *, signed_in: bool = True, **options: Any) -> Page:
        if signed_in:
            options["storage_state"] = self._state
        context = self._browser.new_context(
            base_url=self._demo.url,
            **{"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"} | options,
        )
        context.set_default_timeout(PATIENCE)
        context.tracing.start()
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not _HARMLESS.match(message.text):
            self.complaints.append(message.text)

    def keep(self, folder: Path) -> None:
        """Leaves what there is to see of a story that failed."""
        for number, context in enumerate(self._contexts):
            context.tracing.stop(path=folder / f"trace-{number}.zip")
            for page in context.pages:
                with suppress(Error):  # a page that does not draw any more
                    page.screenshot(path=folder / f"page-{number}.png", full_page=True)

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        item.stash[_HAS_FAILED] = True
    return report


@pytest.fixture
def visit(
    request: pytest.FixtureRequest,
    chromium: Browser,
    demo: Demo,
    signed_in_state: dict[str, object],
) -> Iterator[Callable[..., Page]]:
    visits = Visits(chromium, demo, signed_in_state)
    yield visits
    if visits.complaints or request.node.stash.get(_HAS_FAILED, default=False):
        visits.keep(RESULTS / re.sub(r"[^\w.-]+", "-", request.node.name))
    visits.close()
    assert visits.complaints == []
