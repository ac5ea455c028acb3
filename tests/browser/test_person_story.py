"""A person's page: every part opened, every part changed."""

import re
from collections.abc import Callable
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.fields import field
from tests.browser.people import (
    choose_more,
    create_in_service,
    in_service,
    new_email,
    open_person,
    open_profile,
)

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]


@pytest.fixture
def email(demo):
    email = new_email("story")
    create_in_service(demo, email)
    return email


@pytest.fixture
def page(visit, demo, email):
    page = visit()
    open_person(page, demo, email)
    expect(page.get_by_role("heading", level=1)).to_have_text("Ada Byron")
    return page


@pytest.mark.deep
@pytest.mark.parametrize(
    ("tab", "words"),
    [
        ("Sessions", "Show in meetings"),
        ("Sessions / Webinars", "Show in webinars"),
        ("Recordings", "Cloud recordings"),
        ("Access", "Groups"),
        ("Settings", "Find a setting"),
        ("Access / Assistants & schedulers", "Schedulers"),
        ("Access / Telephony", "PAC accounts"),
        ("Access / Permissions", "Permissions"),
        ("History", "Nothing was changed yet"),
    ],
)
def test_each_tab_opens_in_place_and_by_its_own_address(page, visit, tab, words):
    for name in tab.split(" / "):
        page.locator("#content").get_by_role("link", name=name, exact=True).click()
    expect(page.locator("#panel").get_by_text(words).first).to_be_visible()
    alone = visit()
    alone.goto(page.url)
    expect(alone.locator("#panel").get_by_text(words).first).to_be_visible()


@pytest.mark.deep
def test_the_profile_is_edited_in_place(page, demo, email):
    open_profile(page)
    page.get_by_role("link", name="Edit name and department").click()
    field(page, "Department").fill("Analytical Engines")
    field(page, "First name").fill("Augusta")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Augusta Byron")
    known = in_service(demo, email)
    assert (known["dept"], known["first_name"]) == ("Analytical Engines", "Augusta")


@pytest.mark.deep
def test_the_licence_is_changed_from_the_head(page, demo, email):
    page.get_by_role("link", name="Change licence").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("takes or frees a licence")
    dialog.get_by_role("radio", name=re.compile(r"^Basic\b")).check()
    dialog.get_by_role("button", name="Change licence").click()
    expect(page.locator("#thing-facts")).to_contain_text("Basic")
    assert in_service(demo, email)["type"] == 1


@pytest.mark.deep
def test_what_is_refused_stays_typed_and_is_said_at_its_field(page):
    open_profile(page)
    page.get_by_role("link", name="Edit personal room").click()
    pmi = field(page, "Personal meeting ID")
    pmi.fill("12345")
    page.get_by_role("button", name="Save").click()
    expect(pmi).to_have_attribute("aria-invalid", "true")
    expect(pmi).to_have_value("12345")
    expect(page.get_by_text("A personal meeting ID is exactly 10 digits.").first).to_be_visible()


@pytest.mark.deep
def test_email_password_and_host_key_are_changed_in_dialogs(page, demo, email):
    open_profile(page)
    page.get_by_role("link", name="Set new password").click()
    field(page.get_by_role("dialog"), "New password").fill("correct-horse-8")
    page.get_by_role("dialog").get_by_role("button", name="Set password").click()
    expect(page.get_by_role("dialog")).to_be_hidden()

    page.get_by_role("link", name="Change the host key").click()
    field(page.get_by_role("dialog"), "Host key").fill("271828")
    page.get_by_role("dialog").get_by_role("button", name="Change host key").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert in_service(demo, email)["host_key"] == "271828"

    changed = new_email("changed")
    page.get_by_role("link", name="Change the email").click()
    field(page.get_by_role("dialog"), "New email address").fill(changed)
    page.get_by_role("dialog").get_by_role("button", name="Change email").click()
    expect(page.locator("#panel")).to_contain_text(changed)
    assert in_service(demo, changed)["email"] == changed


def test_a_picture_is_uploaded_and_shown(page):
    drawn = BytesIO()
    Image.new("RGB", (64, 64), "teal").save(drawn, "JPEG")
    choose_more(page, "Change picture")
    field(page.get_by_role("dialog"), "Picture").set_input_files(
        {"name": "face.jpg", "mimeType": "image/jpeg", "buffer": drawn.getvalue()}
    )
    page.get_by_role("dialog").get_by_role("button", name="Save picture").click()
    picture = page.locator("img.avatar").first
    expect(picture).to_be_visible()
    expect(picture).to_have_js_property("complete", True)
    expect(picture).not_to_have_js_property("naturalWidth", 0)


def test_setting_is_found_by_part_of_name_and_saved(page, demo, email):
    page.locator("main").get_by_role("link", name="Settings", exact=True).click()
    page.get_by_label("Find a setting").fill("waiting")
    row = page.get_by_role("checkbox", name="Waiting room")
    expect(row).to_be_visible()
    expect(page.get_by_role("checkbox", name="Breakout rooms")).to_be_hidden()
    row.check()
    page.get_by_role("button", name="Review").click()
    expect(page.locator(".sb-review-table")).to_contain_text("Waiting room")
    page.get_by_role("button", name="Save 1 change").click()
    expect(page.locator("#toasts")).to_contain_text("1 setting was changed")
    page.reload()
    expect(page.get_by_role("checkbox", name="Waiting room")).to_be_checked()


@pytest.mark.deep
def test_a_person_is_deactivated_and_activated_again(page):
    choose_more(page, "Deactivate")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("This can be undone")
    dialog.get_by_role("button", name="Deactivate").click()
    expect(page.locator("main .status").first).to_have_text("Deactivated")
    choose_more(page, "Activate")
    page.get_by_role("dialog").get_by_role("button", name="Activate").click()
    expect(page.locator("#thing-facts .status")).to_have_count(0)


@pytest.mark.deep
def test_the_sso_token_is_revoked_and_history_shows_who_did_what(page):
    choose_more(page, "Revoke SSO token")
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.locator("#tab-history").click()
    expect(page.locator("#panel")).to_contain_text("SSO token")
    expect(page.locator("#panel")).to_contain_text("Demo administrator")


@pytest.mark.deep
def test_escape_closes_a_dialog_and_gives_the_focus_back(page):
    open_profile(page)
    link = page.get_by_role("link", name="Change the email")
    link.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(link).to_be_focused()
