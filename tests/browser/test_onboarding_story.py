"""A template of a department is stored, and a new person of that department gets what it says."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import DESK, problems
from tests.browser.fields import field
from tests.browser.people import in_service, new_email, open_people

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]


def test_new_person_gets_what_template_of_department_says(visit, demo):
    email = new_email("newcomer")
    department = f"Story {email[-26:-20]}"
    page = visit()
    open_people(page)
    people = page.url.split("?")[0]
    page.get_by_role("link", name="Onboarding", exact=True).click()
    page.get_by_role("link", name="Add template", exact=True).first.click()
    field(page, "Name").fill(department)
    field(page, "Departments that nobody has yet").fill(department)
    page.get_by_label("Licence", exact=True).select_option("Pro")
    page.get_by_role("button", name="Save template").click()
    card = page.get_by_role("region", name=department)
    expect(card).to_contain_text("Licence: Pro")
    page.goto(f"{people}create/")
    field(page, "Email").fill(email)
    field(page, "First name").fill("New")
    field(page, "Last name").fill("Comer")
    field(page, "Department").fill(department)
    expect(page.locator("#create")).to_contain_text(f"{department} ({department}): Licence: Pro")
    page.get_by_role("button", name="Add person", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("New Comer")
    expect(page.locator("#toasts")).to_contain_text(f"The template {department} is being applied")
    for _ in range(100):
        if in_service(demo, email)["type"] == 2:
            break
        page.wait_for_timeout(200)
    assert in_service(demo, email)["type"] == 2

    listed = f"{people}onboarding/"
    page.goto(listed)
    edit = card.get_by_role("link", name=f"Edit {department}").get_attribute("href")
    delete = card.get_by_role("link", name=f"Delete {department}").get_attribute("href")
    parts = (listed, f"{listed}new/", str(edit), str(delete), f"{people}create/")
    assert problems(page, parts) == []
    page.set_viewport_size(DESK)
    page.goto(listed)
    card.get_by_role("link", name=f"Delete {department}").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete template").click()
    expect(page.get_by_role("region", name="Notices")).to_contain_text(f"{department} was deleted.")
    expect(card).to_have_count(0)
