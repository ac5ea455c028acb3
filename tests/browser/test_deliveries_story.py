"""Deliveries of the service, as a person follows them: one appears, is opened, and is replayed."""

import re
import uuid
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import PHONE, problems
from tests.browser.people import create_in_service, enter, new_email
from tests.browser.session_tabs import plan

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]
SOON = 45_000  # ms: more than an interval, and a busy machine takes its time


@pytest.fixture
def page(visit):
    """A page of a user who looks at meetings; in the end no subscription is left."""
    page = visit(timezone_id="UTC")
    enter(page)
    page.get_by_role("heading", level=1).wait_for()
    page.goto(page.url.split("/people/")[0] + "/meetings/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Meetings")
    yield page
    page.goto(connection(page) + "/changes/")
    unsubscribe = page.get_by_role("button", name="Unsubscribe")
    if unsubscribe.count():
        unsubscribe.click()
        expect(page.get_by_role("button", name="Subscribe")).to_be_visible()


def connection(page):
    return str(re.match(r".*/c/[^/]+", page.url)[0])


def follow(page):
    """Subscribes from the empty log; the address of the log."""
    page.goto(connection(page) + "/account/webhooks/")
    page.get_by_role("link", name="Deliveries").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Deliveries")
    address = page.url
    page.get_by_role("link", name=re.compile("Subscribe to events|Subscription")).last.click()
    page.get_by_role("button", name="Subscribe").click()
    expect(page.get_by_role("button", name="Unsubscribe")).to_be_visible()
    page.get_by_role("link", name="Show deliveries").click()
    expect(page.get_by_text("Subscribed", exact=True)).to_be_visible()
    return address


def begin(demo):
    """An instant meeting; its topic, which no other has."""
    host, topic = create_in_service(demo, new_email("host")), f"Stand-up {uuid.uuid4().hex[:8]}"
    plan(demo, host, "meetings", topic=topic, type=1)
    return topic


def test_a_delivery_appears_is_opened_and_played_again(page, demo):
    address = follow(page)
    page.evaluate("() => { window.isTheSame = true; }")
    topic = begin(demo)
    row = page.get_by_role("row").filter(has_text=topic)
    expect(row).to_be_visible(timeout=SOON)
    expect(row).to_contain_text("Meeting started")
    assert page.evaluate("() => window.isTheSame")

    opens = row.get_by_role("link", name="Meeting started")
    opens.press("Enter")
    panel = page.get_by_role("region", name="Meeting started")
    expect(panel.get_by_role("heading", name="Meeting started")).to_be_focused()
    expect(panel.get_by_label("Payload")).to_contain_text(f'"topic": "{topic}"')
    expect(panel).to_contain_text("is being updated.")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(opens).to_be_focused()

    opens.click()
    panel.get_by_role("button", name="Replay").click()
    expect(page.get_by_text("Replayed. Meeting")).to_be_visible()
    expect(panel).to_contain_text("1 time, last at")
    page.get_by_role("button", name="Check now").click()
    expect(page.get_by_text("The webhook works")).to_be_visible()

    search = page.get_by_role("searchbox")
    search.fill("nothing like it")
    expect(page.get_by_text("No delivery matches the filters.")).to_be_visible()
    expect(search).to_be_focused()
    search.fill(topic)
    expect(row).to_be_visible()
    opened = page.goto(f"{address}?q={topic.replace(' ', '+')}")
    assert opened
    link = row.get_by_role("link").first.get_attribute("href")
    assert problems(page, [address, demo.url + (link or "")]) == []
    page.set_viewport_size(PHONE)
    page.goto(demo.url + (link or ""))
    expect(page.get_by_role("region", name="Meeting started")).to_be_visible()
