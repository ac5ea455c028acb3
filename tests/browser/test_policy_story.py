"""Meetings that break a rule of the policy: found, reviewed, and remediated together."""

import re
import uuid
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import PHONE, is_wider_than_the_window, violations
from tests.browser.session_tables import (
    approve,
    known_host,
    open_import,
    open_page,
    paste,
    run,
    scheduled,
)

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]
RULES = ("", "early", "host", "clash")


@pytest.fixture
def mark():
    """Returns the beginning of a test's topics, and of no other's."""
    return f"P{uuid.uuid4().hex[:8]}"


def _import(page, demo, mark):
    """Three meetings without a password that people may enter early, two of them at one time."""
    email, host = known_host(page, demo)
    head = "host,topic,start_time,timezone,duration,join_before_host,tracking:Cost centre"
    times = {"One": "2038-03-01 09:00", "Two": "2038-03-01 09:30", "Three": "2038-03-02 09:00"}
    rows = (f"{email},{mark} {n},{at},Europe/Berlin,60,yes,{mark}" for n, at in times.items())
    open_import(page)
    paste(page, head, *rows)
    run(page, "Schedule 3 meetings", 3)
    return host


def _open(page, mark, rule):
    """Opens the list of a rule, narrowed to the sessions of a test."""
    open_page(page, "policy/")
    page.get_by_role("navigation", name="Rules").get_by_role("link", name=rule).click()
    current = page.locator(".nav-underline [aria-current]")
    expect(current).to_contain_text(rule)
    page.get_by_label("Search sessions").fill(mark)


def test_meetings_without_a_password_get_one_each(visit, demo, mark):
    page = visit()
    host = _import(page, demo, mark)
    _open(page, mark, "No password")
    expect(page.get_by_text("3 sessions found")).to_be_visible()
    expect(page.get_by_text("Anyone with the link or the meeting ID")).to_be_visible()
    page.get_by_role("checkbox", name=f"Select {mark} One").check()
    page.get_by_role("checkbox", name=f"Select {mark} Two").check()
    page.get_by_role("button", name="Set passwords").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Set passwords of 2 sessions")).to_be_visible()
    assert violations(page) == []
    dialog.get_by_role("button", name="Preview changes").click()
    approve(page, "Set passwords of 2 sessions", 2)
    data = scheduled(demo, host)
    assert len({data["One"]["password"], data["Two"]["password"]} - {""}) == 2
    assert not data["Three"].get("password")

    _open(page, mark, "No password")
    expect(page.get_by_text("1 session found")).to_be_visible()
    page.get_by_role("link", name=re.compile("^Scheduling conflicts")).click()
    expect(page.get_by_text("2 sessions found")).to_be_visible()
    page.get_by_role("cell").get_by_role("link", name=f"{mark} Two").last.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{mark} Two")


def test_pages_of_policy_fit_telephone_and_are_accessible(visit):
    page = visit(viewport=PHONE)
    open_page(page, "policy/")
    base = page.url
    for address in (*(f"{base}?rule={rule}" for rule in RULES), f"{base}stated/"):
        page.goto(address)
        assert violations(page) == [], address
        assert not is_wider_than_the_window(page), address
        for tab in page.locator(".nav-underline [aria-current]").all():
            expect(tab).to_be_in_viewport()
