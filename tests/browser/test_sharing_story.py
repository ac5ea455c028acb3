"""A connection is shared, a colleague works on it, the trail names them, and it is taken back."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import problems
from tests.browser.colleagues import Colleague, new_colleague
from tests.browser.conftest import Demo, sign_in
from tests.browser.fields import field
from tests.browser.people import (
    choose_more,
    create_in_service,
    find_in_list,
    new_email,
    open_people,
    open_person,
)
from tests.browser.service import call

pytestmark = [pytest.mark.browser, pytest.mark.deep]
Visit = Callable[..., Page]


@pytest.fixture
def colleague(demo: Demo) -> Colleague:
    return new_colleague(demo, "operator")


def share(owner: Page, colleague: Colleague) -> str:
    """Shares the connection of the demo with a colleague; the address of its page."""
    owner.goto("/connections/")
    owner.get_by_role("main").get_by_role("link", name="Sandbox", exact=True).click()
    owner.get_by_role("link", name="Share", exact=True).click()
    people = field(owner, "Colleague")
    people.select_option(label=f"{colleague.name} ({colleague.email}), Operator")
    owner.get_by_role("radio", name=re.compile("^Operator")).check()
    owner.get_by_role("button", name="Share", exact=True).click()
    expect(owner.get_by_text(f"Sandbox is shared with {colleague.name}.")).to_be_visible()
    return owner.url


def somebody_in(demo: Demo, department: str) -> str:
    """The email of a new person in the service, in this department."""
    email = new_email("shared")
    create_in_service(demo, email)
    call(demo, "PATCH", f"/users/{email}", json={"dept": department})
    return email


def test_a_connection_is_shared_worked_on_and_taken_back(
    visit: Visit, demo: Demo, colleague: Colleague
) -> None:
    owner, theirs = visit(), visit(signed_in=False)
    connection = share(owner, colleague)

    email = new_email("shared")
    create_in_service(demo, email)
    sign_in(theirs, colleague)
    open_person(theirs, demo, email)
    choose_more(theirs, "Deactivate")
    theirs.get_by_role("dialog").get_by_role("button", name="Deactivate").click()
    expect(theirs.locator("main .status").first).to_have_text("Deactivated")
    person = theirs.url
    theirs.goto("/connections/")
    row = theirs.get_by_role("row").filter(has_text="Shared by")
    row.get_by_role("link", name="Sandbox", exact=True).click()
    expect(theirs.get_by_role("heading", name="Shared with you")).to_be_visible()
    expect(theirs.get_by_role("main")).not_to_contain_text(demo.sandbox_url)

    department = f"Department of {colleague.name}"
    inside = somebody_in(demo, department)
    find_in_list(owner, inside)
    owner.goto(connection)
    owner.get_by_role("link", name=f"Limits of {colleague.name}").click()
    departments = owner.get_by_role("group", name="Departments")
    departments.get_by_role("checkbox", name=department, exact=True).check()
    owner.get_by_role("button", name="Change limits").click()
    row = owner.get_by_role("row").filter(has_text=colleague.email)
    expect(row).to_contain_text(f"Limited to {department}")
    open_people(theirs)
    expect(theirs.locator(".sb-facts")).to_contain_text(f"Limited to {department}")
    people = theirs.locator("table.sb-table tbody tr")
    expect(people).to_have_count(1)
    expect(people).to_contain_text(inside)
    theirs.goto(person)
    expect(theirs.get_by_role("heading", level=1)).to_have_text("Not found")

    owner.goto(f"/audit/?q={email}")
    expect(owner.get_by_role("main")).to_contain_text(colleague.email)
    owner.goto(connection)
    owner.get_by_role("link", name=f"Take back the access of {colleague.name}").click()
    owner.get_by_role("button", name="Take back access").click()
    words = f"{colleague.name} no longer has access to Sandbox."
    expect(owner.get_by_text(words)).to_be_visible()

    theirs.goto(person)
    expect(theirs.get_by_role("heading", level=1)).to_have_text("Page not found")
    expect(theirs.get_by_text("no longer shared with you")).to_be_visible()


def test_the_pages_of_shares_are_accessible(visit: Visit, demo: Demo, colleague: Colleague) -> None:
    owner, theirs = visit(), visit(signed_in=False)
    connection = share(owner, colleague)
    change = owner.get_by_role("link", name=f"Change the role of {colleague.name}")
    of_share = str(change.get_attribute("href"))
    addresses = [
        *(f"{connection}{part}" for part in ("", "shares/new/", "hand-over/")),
        *(f"{of_share}{part}" for part in ("", "limits/", "remove/")),
    ]
    assert problems(owner, addresses) == []
    sign_in(theirs, colleague)
    assert problems(theirs, ["/connections/", connection, f"{connection}leave/"]) == []
