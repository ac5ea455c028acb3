"""The portal in a browser that runs no scripts."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import sign_in
from tests.browser.fields import field
from tests.browser.people import enter, in_service, new_email, open_people, open_profile

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]


def test_a_person_is_created_and_edited_without_javascript(visit, demo):
    page = visit(signed_in=False, java_script_enabled=False)
    sign_in(page, demo)
    enter(page)
    page.get_by_role("link", name="Add person").click()
    email = new_email("no.script")
    page.get_by_label("Create without sign-in").check()
    field(page, "Email").fill(email)
    field(page, "First name").fill("Mary")
    field(page, "Last name").fill("Somerville")
    page.get_by_role("radio", name=re.compile(r"^Basic\b")).check()
    page.get_by_role("button", name="Add person").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Mary Somerville")

    open_profile(page)
    page.get_by_role("link", name="Edit name and department").click()
    field(page, "Department").fill("Mathematics")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#panel")).to_contain_text("Mathematics")
    assert in_service(demo, email)["dept"] == "Mathematics"

    page.locator("main").get_by_role("link", name="Settings", exact=True).click()
    page.get_by_role("checkbox", name="Waiting room").check()
    page.get_by_role("button", name="Review").click()
    page.get_by_role("button", name="Save 1 change").click()
    expect(page.get_by_role("checkbox", name="Waiting room")).to_be_checked()


@pytest.mark.deep
def test_a_search_without_javascript_is_a_form_that_is_sent(visit, demo):
    page = visit(signed_in=False, java_script_enabled=False)
    sign_in(page, demo)
    open_people(page)
    page.get_by_label("Search people").fill("zzz-nobody")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("heading", name="No results")).to_be_visible()
    page.get_by_role("link", name="Clear filters").last.click()
    expect(page.locator("table.sb-table tbody tr").first).to_be_visible()
