"""Steps that several stories take."""

import uuid

from playwright.sync_api import Page, expect

from tests.browser.conftest import Demo
from tests.support import plain_http


def new_email(name: str = "person") -> str:
    return f"{name}.{uuid.uuid4().hex[:10]}@brightwater.example"


def in_service(demo: Demo, email: str) -> dict[str, object]:
    """Returns the service's own report of a person."""
    answer = plain_http.get(
        f"{demo.sandbox_url}/users/{email}", params={"access_token": demo.sandbox_token}
    )
    return dict(answer.json())


def create_in_service(demo: Demo, email: str) -> str:
    """A person whom nobody else in the tests touches; the id."""
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
    answer = plain_http.post(
        f"{demo.sandbox_url}/users", params={"access_token": demo.sandbox_token}, json=body
    )
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def create_group_in_service(demo: Demo, kind: str, members: list[str]) -> str:
    """A group of the kind `groups` or `im/groups`; the id."""
    key = {"access_token": demo.sandbox_token}
    address = f"{demo.sandbox_url}/{kind}"
    body = {"name": f"Group {uuid.uuid4().hex[:10]}"}
    group = str(plain_http.post(address, params=key, json=body).json()["id"])
    added = {"members": [{"id": member} for member in members]}
    plain_http.post(f"{address}/{group}/members", params=key, json=added).raise_for_status()
    return group


def members_in_service(demo: Demo, kind: str, group: str) -> set[str]:
    """The email addresses of a group's members, as the service reports them."""
    address = f"{demo.sandbox_url}/{kind}/{group}/members"
    answer = plain_http.get(address, params={"access_token": demo.sandbox_token})
    return {str(member["email"]) for member in answer.json()["members"]}


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
        if not reload.is_visible():  # without scripts the page waits for somebody to do that
            break
        page.wait_for_timeout(200)
        page.reload()
    expect(page.locator("table.sb-table tbody tr").first).to_be_visible()


def find_in_list(page: Page, email: str) -> None:
    """Has the list read anew, so that it knows somebody whom only the service knew."""
    open_people(page)
    page.goto(f"{page.url.split('?')[0]}?q={email}")
    page.get_by_role("button", name="Refresh").click()
    expect(page.locator("table.sb-table tbody tr")).to_have_count(1)


def open_person(page: Page, demo: Demo, email: str) -> None:
    """The page of somebody in the service, by its address."""
    open_people(page)
    page.goto(f"{page.url.split('?')[0]}{in_service(demo, email)['id']}/")


def choose_more(page: Page, action: str) -> None:
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name=action, exact=True).click()
