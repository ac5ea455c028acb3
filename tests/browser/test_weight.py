"""What a list asks for over the wire, at first and then."""

import pytest

from bench.weight import BYTES, REQUESTS, listen
from tests.browser.people import enter

pytestmark = [pytest.mark.browser, pytest.mark.deep]


def test_list_of_100_people_is_light_and_then_lighter(visit):
    page = visit()
    enter(page)
    listing = page.url.split("?")[0] + "?per_page=100"
    page.get_by_role("row").nth(20).wait_for()

    newcomer = page.context.browser.new_context(storage_state=page.context.storage_state())
    page = newcomer.new_page()
    first = listen(page)
    page.goto(listing, wait_until="networkidle")
    assert page.locator("table tbody tr").count() == 100
    assert first.requests <= REQUESTS
    assert first.bytes < BYTES

    again = listen(page)
    page.goto(listing, wait_until="networkidle")
    assert again.bytes < 25_000
    newcomer.close()
