"""Sign-ins of a person: another browser appears in the list, and is signed out."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import PHONE, is_wider_than_the_window, problems
from tests.browser.conftest import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; rv:139.0) Gecko/20100101 Firefox/139.0"


def test_one_browser_signs_another_out(visit, demo):
    elsewhere = visit(signed_in=False, user_agent=FIREFOX)
    sign_in(elsewhere, demo)
    page = visit(signed_in=False)
    sign_in(page, demo)
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("link", name="Sign-in sessions", exact=True).last.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")
    expect(page.get_by_text("This sign-in session", exact=True)).to_have_count(1)
    row = page.get_by_role("row").filter(has_text="Firefox on Windows")
    row.get_by_role("button").click()
    expect(page.get_by_text("The sign-in session was ended.")).to_be_visible()
    expect(row).to_have_count(0)

    elsewhere.reload()
    expect(elsewhere.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")


def test_sessions_and_sign_ins_are_accessible_at_any_width(visit):
    page = visit()
    page.goto("/team/")
    own = page.get_by_role("main").get_by_role("link").filter(has_text="dmin").first
    member = own.get_attribute("href")
    addresses = ["/account/sessions/", "/account/sign-ins/", "/team/", "/team/second-factor/"]
    of_member = [f"{member}{part}" for part in ("", "sessions/", "sign-ins/")]
    assert problems(page, [*addresses, *of_member]) == []
    page.set_viewport_size(PHONE)
    page.goto("/account/sessions/")
    assert not is_wider_than_the_window(page)
