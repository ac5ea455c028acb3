"""Finding people, at a desk and on a phone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import PHONE, is_wider_than_the_window
from tests.browser.conftest import sign_in
from tests.browser.keys import press
from tests.browser.people import open_people

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
_ADDRESSES = "links => links.map(link => link.href)"
# Wednesdays are the widest.
_CUT_OFF = """cells => cells
  .map(cell => cell.querySelector("time"))
  .map(time => (time.textContent = time.textContent.replace(/^\\w+/, "Wed"), time.parentElement))
  .filter(cell => cell.scrollWidth > cell.clientWidth)
  .map(cell => cell.innerText)"""


@pytest.mark.deep
def test_newcomer_signs_in_with_what_was_printed_and_sees_people(visit, demo):
    page = visit(signed_in=False)
    page.goto("/")
    expect(page).to_have_title(re.compile("Sign in"))
    sign_in(page, demo)
    open_people(page)
    expect(page.locator("table.sb-table tbody tr").first).to_be_visible()
    expect(page.get_by_text("Sandbox").first).to_be_visible()
    for column in ("Name", "Email", "Licence", "Department", "Status", "Last sign-in"):
        expect(page.get_by_role("columnheader", name=column)).to_be_visible()


def test_typing_narrows_the_list_and_back_takes_the_step_back(visit):
    page = visit()
    open_people(page)
    page.get_by_label("Search people").fill("zzz-nobody")
    expect(page.get_by_role("heading", name="No results")).to_be_visible()
    expect(page).to_have_url(re.compile("q=zzz-nobody"))
    page.go_back()
    expect(page.locator("td.cell-main").nth(20)).to_be_visible()
    expect(page.get_by_label("Search people")).to_have_value("")


@pytest.mark.deep
def test_list_read_anew_never_drops_filter_that_was_just_chosen(visit):
    page = visit()
    open_people(page)
    address = page.url
    page.route(address, _hold)
    with page.expect_request(address):
        page.evaluate("htmx.trigger(document.body, 'mirror-refreshed')")
    with page.expect_event("requestfailed", lambda request: request.url == address):
        page.get_by_label("Search people").fill("zzz-nobody")
    expect(page.get_by_role("heading", name="No results")).to_be_visible()
    expect(page).to_have_url(re.compile("q=zzz-nobody"))


def _hold(route):
    """Leaves a request without an answer."""


@pytest.mark.alone
@pytest.mark.deep
def test_bookmark_of_filtered_and_sorted_list_shows_same_again(visit):
    page = visit()
    open_people(page)
    page.get_by_role("link", name=re.compile("^Active")).click()
    page.get_by_role("combobox", name="Licence").select_option(label="Pro")
    expect(page).to_have_url(re.compile("type=2"))
    page.get_by_role("columnheader", name="Email").get_by_role("link").click()
    page.wait_for_url(re.compile("sort=email"))
    shown = page.locator("td.cell-main").all_inner_texts()
    assert shown
    bookmark = page.url

    again = visit()
    again.goto(bookmark)
    assert again.locator("td.cell-main").all_inner_texts() == shown
    expect(again.get_by_role("combobox", name="Licence")).to_have_value("2")


@pytest.mark.deep
def test_those_who_never_signed_in_are_found_and_chip_clears_it(visit):
    page = visit()
    open_people(page)
    page.get_by_role("combobox", name="Last sign-in").select_option(label="Never")
    expect(page).to_have_url(re.compile("last_sign_in=never"))
    shown = page.locator("td[data-label='Last sign-in']")
    expect(shown.filter(has_not_text="Never")).to_have_count(0)
    expect(shown.first).to_have_text("Never")
    page.get_by_role("link", name="Remove Last sign-in: Never").click()
    expect(page).not_to_have_url(re.compile("last_sign_in"))
    # However many have never signed in, those who did lately come first in this order.
    page.get_by_role("link", name="Last sign-in").click()
    expect(page).to_have_url(re.compile("sort=last_login_time"))
    page.get_by_role("link", name="Last sign-in").click()
    expect(page).to_have_url(re.compile("sort=-last_login_time"))
    expect(shown.filter(has_not_text="Never").first).to_be_visible()


@pytest.mark.deep
def test_slash_key_leads_to_search_and_row_to_person(visit):
    page = visit()
    open_people(page)
    press(page, "/")
    expect(page.get_by_label("Search people")).to_be_focused()
    name = page.locator("td.cell-main a").first.inner_text()
    page.locator("td.cell-main a").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


@pytest.mark.alone
@pytest.mark.deep
def test_a_page_further_on_shows_other_people(visit):
    page = visit()
    open_people(page)
    people = page.locator("td.cell-main a")
    first = people.evaluate_all(_ADDRESSES)
    page.get_by_role("link", name="Next page").click()
    page.wait_for_url(re.compile("page=2"))
    assert not set(first) & set(people.evaluate_all(_ADDRESSES))


def test_on_a_phone_nothing_scrolls_sideways(visit):
    page = visit(viewport=PHONE)
    open_people(page)
    assert not is_wider_than_the_window(page)


@pytest.mark.deep
def test_refreshing_reads_the_list_anew_without_leaving_it(visit):
    page = visit()
    open_people(page)
    page.get_by_role("button", name="Refresh").click()
    expect(page.get_by_text("Updated just now")).to_be_visible()
    expect(page.locator("table.sb-table tbody tr").first).to_be_visible()


@pytest.mark.deep
def test_what_scripts_say_is_in_the_language_of_the_page(visit):
    english = visit()
    open_people(english)
    page = visit(locale="de-DE")
    page.goto(english.url)
    page.get_by_role("checkbox", name=re.compile("auswählen$")).nth(1).check()
    expect(page.locator("[data-selection-words]")).to_have_text("1 Person ausgewählt")


@pytest.mark.deep
@pytest.mark.parametrize("family", ["meetings", "webinars"])
def test_no_start_is_cut_off_on_whatever_day(visit, family):
    page = visit()
    open_people(page)
    page.goto(f"{page.url.partition('/people/')[0]}/{family}/")
    starts = page.locator("td:has(time)")
    starts.first.wait_for()
    assert starts.evaluate_all(_CUT_OFF) == []
