"""Who proved who they are is asked once, and Back does not ask again."""

import subprocess
import sys
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Demo, sign_in
from tests.browser.fields import field

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
# As if somebody had signed in twenty minutes ago.
OLD_PROOF = """
from portal.access.session_store import SessionStore
session = SessionStore("{key}")
for proof in session["account_authentication_methods"]:
    proof["at"] -= 1200
session.modified = True
session.save()
"""


def test_back_after_a_proof_shows_the_page_before_it(visit: Visit, demo: Demo) -> None:
    page = visit(signed_in=False)
    sign_in(page, demo)
    page.goto("/team/")
    page.goto("/team/invite/")
    invitation = page.get_by_role("heading", level=1).inner_text()
    kept = (demo.data_dir / "demo.env").read_text().splitlines()
    environment = {
        **demo.environment,
        "DEMO": "true",
        "DJANGO_SETTINGS_MODULE": "portal.config.settings",
        **dict(line.split("=", 1) for line in kept),
    }
    [key] = [one["value"] for one in page.context.cookies() if one["name"] == "sessionid"]
    command = [sys.executable, "manage.py", "shell", "-c", OLD_PROOF.format(key=key)]
    subprocess.run(command, env=environment, check=True)
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
