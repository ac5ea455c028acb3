"""An administrator defines a role, previews it and gives it; a colleague sees just that."""

import re
import uuid
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import DESK, PHONE, is_wider_than_the_window, violations
from tests.browser.colleagues import new_colleague
from tests.browser.conftest import sign_in
from tests.browser.fields import field

pytestmark = [pytest.mark.browser, pytest.mark.deep]
Visit = Callable[..., Page]


def share_as(owner, colleague, role):
    owner.goto("/connections/")
    owner.get_by_role("main").get_by_role("link", name="Sandbox", exact=True).click()
    owner.get_by_role("link", name="Share", exact=True).click()
    people = field(owner, "Colleague")
    people.select_option(label=f"{colleague.name} ({colleague.email}), {role}")
    owner.get_by_role("radio", name=re.compile(f"^{role}")).check()
    owner.get_by_role("button", name="Share", exact=True).click()
    expect(owner.get_by_text(f"Sandbox is shared with {colleague.name}.")).to_be_visible()


def sees_just_that(theirs, colleague, name):
    """Webinars to change, people to see, and nothing else; the address of the webinars."""
    sign_in(theirs, colleague)
    theirs.goto("/connections/")
    row = theirs.get_by_role("row").filter(has_text="Shared by")
    row.get_by_role("link", name="Sandbox", exact=True).click()
    expect(theirs.get_by_role("main")).to_contain_text(name)
    theirs.goto("/")
    menu = theirs.get_by_role("navigation").first
    expect(menu.get_by_role("link", name="Webinars", exact=True)).to_be_visible()
    expect(menu.get_by_role("link", name="People", exact=True)).to_be_visible()
    for hidden in ("Meetings", "Recordings", "Reports", "Live", "Groups"):
        expect(menu.get_by_role("link", name=hidden, exact=True)).to_have_count(0)
    menu.get_by_role("link", name="Webinars", exact=True).click()
    webinars = theirs.url
    expect(
        theirs.get_by_role("link", name=re.compile("^(New|Create|Schedule) webinar")).first
    ).to_be_visible()
    menu.get_by_role("link", name="People", exact=True).click()
    expect(theirs.get_by_role("heading", level=1)).to_have_text("People")
    theirs.goto(webinars.replace("webinars", "meetings"))
    expect(theirs.get_by_role("heading", level=1)).to_have_text(
        "You do not have permission to do this"
    )
    return webinars


def test_role_is_defined_previewed_given_and_changed(visit, demo):
    owner, theirs = visit(), visit(signed_in=False)
    colleague, name = new_colleague(demo, "viewer"), f"Webinar team {uuid.uuid4().hex[:6]}"

    owner.goto("/team/roles/")
    expect(owner.get_by_role("row").filter(has_text="Built in")).to_have_count(4)
    owner.get_by_role("link", name="New role").click()
    field(owner, "Name").fill(name)
    field(owner, "Webinars").select_option(label="View and change")
    field(owner, "People").select_option(label="View only")
    sees = owner.get_by_role("region", name="What they will see and can do")
    expect(sees).to_contain_text("Can do 2 things")
    expect(sees.get_by_text("Create a webinar")).to_be_visible()
    assert violations(owner) == []
    owner.get_by_role("button", name="Create role").click()
    expect(owner.get_by_role("heading", level=1)).to_have_text(name)
    role = owner.url

    owner.goto("/team/")
    owner.get_by_role("link", name=colleague.name).click()
    owner.get_by_role("radio", name=name).check()
    owner.get_by_role("button", name="Change role").click()
    expect(owner.get_by_text(f"{colleague.name} is now {name}.")).to_be_visible()
    share_as(owner, colleague, name)

    webinars = sees_just_that(theirs, colleague, name)

    owner.goto(role)
    expect(owner.get_by_role("main")).to_contain_text("on Sandbox")
    owner.get_by_role("link", name="Edit", exact=True).click()
    field(owner, "People").select_option(label="Nothing")
    expect(owner.get_by_role("region", name="Who is affected")).to_contain_text(colleague.name)
    owner.set_viewport_size(PHONE)
    assert not is_wider_than_the_window(owner)
    assert violations(owner) == []
    owner.set_viewport_size(DESK)
    owner.get_by_role("button", name="Save", exact=True).click()
    expect(owner.get_by_text("from the next request on")).to_be_visible()
    theirs.goto(webinars)
    expect(theirs.get_by_role("heading", level=1)).to_have_text("Webinars")
    menu = theirs.get_by_role("navigation").first
    expect(menu.get_by_role("link", name="People", exact=True)).to_have_count(0)

    owner.goto(role)
    owner.get_by_role("link", name="Delete", exact=True).click()
    expect(owner.get_by_role("main")).to_contain_text("has this role in the team")
    expect(owner.get_by_role("button", name="Delete role")).to_have_count(0)
