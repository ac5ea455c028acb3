"""Two administrators: what one asks for is made once the other has approved it, and not before."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import problems
from tests.browser.colleagues import new_colleague, outdate_proof, run_in_portal
from tests.browser.conftest import sign_in
from tests.browser.fields import field
from tests.browser.people import choose_more, create_group_in_service
from tests.browser.service import ask

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]
# The others that use the demo keep the connection that it has, and are asked for no approvals.
_CONNECTED = """
from portal.access.models import Connection, User
from portal.access.http import Origin
from portal.connections.services import connections
owner = User.objects.get(email="{owner}")
connection = Connection(owner=owner, name="{name}", base_url="{url}")
connections.save(Origin(owner), connection, "{token}")
print(connection.key)
"""
_REMOVED = """
from portal.access.models import Connection
from portal.access.http import Origin
from portal.connections.services import connections
connection = Connection.objects.get(key="{key}")
connections.remove(Origin(connection.owner), connection)
"""
_SHARED = """
from portal.access.models import ApprovalRule, Connection, Share, User
connection = Connection.objects.get(key="{key}")
user = User.objects.get(email="{email}")
Share.objects.create(
    connection=connection, user=user, role="administrator", created_by=connection.owner
)
ApprovalRule.objects.create(connection=connection, operations=["groups.delete"])
"""


@dataclass(frozen=True)
class Own:
    """A connection to the sandbox that no other test uses."""

    key: str
    name: str

    @property
    def home(self) -> str:
        return f"/c/{self.key}"


@pytest.fixture
def colleague(demo):
    return new_colleague(demo, "administrator")


@pytest.fixture
def own(demo, colleague):
    name = f"Shared with {colleague.name}"
    values = {"owner": demo.email, "url": demo.sandbox_url, "token": demo.sandbox_token}
    key = run_in_portal(demo, _CONNECTED.format(**values, name=name)).split()[-1]
    yield Own(key, name)
    run_in_portal(demo, _REMOVED.format(key=key))


def group_in_service(demo, group):
    return ask(demo, "GET", f"/groups/{group}")


def ask_to_delete(page, own, group):
    """Deletes a group; returns the address of the request for it, which waits."""
    page.goto(f"{own.home}/groups/{group}/")
    choose_more(page, "Delete")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Another administrator has to approve this")).to_be_visible()
    field(page, "Reason").fill("The team was dissolved.")
    dialog.get_by_role("button", name="Ask for approval").click()
    expect(page.get_by_text("Asked for approval.")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Delete a group")
    expect(page.get_by_role("main")).to_contain_text("Awaiting approval")
    return page.url


def share(page, own, colleague):
    page.goto(f"/connections/{own.key}/")
    page.get_by_role("link", name="Share", exact=True).click()
    people = field(page, "Colleague")
    people.select_option(label=f"{colleague.name} ({colleague.email}), Administrator")
    page.get_by_role("radio", name=re.compile("^Administrator")).check()
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.get_by_text(f"{own.name} is shared with {colleague.name}.")).to_be_visible()


def turn_on(page, own):
    """Takes the rules that are suggested."""
    page.goto(f"{own.home}/approvals/")
    expect(page.get_by_text("Approvals are off on this connection.")).to_be_visible()
    page.get_by_role("link", name="Approval rules").click()
    fold = page.locator("summary").filter(has_text=re.compile(r"^\s*Groups\s+1 of"))
    fold.click()
    expect(page.get_by_role("checkbox", name="Delete a group", exact=True)).to_be_checked()
    page.get_by_role("button", name="Save rules").click()
    expect(page.get_by_text("Rules saved.")).to_be_visible()


def test_one_asks_and_the_other_approves_or_declines(visit, demo, own, colleague):
    owner, theirs = visit(signed_in=False), visit(signed_in=False)
    sign_in(owner, demo)
    share(owner, own, colleague)
    turn_on(owner, own)
    group = create_group_in_service(demo, "groups", [])
    name = group_in_service(demo, group).json()["name"]
    asked = ask_to_delete(owner, own, group)
    assert owner.get_by_role("button", name="Approve").count() == 0
    assert group_in_service(demo, group).status_code == 200

    sign_in(theirs, colleague)
    line = theirs.locator(".home-need .row-link").filter(has_text="approval: Delete a group")
    expect(line).to_be_visible()
    theirs.locator("#navigation").get_by_role("link", name=re.compile("^Approvals")).click()
    theirs.get_by_role("link", name=f"Delete a group: {name}").click()
    expect(theirs.get_by_role("main")).to_contain_text("The team was dissolved.")
    expect(theirs.get_by_role("main")).to_contain_text(f"Delete {name}?")
    outdate_proof(demo, theirs)
    theirs.get_by_label("Type “approve” to confirm").fill("approve")
    theirs.get_by_role("button", name="Approve").click()
    theirs.get_by_role("heading", name="Confirm your identity").wait_for()
    field(theirs, "Password").fill(colleague.password)
    theirs.get_by_role("button", name="Confirm").click()
    expect(theirs.get_by_role("main")).to_contain_text("Carried out")
    assert group_in_service(demo, group).status_code == 404
    owner.goto(asked)
    expect(owner.get_by_role("main")).to_contain_text("Carried out")
    owner.goto(f"/audit/?q={name}")
    deleted = owner.get_by_role("row").filter(has_text=f"approved by {colleague.email}")
    expect(deleted.first).to_contain_text(demo.email)
    expect(deleted.first).to_contain_text("Deleted a group")

    stays = create_group_in_service(demo, "groups", [])
    asked = ask_to_delete(owner, own, stays)
    theirs.goto(asked)
    field(theirs, "Reason for declining").fill("It is still in use.")
    theirs.get_by_role("button", name="Decline").click()
    expect(theirs.get_by_text("Declined.", exact=True)).to_be_visible()
    owner.goto("/")
    expect(owner.get_by_text("Declined. It is still in use.")).to_be_visible()
    owner.get_by_role("link", name="Your request has ended: Delete a group", exact=True).click()
    expect(owner.get_by_role("main")).to_contain_text("It is still in use.")
    assert group_in_service(demo, stays).status_code == 200


def test_the_pages_of_approvals_are_accessible(visit, demo, own, colleague):
    run_in_portal(demo, _SHARED.format(key=own.key, email=colleague.email))
    owner, theirs = visit(signed_in=False), visit(signed_in=False)
    sign_in(owner, demo)
    asked = ask_to_delete(owner, own, create_group_in_service(demo, "groups", []))
    approvals = f"{own.home}/approvals/"
    assert problems(owner, [f"{approvals}rules/", approvals, asked]) == []
    sign_in(theirs, colleague)
    assert problems(theirs, [asked, f"{approvals}?state=mine"]) == []
