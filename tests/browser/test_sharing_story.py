"""A connection is shared, a colleague works on it, the trail names them, and it is taken back."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import problems
from tests.browser.colleagues import new_colleague, run_in_portal
from tests.browser.conftest import sign_in
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
def colleague(demo):
    return new_colleague(demo, "operator")


def share(owner, colleague):
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


def somebody_in(demo, department):
    """The email of a new person in the service, in this department."""
    email = new_email("shared")
    create_in_service(demo, email)
    call(demo, "PATCH", f"/users/{email}", json={"dept": department})
    return email


def test_a_connection_is_shared_worked_on_and_taken_back(visit, demo, colleague):
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


_ENDED = """
from django.utils import timezone
from portal.access.models import Share
Share.objects.filter(user__email="{email}").update(ends_at=timezone.now())
"""


def test_share_that_ends_while_its_page_is_open_says_so(visit, demo, colleague):
    owner, theirs = visit(), visit(signed_in=False)
    connection = share(owner, colleague)
    owner.get_by_role("link", name=f"End of the access of {colleague.name}").click()
    field(owner, "Until").fill("2035-03-05T18:00")
    owner.get_by_role("button", name="Change end").click()
    row = owner.get_by_role("row").filter(has_text=colleague.email)
    expect(row).to_contain_text("5 March 2035, 18:00")

    email = new_email("shared")
    create_in_service(demo, email)
    sign_in(theirs, colleague)
    open_person(theirs, demo, email)
    run_in_portal(demo, _ENDED.format(email=colleague.email))
    words = re.compile("Your access to Sandbox ended by itself on")
    choose_more(theirs, "Deactivate")
    expect(theirs.get_by_text(words).first).to_be_visible()
    theirs.reload()
    expect(theirs.get_by_role("heading", level=1)).to_have_text("Page not found")
    expect(theirs.get_by_role("main").get_by_text(words)).to_be_visible()
    owner.goto(connection)
    expect(owner.get_by_role("main")).not_to_contain_text(colleague.email)


_OVER = """
from django.utils import timezone
from portal.access.models import Elevation
Elevation.objects.filter(share__user__email="{email}").update(ends_at=timezone.now())
"""


def test_greater_role_is_asked_for_approved_and_over(visit, demo, colleague):
    owner, theirs = visit(), visit(signed_in=False)
    connection = share(owner, colleague)
    sign_in(theirs, colleague)
    theirs.goto(connection)
    theirs.get_by_role("link", name="Ask for a greater role").click()
    theirs.get_by_role("radio", name=re.compile("^Administrator")).check()
    field(theirs, "Reason").fill("The webhook is down tonight")
    theirs.get_by_role("button", name="Ask for it").click()
    expect(theirs.get_by_text("You asked to be Administrator")).to_be_visible()

    owner.goto(connection)
    row = owner.get_by_role("row").filter(has_text=colleague.email)
    row.get_by_role("link", name="Asks to be Administrator").click()
    expect(owner.get_by_text("The webhook is down tonight")).to_be_visible()
    owner.get_by_role("button", name="Approve").click()
    expect(row).to_contain_text("Administrator until")
    open_people(theirs)
    expect(theirs.locator(".sb-facts")).to_contain_text("Administrator until")

    run_in_portal(demo, _OVER.format(email=colleague.email))
    open_people(theirs)
    expect(theirs.locator(".sb-facts")).not_to_contain_text("Administrator until")
    owner.goto("/audit/?q=webhook+is+down")
    expect(owner.get_by_role("main")).to_contain_text("Approved a greater role")


def test_the_pages_of_shares_are_accessible(visit, demo, colleague):
    owner, theirs = visit(), visit(signed_in=False)
    connection = share(owner, colleague)
    change = owner.get_by_role("link", name=f"Change the role of {colleague.name}")
    of_share = str(change.get_attribute("href"))
    addresses = [
        *(f"{connection}{part}" for part in ("", "shares/new/", "hand-over/")),
        *(f"{of_share}{part}" for part in ("", "limits/", "end/", "remove/")),
    ]
    assert problems(owner, addresses) == []
    sign_in(theirs, colleague)
    assert (
        problems(
            theirs, ["/connections/", connection, f"{connection}leave/", f"{connection}elevation/"]
        )
        == []
    )
