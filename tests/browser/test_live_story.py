"""Live sessions, as a person watches them: a meeting appears, people join, it ends."""

import re
import uuid
from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import PHONE, problems
from tests.browser.people import create_in_service, enter, new_email
from tests.browser.session_tabs import plan

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
SOON = 45_000  # ms: more than an interval, and a busy machine takes its time
_HIDE = "(is) => Object.defineProperty(document, 'hidden', {value: is, configurable: true})"
_CHANGED = "() => document.dispatchEvent(new Event('visibilitychange'))"


def open_live(page):
    """Opens the page from the navigation; its address."""
    enter(page)
    page.get_by_role("heading", level=1).wait_for()
    page.goto(page.url.split("/people/")[0] + "/dashboards/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Live")
    return page.url


def begin(demo):
    """An instant meeting; its topic, which no other has."""
    host, topic = create_in_service(demo, new_email("host")), f"War room {uuid.uuid4().hex[:8]}"
    plan(demo, host, "meetings", topic=topic, type=1)
    return topic


@pytest.mark.deep
def test_a_meeting_appears_somebody_joins_and_it_is_ended(visit, demo):
    page = visit(timezone_id="UTC")
    open_live(page)
    search = page.get_by_role("searchbox", name="Search live sessions")
    search.fill("War room")
    expect(page).to_have_url(re.compile(r"\?q=War\+room$"))
    topic = begin(demo)
    row = page.get_by_role("row").filter(has_text=topic)
    expect(row).to_be_visible(timeout=SOON)
    expect(search).to_be_focused()
    expect(search).to_have_value("War room")

    count = row.locator("td[data-label=Participants]")
    before = count.inner_text()
    expect(count).not_to_have_text(before, timeout=2 * SOON)

    row.get_by_role("link", name=topic).press("Enter")
    panel = page.get_by_role("region", name=topic)
    expect(panel.get_by_role("heading", name=topic)).to_be_focused()
    expect(page).to_have_url(re.compile(r"open="))
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(row.get_by_role("link", name=topic)).to_be_focused()

    row.get_by_role("link", name=topic).click()
    panel.get_by_role("link", name="End meeting").click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^End")).click()
    expect(page).to_have_url(re.compile(r"/dashboards/\?q=War"))
    expect(page.get_by_role("row").filter(has_text=topic)).to_be_hidden(timeout=SOON)


def test_it_rests_while_paused_or_hidden_and_goes_on_at_once(visit):
    page = visit()
    open_live(page)
    dot = page.locator("[data-refresh-dot]")
    expect(dot).to_have_class(re.compile("status-dot-animated"))
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("Paused,")).to_be_visible()
    page.evaluate(_CHANGED)
    expect(dot).not_to_have_class(re.compile("status-dot-animated"))
    with page.expect_response(lambda answer: _is_part(answer.request)):
        page.get_by_role("button", name="Resume").click()
    expect(page.get_by_text("Paused,")).to_be_hidden()
    page.evaluate(_HIDE, True)
    page.evaluate(_HIDE, False)
    with page.expect_request(_is_part):
        page.evaluate(_CHANGED)
    _tell(page, "danger Down")
    bar = page.locator(".sb-switcher > .sb-health")
    expect(bar).to_have_text("Down", timeout=SOON)
    expect(dot).to_have_class("status-dot status-danger")
    _tell(page, "success Reachable")
    expect(bar).to_have_text("Reachable", timeout=SOON)
    expect(dot).to_have_class(re.compile("status-green"))
    page.get_by_role("button", name="More").click()
    page.get_by_label("Refresh").select_option("Off")
    expect(page.get_by_role("button", name="Pause")).to_be_disabled()
    page.reload()
    expect(page.locator("#refresh-every")).to_have_value("0")
    expect(page.get_by_text("Paused,")).to_be_visible()


def _tell(page, health):
    """Has answers to the page say that this is the state of the service."""

    def answer(route):
        if not _is_part(route.request):
            route.fallback()
            return
        given = route.fetch()
        said = {**given.headers, "switchboard-health": quote(health)}
        route.fulfill(response=given, headers=said)

    page.unroute_all()
    page.route("**/dashboards/**", answer)
    page.evaluate(_CHANGED)


def _is_part(request):
    return request.headers.get("hx-target") == "live"


@pytest.mark.deep
def test_a_wall_shows_large_figures_and_no_navigation(visit):
    page = visit()
    address = open_live(page)
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Wall view").click()
    expect(page).to_have_url(f"{address}?wall=1")
    expect(page.locator(".live-totals")).to_be_visible(timeout=SOON)
    expect(page.get_by_role("navigation")).to_have_count(0)
    size = page.locator(".live-figure").first.evaluate("e => getComputedStyle(e).fontSize")
    assert float(size.removesuffix("px")) >= 48
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", level=1)).to_have_text("Live")


@pytest.mark.deep
def test_a_rule_is_added_and_its_alert_comes(visit):
    page = visit(timezone_id="UTC")
    address = open_live(page)
    page.get_by_role("link", name="Alerts", exact=True).click()
    page.get_by_role("link", name="Add rule").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("When").select_option("participants")
    dialog.get_by_label("Threshold").fill("1")
    dialog.get_by_role("button", name="Add rule").click()
    rule = page.get_by_role("listitem").filter(has_text="A session has more participants than 1")
    expect(rule.first).to_be_visible()

    page.goto(address)
    words = re.compile(r"“.+” has over 1 participants?")
    banner = re.compile(rf"{words.pattern}|alerts are active")  # several stand folded in one line
    expect(page.get_by_text(banner).first).to_be_visible(timeout=2 * SOON)
    page.get_by_role("link", name="Alerts", exact=True).first.click()
    raised = page.get_by_role("listitem").filter(has_text=words)
    expect(raised.first).to_be_visible()
    page.get_by_role("link", name="Delete").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Delete rule").click()
    expect(page.get_by_text("No alert rules")).to_be_visible()


@pytest.mark.deep
def test_live_pages_are_accessible_in_both_themes_and_on_a_phone(visit, demo):
    page = visit()
    address = open_live(page)
    topic = begin(demo)
    row = page.get_by_role("row").filter(has_text=topic)
    expect(row).to_be_visible(timeout=SOON)
    link = row.get_by_role("link", name=topic).get_attribute("href")
    assert link
    opened = f"{address}?{link.partition('?')[2]}"
    assert problems(page, [address, opened, f"{address}?wall=1"]) == []
    page.set_viewport_size(PHONE)
    page.goto(opened)
    expect(page.get_by_role("region", name=topic)).to_be_visible()
