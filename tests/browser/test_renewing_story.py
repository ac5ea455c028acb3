"""A real account: a renewing connection that lacks a scope, which the check names; once the scope
is there, an import over more than one token."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import PHONE, is_wider_than_the_window, violations
from tests.browser.colleagues import run_in_portal
from tests.browser.fields import field
from tests.support.job_runs import addresses, on_the_account
from tests.support.sandbox import run_within

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]
CLASSIC, SCOPE = "webinar:read:admin", "webinar:read:list_webinars:admin"
LIFETIME = 12  # seconds; a token is renewed in the last quarter of it
PEOPLE = 500
_TIMEOUT = 120_000
NAME = "Head office"
# Else the stories after it would open the account of a service that has ended.
_REMOVED = f"""
from portal.access.http import Origin
from portal.access.models import Connection
from portal.connections.services import connections
for connection in Connection.objects.filter(name="{NAME}"):
    connections.remove(Origin(), connection)
"""
_ISSUED = "from portal.sandbox.models import IssuedToken; print(IssuedToken.objects.count())"


def _issued(sandbox):
    return int(run_within(sandbox, _ISSUED))


@pytest.fixture
def own_connection(demo):
    """Removes the connection of the story from the demonstration that others use too."""
    yield
    run_in_portal(demo, _REMOVED)


@pytest.mark.usefixtures("own_connection")
def test_missing_scope_is_added_and_people_come_over_tokens(visit, sandbox_factory):
    lacking = f"--without-scope={CLASSIC}"
    flags = ("--one-token", f"--token-seconds={LIFETIME}", "--rate-limit=15/s", "--frozen")
    sandbox = sandbox_factory("--profile=current", *flags, lacking)
    page = visit()
    page.goto("/connections/new/")
    field(page, "Name").fill(NAME)
    field(page, "Base URL").fill(sandbox.url)
    field(page, "Sign-in").select_option("renewing")
    field(page, "Token URL").fill(f"{sandbox.site}/oauth/token")
    field(page, "Account ID").fill("A1")
    field(page, "Client ID").fill("app")
    expect(page.get_by_text("Client secret", exact=True)).to_be_visible()
    page.locator("#id_token").fill(sandbox.token)
    field(page, "Names").select_option("current")
    page.get_by_role("button", name="Test and save").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Connection check")
    lacks = page.locator(".alert", has_text="Scopes that the token lacks")
    expect(lacks).to_contain_text(SCOPE, timeout=_TIMEOUT)
    expect(page.get_by_role("progressbar")).to_have_count(0, timeout=_TIMEOUT)
    assert violations(page) == []

    sandbox.stop()
    sandbox.flags = tuple(flag for flag in sandbox.flags if flag != lacking)
    sandbox.start()
    page.get_by_role("button", name="Check again").click()
    expect(lacks).to_have_count(0, timeout=_TIMEOUT)
    expect(page.get_by_role("progressbar")).to_have_count(0, timeout=_TIMEOUT)
    expect(page.get_by_text(SCOPE)).to_have_count(0)

    connection = re.search(r"/connections/([^/]+)/", page.url)
    assert connection
    emails = addresses(PEOPLE)
    page.goto(f"/c/{connection[1]}/people/import/")
    page.get_by_text("Paste rows instead").click()
    rows = "\n".join(["email,type", *(f"{email},Basic" for email in emails)])
    page.get_by_role("textbox", name="Rows").fill(rows)
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Preview changes").click()
    run = page.get_by_role("button", name=f"Create {PEOPLE} people")
    expect(run).to_be_visible(timeout=_TIMEOUT)
    before = _issued(sandbox)
    run.click()
    expect(page.locator("#job-status")).to_contain_text(
        f"{PEOPLE} people created", timeout=_TIMEOUT
    )
    assert _issued(sandbox) - before >= 3
    assert sorted(on_the_account(sandbox, emails)) == sorted(emails)
    assert violations(page) == []

    page.goto(f"/connections/{connection[1]}/")
    expect(page.get_by_role("region", name="Renewed token")).to_contain_text(SCOPE)
    page.set_viewport_size(PHONE)
    assert not is_wider_than_the_window(page)
