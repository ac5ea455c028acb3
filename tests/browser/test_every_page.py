"""axe-core on every page, in both themes, and as a phone shows it."""

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import PHONE, is_wider_than_the_window, problems
from tests.browser.people import (
    create_group_in_service,
    create_in_service,
    new_email,
    open_people,
)
from tests.browser.test_passkeys import invited

pytestmark = [pytest.mark.browser, pytest.mark.deep]

PERSON_PAGES = [
    "",
    "licence/",
    "tabs/meetings/",
    "tabs/webinars/?when=past",
    "tabs/recordings/",
    "groups/",
    "settings/",
    "settings/?q=zzz",
    "delegates/",
    "assistants/add/",
    "telephony/",
    "telephony/tsp/new/",
    "permissions/",
    "history/",
    "profile/name/",
    "email/",
    "password/",
    "host-key/",
    "picture/",
    "status/?action=deactivate",
    "revoke-token/",
    "remove/",
]
GROUP_PAGES = ["", "history/", "change/", "delete/", "members/add/", "?q=zzz"]
PORTAL_PAGES = [
    "/connections/",
    "/connections/new/",
    "/audit/",
    "/team/",
    "/team/invite/",
    "/team/roles/",
    "/team/roles/new/",
    "/team/roles/viewer/",
    "/account/password/change/",
    "/account/2fa/",
    "/account/2fa/totp/activate/",
    "/account/2fa/webauthn/",
    "/account/2fa/webauthn/add/",
    "/account/logout/",
    "/no-such-page/",
]
ENTRANCE_PAGES = ["/account/login/", "/account/password/reset/", "/account/login/webauthn/"]


def test_every_page_of_people_is_accessible(visit, demo):
    page = visit()
    open_people(page)
    people = page.url.split("?")[0]
    person = create_in_service(demo, new_email("axe"))
    addresses = [people, f"{people}?q=zzz", f"{people}create/"]
    addresses += [f"{people}{person}/{part}" for part in PERSON_PAGES]
    assert problems(page, addresses) == []


@pytest.mark.parametrize("kind", ["groups", "im/groups"])
def test_every_page_of_groups_is_accessible(visit, demo, kind):
    page = visit()
    open_people(page)
    people = page.url.split("?")[0]
    person = create_in_service(demo, new_email("axe"))
    group = create_group_in_service(demo, kind, [person])
    groups = people.replace("/people/", "/groups/" if kind == "groups" else "/groups/im/")
    addresses = [groups, f"{groups}?q=zzz", f"{groups}create/"]
    addresses += [f"{groups}{group}/{part}" for part in GROUP_PAGES]
    addresses += [f"{people}{person}/{kind.replace('/', '-')}/join/"]
    assert problems(page, addresses) == []


def test_every_page_of_the_portal_itself_is_accessible(visit):
    assert problems(visit(), PORTAL_PAGES) == []


def test_every_page_before_signing_in_is_accessible(visit):
    assert problems(visit(signed_in=False), ENTRANCE_PAGES) == []


def test_pages_that_name_somebody_of_the_team_fit_a_phone(visit, demo):
    page = visit(viewport=PHONE)
    email = new_email("somebody.with.a.long.address.at.the.subsidiary")
    invited(page, demo, email)
    page.goto("/team/second-factor/")
    expect(page.get_by_role("main")).to_contain_text(email)
    assert not is_wider_than_the_window(page)
    page.goto("/team/")
    page.get_by_role("link", name=email).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(email)
    assert not is_wider_than_the_window(page)
