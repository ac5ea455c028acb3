"""Steps that several stories take."""

import uuid

from playwright.sync_api import Page, expect

from tests.browser.service import ask, call
from tests.browser.shared_demonstration import Demo


def new_email(name: str = "person") -> str:
    return f"{name}.{uuid.uuid4().hex[:10]}@brightwater.example"


def in_service(demo: Demo, email: str) -> dict[str, object]:
    """Returns the service's own report of a person."""
    return dict(ask(demo, "GET", f"/users/{email}").json())


def create_in_service(demo: Demo, email: str) -> str:
    """Makes a person whom no other test touches; returns the id."""
    body = {
        "action": "autoCreate",
        "user_info": {
            "email": email,
            "password": "correct-horse-1",
            "type": 2,
            "first_name": "Ada",
            "last_name": "Byron",
        },
    }
    return str(call(demo, "POST", "/users", json=body)["id"])


def create_group_in_service(demo: Demo, kind: str, members: list[str]) -> str:
    """A group of the kind `groups` or `im/groups`; the id."""
    body = {"name": f"Group {uuid.uuid4().hex[:10]}"}
    group = str(call(demo, "POST", f"/{kind}", json=body)["id"])
    added = {"members": [{"id": member} for member in members]}
    call(demo, "POST", f"/{kind}/{group}/members", json=added)
    return group


def members_in_service(demo: Demo, kind: str, group: str) -> set[str]:
    """The email addresses of a group's members, as the service reports them."""
    listed = call(demo, "GET", f"/{kind}/{group}/members")["members"]
    return {str(member["email"]) for member in listed}


def enter(page: Page) -> None:
    """Opens the list of people over the first page; its address has the connection's."""
    page.goto("/")
    address = page.locator('#navigation a[href$="/people/"]').get_attribute("href")
    page.goto(str(address))


def open_people(page: Page) -> None:
    enter(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("People")
    reload = page.get_by_role("link", name="Reload", exact=True)
    for _ in range(100):
        if not reload.is_visible():  # without scripts the page waits for the user to do that
            break
        page.wait_for_timeout(200)
        page.reload()
    expect(page.locator("table.sb-table tbody tr").first).to_be_visible()


def find_in_list(page: Page, email: str) -> None:
    """Has the list read anew, so that it has a person whom only the service had."""
    open_people(page)
    page.goto(f"{page.url.split('?')[0]}?q={email}")
    page.get_by_role("button", name="Refresh").click()
    expect(page.locator("table.sb-table tbody tr")).to_have_count(1)


def open_person(page: Page, demo: Demo, email: str) -> None:
    """Opens the page of a person in the service, by its address."""
    open_people(page)
    page.goto(f"{page.url.split('?')[0]}{in_service(demo, email)['id']}/")


def open_profile(page: Page) -> None:
    """Opens the tab of a person's page in which their profile is edited."""
    page.locator("#content").get_by_role("link", name="Profile", exact=True).click()
    expect(page.get_by_role("heading", name="Sign-in and host key")).to_be_visible()


def choose_more(page: Page, action: str) -> None:
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name=action, exact=True).click()
