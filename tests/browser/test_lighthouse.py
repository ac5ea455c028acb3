"""Lighthouse on a page of each kind, as a desktop sees it: accessibility and best practices are at
100, and nothing moves while a page comes. How fast it comes is a matter of the machine."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.accessibility import DESK
from tests.browser.conftest import FLAGS, chromium_path, missing, sign_in
from tests.browser.people import enter
from tests.browser.recorded import in_path, open_archive, past_meeting
from tests.browser.shared_demonstration import free_ports

pytestmark = [pytest.mark.browser, pytest.mark.deep]
AUDIT = Path(__file__).parent / "lighthouse" / "audit.js"
BEST = {"accessibility": 100, "best-practices": 100, "cumulative-layout-shift": 100}


@dataclass
class Signed:
    """A browser of its own with a user who is signed in, and the port that commands it."""

    page: Page
    port: int

    def audited(self, *urls: str) -> list[dict[str, Any]]:
        data = json.dumps({"port": self.port, "urls": urls})
        done = subprocess.run(
            ["node", AUDIT, data], capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stderr[-4000:]
        return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def signed(chromium, demo, tmp_path):
    if not (AUDIT.parent / "node_modules").is_dir():
        missing("no Lighthouse: make installed-browser")
    [port] = free_ports(1)
    context = chromium.browser_type.launch_persistent_context(
        tmp_path,
        executable_path=chromium_path(),
        args=[*FLAGS, f"--remote-debugging-port={port}"],
        base_url=demo.url,
        viewport=DESK,
    )
    page = context.new_page()
    sign_in(page, demo)
    yield Signed(page, port)
    context.close()


def test_pages_of_each_kind_are_as_good_as_can_be(signed):
    enter(signed.page)
    root = signed.page.url.partition("/people/")[0]
    signed.page.goto(f"{root}/recordings/")
    recording = signed.page.locator("tr[data-key]").first.get_attribute("data-key") or ""
    pages = (
        "people/",
        "people/create/",
        "calendar/",
        "jobs/",
        "recordings/",
        f"recordings/of/{in_path(recording)}/",
    )
    portal = root.partition("/c/")[0]
    urls = [*(f"{root}/{each}" for each in pages), f"{portal}/account/2fa/", f"{portal}/"]
    are_as_good_as_can_be(signed, urls)


def test_dashboards_and_reports_are_as_good_as_can_be(signed, demo):
    enter(signed.page)
    root = signed.page.url.partition("/people/")[0]
    open_archive(signed.page, root)
    pages = (
        "dashboards/",
        "dashboards/quality/",
        "dashboards/ports/",
        "dashboards/alerts/",
        "reports/daily/?period=7-days",
        f"reports/meetings/{in_path(past_meeting(demo))}/participants/",
        "chat/?period=30-days",
    )
    signed.page.goto(f"{root}/dashboards/")
    signed.page.locator(".live-list tbody tr").first.wait_for()  # from now on there is a picture
    are_as_good_as_can_be(signed, [f"{root}/{each}" for each in pages])


def test_pages_of_the_account_are_as_good_as_can_be(signed):
    enter(signed.page)
    root = signed.page.url.partition("/people/")[0]
    rows = signed.page.locator("tr[data-key]").all()[:3]
    people = "&".join(f"subject={row.get_attribute('data-key')}" for row in rows)
    pages = (
        "sub-accounts/",
        f"compare/people/?{people}",
        "baselines/",
        "baselines/new/people/",
        "devices/import/",
        "webhooks/deliveries/",
    )
    are_as_good_as_can_be(signed, [f"{root}/account/{each}" for each in pages])


def are_as_good_as_can_be(signed, urls):
    found = signed.audited(*urls)
    assert [each["seen"] for each in found] == urls
    assert [each for each in found if each["scores"] != BEST] == []
