"""No dialog is wider than it is, whatever people and things are called."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.accessibility import DESK, PHONE, settle
from tests.browser.people import new_email, open_people
from tests.browser.service import call
from tests.browser.session_tabs import plan

Visit = Callable[..., Page]
pytestmark = [pytest.mark.browser, pytest.mark.deep]

UNBROKEN = "W" * 64
TOO_WIDE = """() => {
  const dialog = document.querySelector("dialog#dialog[open]");
  const edge = dialog.getBoundingClientRect();
  const found = [];
  if (dialog.scrollWidth > dialog.clientWidth + 1) found.push(`scrolls: ${dialog.scrollWidth}`);
  if (edge.right > innerWidth + 1 || edge.left < -1) found.push("runs out of the window");
  for (const one of dialog.querySelectorAll("*")) {
    const box = one.getBoundingClientRect();
    if (!box.width || !box.height || one.closest(".visually-hidden, svg, datalist")) continue;
    if (box.right > edge.right + 1 || box.left < edge.left - 1)
      found.push(`${one.tagName}.${one.className}: ${one.textContent.trim().slice(0, 40)}`);
  }
  return found;
}"""


def somebody(demo):
    info = {
        "email": f"{'e' * 50}{new_email('x')}",
        "first_name": UNBROKEN,
        "last_name": UNBROKEN,
        "type": 2,
    }
    return str(call(demo, "POST", "/users", json={"action": "custCreate", "user_info": info})["id"])


def pages(demo):
    """Pages with dialogs about people, a group and sessions of long names."""
    boss, helper = somebody(demo), somebody(demo)
    call(demo, "POST", f"/users/{boss}/assistants", json={"assistants": [{"id": helper}]})
    group = call(demo, "POST", "/groups", json={"name": f"{UNBROKEN}{new_email('g')}"})["id"]
    call(demo, "POST", f"/groups/{group}/members", json={"members": [{"id": boss}]})
    for tab in ("", "sign-in/", "delegates/", "groups/", "telephony/"):
        yield f"people/{boss}/{tab}"
    yield f"people/{helper}/delegates/"
    yield f"groups/{group}/"
    series = {"type": 8, "recurrence": {"type": 1, "end_times": 2}}
    start = {"start_time": "2030-03-01T09:00:00Z", "settings": {"approval_type": 1}}
    meeting = plan(demo, boss, "meetings", topic="T" * 200, **series, **start)
    person = {"email": f"{'r' * 60}@example.com", "first_name": UNBROKEN, "last_name": UNBROKEN}
    call(demo, "POST", f"{meeting}/registrants", json=person)
    for part in ("", "registrants/", "polls/", "livestream/", "recordings/"):
        yield f"{meeting[1:]}/{part}"
    yield "meetings/"


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_no_long_name_runs_out_of_a_dialog(visit, demo, size):
    page = visit(viewport=size)
    open_people(page)
    base = page.url.partition("/people/")[0]
    seen: set[str] = set()
    wrong: dict[str, list[str]] = {}
    for path in pages(demo):
        page.goto(f"{base}/{path}")
        links = page.locator("[data-dialog]")
        hrefs = dict.fromkeys(links.evaluate_all("all => all.map((one) => one.href)"))
        for href in hrefs:
            if href in seen:
                continue
            seen.add(href)
            page.evaluate(
                "href => [...document.querySelectorAll('[data-dialog]')]"
                ".find((one) => one.href === href).click()",
                href,
            )
            page.locator("#dialog[open] #dialog-title").wait_for()
            settle(page)
            if found := page.evaluate(TOO_WIDE):
                wrong[href.removeprefix(base)] = found
            page.evaluate("document.activeElement.blur()")  # Escape closes an open list first
            page.keyboard.press("Escape")
            page.locator("#dialog[open]").wait_for(state="detached")
    assert wrong == {}
    assert len(seen) > 20
