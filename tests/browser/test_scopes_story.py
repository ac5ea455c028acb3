"""An app with 5 scopes of a service of today: the check names what is missing, the scopes to tick
are copied and added at the service, and the next check is all green."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import PHONE, is_wider_than_the_window, violations
from tests.browser.colleagues import run_in_portal
from tests.browser.fields import field

pytestmark = [pytest.mark.browser, pytest.mark.deep]

NAME = "New app"
FIRST = [
    "user:read:list_users:admin",
    "user:read:user:admin",
    "group:read:list_groups:admin",
    "meeting:read:list_meetings:admin",
    "meeting:read:meeting:admin",
]
UPDATE = "user:update:user:admin"
_TIMEOUT = 120_000
# Else the stories after it would open the account of a service that has ended.
_REMOVED = f"""
from portal.access.http import Origin
from portal.access.models import Connection
from portal.connections.services import connections
for connection in Connection.objects.filter(name="{NAME}"):
    connections.remove(Origin(), connection)
"""


@pytest.fixture
def own_connection(demo):
    """Removes the connection of the story from the demonstration that others use too."""
    yield
    run_in_portal(demo, _REMOVED)


@pytest.mark.usefixtures("own_connection")
def test_scopes_are_copied_added_and_all_is_green(visit, sandbox_factory):
    sandbox = sandbox_factory("--profile=current", "--frozen", *_flags(FIRST))
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    page.goto("/connections/new/")
    field(page, "Name").fill(NAME)
    field(page, "Base URL").fill(sandbox.url)
    field(page, "Sign-in").select_option("renewing")
    field(page, "Token URL").fill(f"{sandbox.site}/oauth/token")
    field(page, "Account ID").fill("A1")
    field(page, "Client ID").fill("app")
    page.locator("#id_token").fill(sandbox.token)
    field(page, "Names").select_option("current")
    page.get_by_role("button", name="Test and save").click()

    lacks = page.locator(".alert", has_text="Scopes that the token lacks")
    expect(page.get_by_role("progressbar")).to_have_count(0, timeout=_TIMEOUT)
    expect(lacks).to_contain_text(UPDATE)
    expect(lacks).to_contain_text("report:read:")
    expect(page.get_by_role("row", name="People 2 of")).to_contain_text("0 of")
    assert violations(page) == []

    check = page.url
    page.goto(check.replace("/connections/", "/c/").replace("/check/", "/people/create/"))
    expect(page.locator("#lacking-scope")).to_contain_text("user:write:user:admin")
    create = page.get_by_role("main").get_by_role("button", name="Add person")
    expect(create).to_have_class(re.compile("sb-muted"))
    expect(create).to_have_attribute("title", re.compile("user:write:user:admin"))
    page.goto(check)
    lacks.get_by_role("link", name="Scopes to tick").click()
    page.get_by_role("button", name="Copy the list of scopes").click()
    ticked = page.evaluate("navigator.clipboard.readText()").split()
    assert len(ticked) >= 40
    assert set(FIRST) < set(ticked)
    sandbox.stop()
    sandbox.flags = tuple(flag for flag in sandbox.flags if not flag.startswith("--scope="))
    sandbox.flags += tuple(_flags(ticked))
    sandbox.start()

    page.go_back()
    page.get_by_role("button", name="Check again").click()
    expect(lacks).to_have_count(0, timeout=_TIMEOUT)
    expect(page.get_by_role("progressbar")).to_have_count(0, timeout=_TIMEOUT)
    for words in ("Needs a scope", "Needs scope", "Refused", "Does not answer", "Not permitted"):
        expect(page.get_by_role("main")).not_to_contain_text(words)
    expect(page.get_by_role("main")).to_contain_text("They cover every operation")
    assert violations(page) == []
    page.set_viewport_size(PHONE)
    assert not is_wider_than_the_window(page)


def _flags(scopes):
    return [f"--scope={scope}" for scope in scopes]
