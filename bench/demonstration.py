"""A demonstration to look at: one that runs already, or one of its own that ends afterwards."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright

from bench.servers import ROOT, free_port

_READY_WITHIN = 300.0


@contextmanager
def demonstration(data: Path | None) -> Iterator[Path]:
    """Yields the data directory of the one that runs, or else of a new one with its sample."""
    if data:
        yield data
        return
    with TemporaryDirectory(prefix="switchboard-design-") as folder:
        own = {"DATA_DIR": folder, "PORT": str(free_port()), "SANDBOX_PORT": str(free_port())}
        process = subprocess.Popen(
            [sys.executable, "-m", "portal.config.demo"],
            cwd=ROOT,
            env={**os.environ, **own},
            stdout=subprocess.DEVNULL,
        )
        try:
            _until_loaded(process, Path(folder))
            yield Path(folder)
        finally:
            process.terminate()
            process.wait(60)


def _until_loaded(process: "subprocess.Popen[bytes]", data: Path) -> None:
    """Waits for the sample, which comes last; raises `RuntimeError` if it never does."""
    deadline = time.monotonic() + _READY_WITHIN
    while process.poll() is None and time.monotonic() < deadline:
        if (data / "demo-credentials.json").exists() and "colleagues" in credentials(data):
            return
        time.sleep(0.5)
    raise RuntimeError("The demonstration did not start.")


def credentials(data: Path) -> dict[str, str]:
    known: dict[str, str] = json.loads((data / "demo-credentials.json").read_text())
    return known


@contextmanager
def chromium() -> Iterator[Browser]:
    path = os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])


def sign_in(page: Page, data: Path) -> str:
    """Signs in and returns the address of the pages of the account."""
    known = credentials(data)
    page.goto(f"{known['url']}/account/login/")
    page.fill("[name=login]", known["email"])
    page.fill("[name=password]", known["password"])
    page.keyboard.press("Enter")
    page.wait_for_url(f"{known['url']}/")
    people = page.locator(".sb-nav a[href$='/people/']").get_attribute("href") or ""
    return f"{known['url']}{people.removesuffix('people/')}"


def address(base: str, path: str) -> str:
    """Returns where a page is, of an account or of the whole portal."""
    portal = base.partition("/c/")[0]
    return f"{portal}{path or '/'}" if path[:1] in {"", "/"} else f"{base}{path}"
