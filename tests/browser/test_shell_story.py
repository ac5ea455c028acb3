"""The shell of every page: its keyboard, and its behaviour after an answer that fails."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import PHONE
from tests.browser.fields import field
from tests.browser.keys import press
from tests.browser.people import create_in_service, enter, new_email, open_people

Visit = Callable[..., Page]

pytestmark = pytest.mark.browser


# Boxes of the page's content that scroll by less than a line.
NEEDLESS_SCROLL_BARS = """[...document.querySelectorAll("main *")].filter((box) => {
  const beyond = box.scrollHeight - box.clientHeight
  return /auto|scroll/.test(getComputedStyle(box).overflowY) && beyond > 0 && beyond < 8
}).map((box) => box.className)"""


def background(page):
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


def test_the_theme_follows_the_system_until_one_is_chosen(visit):
    page = visit(color_scheme="light")
    open_people(page)
    light = background(page)
    page.emulate_media(color_scheme="dark")
    dark = background(page)
    assert dark != light
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("button", name="Light").click()
    page.wait_for_load_state()
    assert background(page) == light
    page.reload()
    assert background(page) == light


@pytest.mark.parametrize(
    "path", ["people/", "meetings/", "recordings/storage/", "dashboards/ports/"]
)
def test_a_scrolled_page_keeps_its_top_bar_and_scrolls_alone(visit, path):
    page = visit()
    open_people(page)
    page.goto(re.sub(r"people/.*", path, page.url))
    page.set_viewport_size({"width": 1280, "height": 400})
    page.evaluate("window.scrollTo({top: document.body.scrollHeight, behavior: 'instant'})")
    assert page.evaluate("window.scrollY") > 0
    assert page.evaluate("document.querySelector('.sb-top').getBoundingClientRect().y") == 0
    assert page.evaluate(NEEDLESS_SCROLL_BARS) == []


@pytest.mark.alone
@pytest.mark.deep
def test_the_first_page_shows_times_in_the_zone_of_the_browser(visit):
    page = visit(timezone_id="America/New_York")
    page.context.clear_cookies(name="zone")
    loads: list[str] = []
    page.on("load", lambda loaded: loads.append(loaded.url))
    enter(page)
    page.goto(re.sub(r"/people/.*", "/calendar/", page.url))
    expect(page.get_by_text("Times are in America/New_York")).to_be_visible()
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("link", name="Language and time zone").click()
    field(page, "Time zone").fill("Pacific/Auckland")
    page.get_by_role("button", name="Save").click()
    try:
        expect(page.get_by_text("Times are in Pacific/Auckland", exact=True)).to_be_visible()
        assert len(loads) <= 6  # each page once, and the first once more
    finally:
        page.goto("/preferences/locale/")
        field(page, "Time zone").fill("")
        page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved. Times are shown in")).to_be_visible()


@pytest.mark.deep
def test_compact_rows_are_chosen_and_kept(visit):
    page = visit()
    open_people(page)
    row = page.locator("tbody tr").first
    roomy = row.bounding_box()
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("button", name="Compact").click()
    page.wait_for_load_state()
    compact = row.bounding_box()
    assert roomy is not None
    assert compact is not None
    assert compact["height"] < roomy["height"]


@pytest.mark.parametrize("scripts", [True, pytest.param(False, marks=pytest.mark.deep)])
def test_navigation_of_phone_opens_with_and_without_scripts(visit, *, scripts):
    page = visit(viewport=PHONE, java_script_enabled=scripts)
    page.goto("/audit/")
    navigation = page.get_by_role("navigation", name="Main")
    for entry in ("Settings", "Connections"):
        expect(navigation).to_be_hidden()
        page.get_by_role("button", name="Menu", exact=True).click()
        navigation.get_by_role("link", name=entry).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(entry)
    expect(page.get_by_role("heading", level=1)).to_have_text("Connections")


@pytest.mark.deep
def test_the_keyboard_goes_from_search_to_rows_and_back(visit):
    page = visit()
    open_people(page)
    press(page, "/")
    page.keyboard.press("ArrowDown")
    links = page.locator("tbody a.row-link")
    expect(links.nth(0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(links.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("searchbox")).to_be_focused()


@pytest.mark.deep
def test_the_first_stop_of_the_keyboard_skips_to_the_content(visit):
    page = visit()
    open_people(page)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


@pytest.mark.deep
def test_a_key_fact_is_copied_with_one_press(visit, demo):
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    open_people(page)
    email = new_email("copy")
    page.goto(f"{page.url.split('?')[0]}{create_in_service(demo, email)}/")
    page.get_by_role("button", name="Copy the email").first.click()
    assert page.evaluate("navigator.clipboard.readText()") == email


def test_a_broken_network_is_said_and_the_list_stays(visit):
    page = visit()
    open_people(page)
    rows = page.locator("tbody tr").count()
    page.context.set_offline(True)
    page.get_by_role("searchbox").fill("somebody")
    expect(page.get_by_role("alert")).to_contain_text("Switchboard did not respond")
    expect(page.get_by_role("alert")).to_contain_text("Then try again.")
    assert page.locator("tbody tr").count() == rows
    visit.complaints.clear()


@pytest.mark.deep
def test_an_answer_that_is_not_ours_is_said_and_not_shown(visit):
    page = visit()
    open_people(page)
    page.route(re.compile(r"q=somebody"), lambda route: route.fulfill(status=502, body="<b>Proxy"))
    page.get_by_role("searchbox").fill("somebody")
    expect(page.get_by_role("alert")).to_contain_text("returned an error (502)")
    expect(page.get_by_role("alert")).to_contain_text("This page was not updated.")
    expect(page.get_by_text("Proxy")).to_have_count(0)
    visit.complaints.clear()


MAYBE = "The change may have been made. Check before you try again."


@pytest.mark.deep
@pytest.mark.parametrize(
    ("failing", "words"),
    [
        (lambda route: route.fulfill(status=502, body="Proxy"), MAYBE),
        (lambda route: route.fulfill(status=413, body="Proxy"), "Nothing was changed."),
        (lambda route: route.abort(), MAYBE),
    ],
    ids=["failed on the way", "refused", "no answer"],
)
def test_change_that_failed_on_way_is_not_said_to_be_undone(visit, demo, failing, words):
    page = visit()
    open_people(page)
    person = create_in_service(demo, new_email("failed"))
    page.goto(f"{page.url.split('?')[0]}{person}/profile/name/")
    page.route(
        re.compile(rf"{person}/profile/name/"),
        lambda route: failing(route) if route.request.method == "POST" else route.continue_(),
    )
    field(page, "Department").fill("Research")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text(words)
    expect(field(page, "Department")).to_have_value("Research")
    visit.complaints.clear()


@pytest.mark.deep
def test_field_is_checked_when_left_and_while_corrected(visit, demo):
    page = visit()
    open_people(page)
    person = create_in_service(demo, new_email("checked"))
    page.goto(f"{page.url.split('?')[0]}{person}/profile/room/")
    number = field(page, "Personal meeting ID")
    number.fill("12")
    page.get_by_role("heading", level=1).hover()
    page.mouse.down()
    expect(number).not_to_be_focused()
    said = page.get_by_text("A personal meeting ID is exactly 10 digits.")
    expect(said).to_have_count(0)  # nothing moves under a pressed pointer
    page.mouse.up()
    expect(said).to_be_visible()
    expect(number).to_have_attribute("aria-invalid", "true")
    number.fill("1234567890")
    expect(said).to_have_count(0)


def test_refused_form_keeps_password_and_leads_to_its_errors(visit):
    page = visit()
    open_people(page)
    page.goto(f"{page.url.split('?')[0]}create/")
    page.get_by_role("radio", name="Create with a password").check()
    field(page, "Password").fill("correct-horse-1")
    field(page, "Email").fill("no address")
    page.get_by_role("button", name="Add person").click()
    summary = page.get_by_role("alert")
    expect(summary).to_be_focused()
    summary.get_by_role("link", name="Email").click()
    expect(field(page, "Email")).to_be_focused()
    expect(field(page, "Password")).to_have_value("correct-horse-1")


def test_rows_of_a_form_are_added_and_taken_away(visit, demo):
    page = visit()
    open_people(page)
    person = create_in_service(demo, new_email("rows"))
    page.goto(f"{page.url.split('?')[0]}{person}/telephony/tsp/new/")
    numbers = page.get_by_label(re.compile(r"^\s*Number"))
    before = numbers.count()
    numbers.last.fill("+49 30 1")
    page.get_by_role("button", name="Add another").click()
    expect(numbers).to_have_count(before + 1)
    expect(numbers.last).to_have_value("")
    names = {each.get_attribute("name") for each in numbers.all()}
    assert len(names) == before + 1
    page.get_by_role("button", name=re.compile("Remove row")).last.click()
    expect(numbers).to_have_count(before)


@pytest.mark.deep
def test_dialog_with_input_stays_after_click_beside_it(visit, demo):
    page = visit()
    open_people(page)
    page.goto(f"{page.url.split('?')[0]}{create_in_service(demo, new_email('beside'))}/profile/")
    page.get_by_role("link", name="Change the email").click()
    dialog = page.get_by_role("dialog")
    field(dialog, "New email address").fill("other@example.com")
    page.mouse.click(5, 500)
    expect(field(dialog, "New email address")).to_have_value("other@example.com")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
