"""The page of one thing: no text leaves its column, and a change is undone where it is told."""

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import problems
from tests.browser.people import create_in_service, enter, in_service, new_email, open_person

pytestmark = [pytest.mark.browser, pytest.mark.deep]

# Texts that stand out of the cell that they are in; what is cut with an ellipsis stays within.
CROSSING = """() => {
  const cells = ".sb-figures > a, .sb-lines > li > *, .sb-rail .datagrid-item, .home-need > *, "
    + ".page-header > .sb-head-text, .page-header .sb-facts > span";
  const wrong = [];
  for (const cell of document.querySelectorAll(cells)) {
    const box = cell.getBoundingClientRect();
    for (const one of box.width ? [cell, ...cell.querySelectorAll("*")] : []) {
      const text = one.textContent.trim();
      if (!text || one.closest(".visually-hidden, button")) continue;
      const rect = one.getBoundingClientRect();
      const isOutside = rect.right > box.right + 1 || rect.left < box.left - 1;
      const clipped = one.closest(".sb-figure, .sb-figure-title, .text-truncate");
      if (isOutside && !clipped) wrong.push(text);
      if (one === cell && cell.scrollWidth > Math.ceil(box.width) + 1 && !clipped) wrong.push(text);
    }
  }
  return wrong;
}"""


@pytest.mark.parametrize("width", [1280, 390])
def test_no_text_crosses_its_column(visit, width):
    page = visit(locale="de-DE", viewport={"width": width, "height": 844})
    enter(page)
    base = page.url.split("/people/")[0]
    addresses = []
    for listed in ("people/", "meetings/", "webinars/", "recordings/", "groups/"):
        page.goto(f"{base}/{listed}")
        rows = page.locator("tbody a.row-link")
        addresses += rows.evaluate_all("links => links.slice(0, 6).map(link => link.href)")
    addresses += [f"{one}registrants/" for one in addresses if "/webinars/" in one]
    wrong = {}
    for address in addresses:
        page.goto(address)
        expect(page.locator("#panel")).to_be_visible()
        if crossing := page.evaluate(CROSSING):
            wrong[address] = crossing
    assert addresses
    assert wrong == {}


def test_change_is_told_on_overview_and_undone_there(visit, demo):
    email = new_email("thing")
    create_in_service(demo, email)
    page = visit()
    open_person(page, demo, email)
    page.locator("header").get_by_role("link", name="Change licence").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Basic").check()
    dialog.get_by_role("button", name="Change licence").click()
    changed = page.get_by_role("region", name="What changed")
    expect(changed.get_by_role("listitem").first).to_contain_text("Licence Pro → Basic")
    expect(page.locator("#tab-history")).to_contain_text("1")
    assert problems(page, [page.url]) == []
    changed.get_by_role("link", name="Undo").click()
    expect(dialog.locator("ins")).to_have_text("Pro")
    dialog.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator("#thing-facts")).to_contain_text("Pro")
    assert in_service(demo, email)["type"] == 2
    expect(changed.get_by_role("listitem")).to_have_count(2)
    expect(changed.get_by_role("link", name="Undo")).to_have_count(1)
