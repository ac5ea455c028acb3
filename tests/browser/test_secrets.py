"""After a whole run the token stands nowhere: no page, no file of the portal, no log."""

from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.browser.fields import field
from tests.browser.people import create_in_service, new_email, open_people, open_profile

pytestmark = [pytest.mark.browser, pytest.mark.deep, pytest.mark.alone]

# Written for the person who runs the demo, readable by them alone, and the service's own data.
_KNOWN_TO_HOLD_IT = {"demo-credentials.json", "demo.env"}


def test_token_is_on_no_page_and_in_no_file_after_whole_run(visit, demo):
    page = visit()
    open_people(page)
    people = page.url.split("?")[0]
    person = create_in_service(demo, new_email("canary"))
    for address in [*_pages(people, person), "/connections/", "/audit/", "/team/"]:
        page.goto(address)
        assert demo.sandbox_token not in page.content()
    _change_a_profile(page, f"{people}{person}/")
    _save_a_wrong_token(page, demo)
    assert _files_with(demo.sandbox_token, demo.data_dir) == set()


def _pages(people, person):
    yield people
    for part in ("", "groups/", "settings/", "delegates/", "telephony/", "permissions/"):
        yield f"{people}{person}/{part}"
    yield f"{people}no-such-person/"


def _change_a_profile(page, address):
    page.goto(address)
    open_profile(page)
    page.get_by_role("link", name="Edit name and department").click()
    field(page, "Department").fill("Canaries")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#panel")).to_contain_text("Canaries")
    page.goto(f"{address}history/")
    assert "Canaries" in page.content()


def _save_a_wrong_token(page, demo):
    """A refused token is neither repeated on the page nor kept."""
    page.goto("/connections/new/")
    field(page, "Name").fill("Refused")
    field(page, "Base URL").fill(demo.sandbox_url)
    field(page, "Sign-in").select_option("query")
    page.locator("[name=token]").fill(f"{demo.sandbox_token}x")
    page.locator("main form").get_by_role("button").last.click()
    expect(page.locator("[name=token]")).to_have_attribute("aria-invalid", "true")
    assert page.locator(f'[value*="{demo.sandbox_token}"]').count() == 0


def _files_with(secret, folder):
    forms = {secret.encode(), quote(secret, safe="").encode()}
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file()
        and path.name not in _KNOWN_TO_HOLD_IT
        and any(form in path.read_bytes() for form in forms)
    }
