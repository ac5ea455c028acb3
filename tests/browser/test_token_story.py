"""A token that starts meetings: issued for an API user, copied, and gone with the dialog."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import PHONE, is_wider_than_the_window, violations
from tests.browser.people import create_in_service, new_email, open_person, open_profile
from tests.browser.service import call

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]


def test_token_is_shown_once_for_api_user_and_refused_for_others(visit, demo):
    email, other = new_email("api"), new_email("other")
    info = {"email": email, "first_name": "Api", "last_name": "Robot", "type": 2}
    call(demo, "POST", "/users", json={"action": "custCreate", "user_info": info})
    create_in_service(demo, other)
    page = visit()
    open_person(page, demo, email)
    open_profile(page)
    page.get_by_role("link", name="Create a token").click()
    dialog = page.get_by_role("dialog")
    assert violations(page) == []
    dialog.get_by_label("ZPK").check()
    dialog.get_by_role("button", name="Create token").click()
    shown = dialog.locator("#token")
    expect(shown).to_be_visible()
    zpk = shown.inner_text()
    assert violations(page) == []
    page.set_viewport_size(PHONE)
    assert not is_wider_than_the_window(page)
    page.keyboard.press("Escape")
    page.reload()
    assert zpk not in page.content()

    page.get_by_role("link", name="Check ZPK").click()
    dialog.locator("input[name=zpk]").fill(zpk)
    dialog.get_by_role("button", name="Check").click()
    expect(dialog.get_by_text("This ZPK is valid until")).to_be_visible()
    assert violations(page) == []

    open_person(page, demo, other)
    open_profile(page)
    page.get_by_role("link", name="Create a token").click()
    expect(dialog.get_by_text("Tokens are for API users")).to_be_visible()
    expect(dialog.get_by_role("button", name="Create token")).to_have_count(0)
    assert violations(page) == []
