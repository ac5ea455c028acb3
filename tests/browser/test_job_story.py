"""A job from its plan to its report, and how its page looks in every state."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.accessibility import problems
from tests.browser.conftest import sign_in
from tests.browser.jobs import jobs_in_each_state
from tests.browser.people import in_service, new_email, open_people

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
LONG = 60_000


@pytest.fixture
def paths(demo):
    with jobs_in_each_state(demo) as paths:
        yield paths


def import_people(page, emails):
    """Drafts a job that creates them, by an import with one row that is not valid."""
    open_people(page)
    page.goto(f"{page.url.split('?')[0]}import/")
    page.get_by_text("Paste rows instead").click()
    rows = [f"{email},Ada,Byron,Basic" for email in emails]
    text = "\n".join(["email,first_name,last_name,type", *rows, "nobody,Not,Valid,Basic"])
    page.locator("textarea").fill(text)
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Preview changes").click()


def test_a_plan_is_approved_watched_and_reported(visit, demo):
    page = visit()
    mark = new_email("job").partition("@")[0]
    emails = [f"{mark}.{number}@brightwater.example" for number in range(60)]
    import_people(page, emails)
    run = page.get_by_role("button", name="Create 60 people")
    expect(run).to_be_visible(timeout=LONG)
    expect(page.locator("#job-status")).to_have_text("Create 60 people, skip 1")

    page.get_by_role("link", name="Errors 1").click()
    expect(page.locator("#job-items tbody tr")).to_have_count(1)
    expect(page.locator("#job-items")).to_contain_text("nobody")
    page.reload()
    expect(page.locator("#job-items tbody tr")).to_have_count(1)
    page.go_back()
    expect(page.locator("#job-items tbody tr")).to_have_count(50)

    search = page.get_by_role("searchbox", name="Search rows")
    run.click()
    search.fill(".7@")
    expect(page.locator("#job-items tbody tr")).to_have_count(1)
    expect(page.locator("#job-standing .status")).to_have_text("Done", timeout=LONG)
    expect(search).to_be_focused()
    expect(search).to_have_value(".7@")
    expect(page.locator("#job-items tbody tr")).to_contain_text("Done")
    expect(page.locator("#job-milestone")).to_have_text("Done: 60 of 60.")
    expect(page.locator("#jobs-running-link")).to_have_count(0, timeout=LONG)
    assert in_service(demo, emails[7])["first_name"] == "Ada"

    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
        page.get_by_role("link", name="Rows with errors (CSV)").click()
    assert "nobody,Not,Valid" in download.value.path().read_text()


@pytest.mark.deep
def test_page_keeps_what_person_opened_and_says_when_it_is_stale(visit, paths):
    page = visit()
    page.goto(paths["running"])
    link = page.locator("#tab-failed")
    link.focus()
    began = page.locator(".job-live-fresh").text_content() or ""
    expect(page.locator(".job-live-fresh")).not_to_have_text(began, timeout=LONG)
    expect(link).to_be_focused()
    assert page.title().startswith("95 % · ")

    page.get_by_role("link", name="Cancel job").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("38 rows are done and stay done.")
    now = page.locator(".job-live-fresh").text_content() or ""
    expect(page.locator(".job-live-fresh")).not_to_have_text(now, timeout=LONG)
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")

    page.context.set_offline(True)
    expect(page.get_by_text("No answer since").first).to_be_visible(timeout=LONG)
    assert page.locator("#toasts [data-toast]").count() == 0
    page.context.set_offline(False)
    visit.complaints.clear()  # the browser's own words about the network
    expect(page.get_by_text("No answer since").first).to_be_hidden(timeout=LONG)

    held: list[Route] = []  # a question about the job that is asked before both of these acts
    there = re.compile(re.escape(paths["running"]))
    page.route(there, lambda route: route.continue_() if held else held.append(route))
    pause = page.get_by_role("button", name="Pause")
    search = page.get_by_role("searchbox", name="Search rows")
    with page.expect_request(there):
        pass
    pause.click()
    search.fill("No licence")
    search.press("Enter")
    held[0].continue_()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    expect(page.locator("#job-items tbody tr")).to_have_count(1)


@pytest.mark.deep
def test_every_state_is_accessible_and_fits_a_phone(visit, paths):
    listed = paths["done"].rsplit("/", 2)[0] + "/"
    addresses = [*paths.values(), listed, f"{paths['running']}cancel/"]
    assert problems(visit(), addresses) == []


@pytest.mark.deep
def test_a_job_is_approved_without_javascript(visit, demo):
    page = visit(signed_in=False, java_script_enabled=False)
    sign_in(page, demo)
    import_people(page, [new_email("job")])
    for _ in range(200):
        if page.get_by_role("button", name="Create 1 person").count():
            break
        page.get_by_role("link", name="Refresh").first.click()
    page.get_by_role("button", name="Create 1 person").click()
    for _ in range(200):
        if page.get_by_text("1 person created").count():
            break
        page.get_by_role("link", name="Refresh").first.click()
    expect(page.locator("#job-standing .status")).to_have_text("Done")
