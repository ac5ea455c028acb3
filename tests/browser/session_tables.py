"""Tables of sessions, as people send them in the running demo."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.people import create_in_service, new_email, open_people
from tests.browser.service import call
from tests.browser.shared_demonstration import Demo

TIMEOUT = 60_000
HEADING: dict[str, Any] = {"level": 1}


def open_page(page: Page, address: str) -> None:
    """A page of the connection, by what follows the connection in its address."""
    if "/c/" not in page.url:
        open_people(page)
    page.goto("/".join([*page.url.split("/")[:5], address]))


def known_host(page: Page, demo: Demo) -> tuple[str, str]:
    """The email and the id of a new person whom the list of people has: what others host is
    forgotten as soon as all that is planned is read."""
    email = new_email("host")
    host = create_in_service(demo, email)
    open_people(page)
    page.get_by_role("button", name="Refresh").click()
    page.get_by_label("Search people").fill(email)
    expect(page.get_by_text("1 person found")).to_be_visible(timeout=TIMEOUT)
    return email, host


def scheduled(demo: Demo, host: str) -> dict[str, dict[str, Any]]:
    """The host's meetings as the service reports them, by the last word of their topics."""
    query = {"type": "scheduled", "page_size": 30}
    listed = call(demo, "GET", f"/users/{host}/meetings", params=query)["meetings"]
    return {one["topic"].split()[-1]: call(demo, "GET", f"/meetings/{one['id']}") for one in listed}


def open_import(page: Page, family: str = "meetings") -> None:
    """The page that takes a table."""
    open_page(page, f"{family}/import/")
    expect(page.get_by_role("heading", **HEADING)).to_have_text(f"Import {family}")


def paste(page: Page, *lines: str) -> None:
    """Pastes rows instead of a file, and goes on to what their columns mean."""
    page.get_by_text("Paste rows instead").click()
    page.get_by_role("textbox", name="Rows").fill("\n".join(lines))
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", **HEADING)).to_have_text("Map columns")


def run(page: Page, button: str, count: int) -> None:
    """Has the plan made, approves it by its button, and waits until all of it is done."""
    page.get_by_role("button", name="Preview changes").click()
    approve(page, button, count)


def approve(page: Page, button: str, count: int) -> None:
    page.get_by_role("button", name=button).click(timeout=TIMEOUT)
    done = re.compile(rf"\b{count} .*(created|changed|deleted|registered|done)\b")
    expect(page.locator("#job-status")).to_contain_text(done, timeout=TIMEOUT)
