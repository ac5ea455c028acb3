"""Proof of identity is asked for once, and Back does not ask again."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.colleagues import outdate_proof
from tests.browser.conftest import sign_in
from tests.browser.fields import field

pytestmark = [pytest.mark.browser, pytest.mark.deep]
Visit = Callable[..., Page]


def test_back_after_a_proof_shows_the_page_before_it(visit, demo):
    page = visit(signed_in=False)
    sign_in(page, demo)
    page.goto("/team/")
    page.goto("/team/invite/")
    invitation = page.get_by_role("heading", level=1).inner_text()
    outdate_proof(demo, page)
    field(page, "Email").fill("back@example.com")
    page.get_by_role("button", name="Invite").click()
    proof = page.get_by_role("heading", name="Confirm your identity")
    proof.wait_for()
    field(page, "Password").fill(demo.password)
    page.get_by_role("button", name="Confirm").click()
    page.get_by_role("heading", name="Set-password link").wait_for()

    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text(invitation)
    expect(proof).to_be_hidden()
    page.goto("/account/2fa/totp/activate/")
    expect(page.get_by_role("heading", name="Set up an authenticator app")).to_be_visible()
