"""A colleague is invited, sets a password, adds a passkey, and signs in with nothing else."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.fields import field

pytestmark = pytest.mark.browser

PASSWORD = "correct horse battery"
Visit = Callable[..., Page]


def plug_in_key(page):
    """Gives the browser a key that asks its owner and is always answered yes."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )


def prove_if_asked(page, password):
    """Confirms who one is, where the sign-in is too long ago."""
    if page.get_by_role("heading", name="Confirm your identity").is_visible():
        field(page, "Password").fill(password)
        page.get_by_role("button", name="Confirm").click()


def invited(page, demo, email):
    """Invites a user in the browser; returns the link that sets their password."""
    page.goto("/team/invite/")
    field(page, "Email").fill(email)
    page.get_by_role("radio", name=re.compile("Operator")).check()
    page.get_by_role("button", name="Invite").click()
    prove_if_asked(page, demo.password)
    return page.locator("code", has_text="/password/reset/key/").inner_text()


def by_name(demo, address):
    """The same address by the machine's name; browsers give no passkey to a number."""
    return address.replace("127.0.0.1", "localhost")


def test_a_colleague_signs_in_with_a_passkey_alone(visit, demo):
    link = invited(visit(), demo, "passkey@example.com")
    page = visit(signed_in=False)
    plug_in_key(page)

    page.goto(by_name(demo, link))
    field(page, "New Password").fill(PASSWORD)
    field(page, "New Password (again)").fill(PASSWORD)
    page.get_by_role("button", name="Set password").click()
    page.get_by_role("link", name="Sign in").click()
    field(page, "Email").fill("passkey@example.com")
    field(page, "Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("heading", name="First, connect an account").wait_for()

    page.goto(by_name(demo, f"{demo.url}/account/2fa/webauthn/add/"))
    page.get_by_label("Passkey").check()
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("heading", name="Recovery codes").wait_for()

    page.context.clear_cookies()
    page.goto(by_name(demo, f"{demo.url}/account/login/"))
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.get_by_role("heading", name="First, connect an account").wait_for()


@pytest.mark.deep
def test_a_key_that_does_not_answer_is_said_so(visit, demo):
    page = visit(signed_in=False)
    page.goto(by_name(demo, f"{demo.url}/account/login/"))
    page.evaluate(
        "() => { navigator.credentials.get = () => Promise.reject(new Error('cancelled')); }"
    )
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("The key did not respond")


@pytest.mark.deep
def test_where_browsers_have_no_passkeys_none_is_offered(visit, demo):
    page = visit(signed_in=False)
    page.goto("/account/login/")
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_have_count(0)
