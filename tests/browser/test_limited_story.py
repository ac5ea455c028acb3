"""A faculty's administrator with two departments adds three people and schedules for one."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import is_wider_than_the_window, violations
from tests.browser.colleagues import new_colleague, run_in_portal
from tests.browser.conftest import sign_in
from tests.browser.fields import field
from tests.browser.people import enter, in_service, new_email, open_people
from tests.browser.service import ask

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]
_TIMEOUT = 60_000
_SHARED = """
from portal.access.models import Connection, Share, User
connection = Connection.objects.get(name="Sandbox")
dean = User.objects.get(email="{email}")
departments = {departments}
Share.objects.create(connection=connection, user=dean, role="administrator", families=[],
                     groups=[], departments=departments, created_by=connection.owner)
"""


@pytest.fixture
def dean(demo):
    made = new_colleague(demo, "administrator")
    departments = [f"Physics of {made.name}", f"Chemistry of {made.name}"]
    run_in_portal(demo, _SHARED.format(email=made.email, departments=departments))
    return made, departments


def _add(page, email, departments):
    enter(page)
    page.get_by_role("link", name="Add person").first.click()
    page.get_by_label("Create without sign-in").check()
    field(page, "Email").fill(email)
    field(page, "First name").fill("Ada")
    page.get_by_role("radio", name=re.compile(r"^Pro\b")).check()
    department = field(page, "Department")
    expect(department.locator("option")).to_have_text(["Choose one", *sorted(departments)])
    department.select_option(departments[0])
    assert violations(page) == []
    page.get_by_role("button", name="Add person").dblclick()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ada")


def _import(page, lines, default):
    open_people(page)
    page.get_by_role("link", name="Import", exact=True).first.click()
    expect(page.get_by_role("main")).not_to_contain_text("Set licence count")
    table = {"name": "people.csv", "mimeType": "text/csv", "buffer": "\n".join(lines).encode()}
    page.locator('input[type="file"]').set_input_files(table)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Map columns")
    field(page, "Department").select_option(default)
    page.get_by_label("Create without sign-in").check()
    page.get_by_role("button", name="Preview changes").click()
    run = page.get_by_role("button", name=re.compile("^Create 2"))
    expect(run).to_be_visible(timeout=_TIMEOUT)
    expect(page.get_by_role("main")).to_contain_text("This department is not one of yours.")
    run.click()
    expect(page.locator("#job-status")).to_contain_text("2 people created", timeout=_TIMEOUT)


def _schedule(page, host):
    page.goto(f"{page.url.split('/people/')[0]}/meetings/create/?host={host}")
    field(page, "Topic").fill("Office hours")
    field(page, "Start").fill("2038-03-01T09:00")
    field(page, "Time zone").fill("Europe/Berlin")
    page.get_by_text("Tracking fields").click()
    page.get_by_label("Cost centre").fill("4711")
    page.get_by_role("button", name="Schedule meeting").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Office hours")


def test_dean_adds_three_people_and_schedules_for_one(visit, demo, dean):
    colleague, (physics, chemistry) = dean
    page = visit(signed_in=False)
    sign_in(page, colleague)

    ada = new_email("ada")
    _add(page, ada, [physics, chemistry])
    person = in_service(demo, ada)
    assert person["dept"] == physics

    emails = [new_email("by.table") for _ in range(2)]
    lines = ["email,dept", f"{emails[0]},{chemistry}", f"{emails[1]},", f"{new_email()},Elsewhere"]
    _import(page, lines, physics)
    assert [in_service(demo, email)["dept"] for email in emails] == [chemistry, physics]

    open_people(page)
    expect(page.locator("table.sb-table tbody tr")).to_have_count(3)
    assert not is_wider_than_the_window(page)
    _schedule(page, person["id"])
    listed = ask(demo, "GET", f"/users/{ada}/meetings?type=scheduled").json()["meetings"]
    assert [one["topic"] for one in listed] == ["Office hours"]
