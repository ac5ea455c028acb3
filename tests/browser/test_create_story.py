"""Creating people: four ways in, and errors that cost nothing."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.fields import field
from tests.browser.people import (
    create_group_in_service,
    create_in_service,
    in_service,
    members_in_service,
    new_email,
    open_people,
)

pytestmark = [pytest.mark.browser, pytest.mark.deep]

Visit = Callable[..., Page]


def _open_form(page):
    open_people(page)
    page.get_by_role("link", name="Add person").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Add person")


@pytest.mark.parametrize(
    ("way", "password"),
    [
        ("Invite by email", ""),
        ("Create with a password", "correct-horse-7"),
        ("Create without sign-in", ""),
        ("Provision for single sign-on", ""),
    ],
)
def test_a_person_is_created_in_each_of_the_four_ways(visit, demo, way, password):
    page = visit()
    _open_form(page)
    email = new_email("four.ways")
    page.get_by_label(way).check()
    field(page, "Email").fill(email)
    field(page, "First name").fill("Grace")
    field(page, "Last name").fill("Hopper")
    page.get_by_role("radio", name=re.compile(r"^Pro\b")).check()
    if password:
        field(page, "Password").fill(password)
    page.get_by_role("button", name="Add person").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Grace Hopper")
    known = in_service(demo, email)
    assert (known["first_name"], known["type"]) == ("Grace", 2)


def test_a_person_is_created_in_a_department_and_a_group(visit, demo):
    group = create_group_in_service(demo, "groups", [])
    page = visit()
    open_people(page)
    page.goto(f"{page.url.split('?')[0].replace('/people/', '/groups/')}{group}/")
    open_people(page)
    page.get_by_role("link", name="Add person").click()
    email = new_email("joins")
    page.get_by_label("Create without sign-in").check()
    field(page, "Email").fill(email)
    field(page, "First name").fill("Grace")
    page.get_by_role("radio", name=re.compile(r"^Basic\b")).check()
    field(page, "Department").fill("Compilers")
    page.locator("summary", has_text="Groups").click()
    page.locator(f'input[name="groups"][value="{group}"]').check()
    page.get_by_role("button", name="Add person").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Grace")
    assert in_service(demo, email)["dept"] == "Compilers"
    assert members_in_service(demo, "groups", group) == {email}


def test_email_taken_is_said_at_field_and_nothing_typed_is_lost(visit, demo):
    taken = new_email("taken")
    create_in_service(demo, taken)
    page = visit()
    _open_form(page)
    page.get_by_label("Create without sign-in").check()
    field(page, "Email").fill(taken)
    field(page, "First name").fill("Jürgen")
    page.get_by_role("radio", name=re.compile(r"^Corp\b")).check()
    page.get_by_role("button", name="Add person").click()
    entry = field(page, "Email")
    expect(entry).to_have_attribute("aria-invalid", "true")
    expect(entry).to_have_value(taken)
    expect(field(page, "First name")).to_have_value("Jürgen")
    expect(page.get_by_label("Create without sign-in")).to_be_checked()
    expect(page.get_by_role("radio", name=re.compile(r"^Corp\b"))).to_be_checked()


def test_a_double_click_creates_one_person(visit, demo):
    page = visit()
    _open_form(page)
    email = new_email("double")
    page.get_by_label("Create without sign-in").check()
    field(page, "Email").fill(email)
    field(page, "First name").fill("Once")
    page.get_by_role("radio", name=re.compile(r"^Basic\b")).check()
    page.get_by_role("button", name="Add person").dblclick()
    expect(page.get_by_role("heading", level=1)).to_have_text("Once")
    assert in_service(demo, email)["email"] == email
