"""An import of many rows has one shape from file to undo, and no word is broken in lists."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import PHONE, is_wider_than_the_window, violations
from tests.browser.people import create_in_service, in_service, new_email, open_people

pytestmark = [pytest.mark.browser, pytest.mark.deep]

LONG = 60_000
DESKTOP = {"width": 1280, "height": 800}
BROKEN_WORDS = (Path(__file__).parent / "broken_words.js").read_text()
SHAPE = """() => ({
  strip: document.querySelector(".job-strip").offsetHeight,
  heads: [...document.querySelectorAll("#job-items th")].map((head) => head.textContent.trim())
    .filter((text) => text && text !== "Select this page"),
  rows: [...document.querySelectorAll("#job-items tbody tr")]
    .filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length,
})"""


def table(emails, changed):
    rows = [f"{email},New,Person {at},Basic" for at, email in enumerate(emails)]
    rows += ["not-an-email,Bad,Row,Basic", f"{emails[3]},Twice,Row,Basic"]
    rows += [f"{changed},Changed,Byron,Basic", f"{new_email('bad')},Bad,Licence,9"]
    content = "\n".join(["email,first_name,last_name,type", *rows]).encode()
    return {"name": "import.csv", "mimeType": "text/csv", "buffer": content}


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_import_of_many_rows_has_one_shape_from_file_to_undo(visit, demo, size):
    page, changed = visit(viewport=size), new_email("changed")
    create_in_service(demo, changed)
    emails = [new_email("act") for _ in range(40)]
    open_people(page)
    page.goto(f"{page.url.split('?')[0]}import/")
    page.get_by_label("File").set_input_files(table(emails, changed))
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Preview changes").click()

    run = page.get_by_role("button", name="Apply 41 changes")
    expect(run).to_be_visible(timeout=LONG)
    expect(page.locator("#job-status")).to_have_text("Create 40, change 1, skip 3")
    first = page.locator("#job-items tbody tr").first
    expect(first).to_contain_text("not-an-email")
    plan = page.evaluate(SHAPE)
    assert not is_wider_than_the_window(page)
    assert violations(page) == []

    run.click()
    standing = page.locator("#job-standing .status")
    expect(standing).to_have_text("Done", timeout=LONG)
    expect(page.locator("#job-status")).to_have_text("40 created, 1 changed, 3 skipped")
    expect(first).to_contain_text("not-an-email")
    result = page.evaluate(SHAPE)
    assert (result["strip"], result["heads"]) == (plan["strip"], plan["heads"])
    if size is DESKTOP:
        assert min(plan["rows"], result["rows"]) >= 11
        page.mouse.wheel(0, 500)
        expect(page.get_by_role("button", name="Undo", exact=True)).to_be_in_viewport()
    assert not is_wider_than_the_window(page)

    page.get_by_role("button", name="Undo", exact=True).click()
    page.get_by_role("button", name="Apply 41 changes").click(timeout=LONG)
    expect(standing).to_have_text("Done", timeout=LONG)
    assert in_service(demo, changed)["first_name"] != "Changed"
    assert not is_wider_than_the_window(page)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_no_word_is_broken_in_lists(visit, size):
    page = visit(viewport=size)
    open_people(page)
    base = page.url.split("/people/")[0]
    lists = page.locator("#navigation a").evaluate_all("links => links.map((link) => link.href)")
    lists += [f"{base}/account/baselines/", f"{base}/account/webhooks/", "/connections/"]
    broken = {}
    for address in lists:
        page.goto(address)
        if words := page.evaluate(BROKEN_WORDS):
            broken[address] = words
        row = page.locator("tbody a.row-link").first
        if "baselines" in address and row.count():
            lists.append(str(row.get_attribute("href")))
    assert broken == {}
