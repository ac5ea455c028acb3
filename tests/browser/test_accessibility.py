"""axe-core on every page, in both themes."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.accessibility import violations
from tests.browser.conftest import Demo
from tests.browser.people import (
    create_group_in_service,
    create_in_service,
    new_email,
    open_people,
)

pytestmark = pytest.mark.browser

PERSON_PAGES = [
    "",
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
    "/account/password/change/",
    "/account/2fa/",
    "/account/2fa/totp/activate/",
    "/account/2fa/webauthn/",
    "/account/2fa/webauthn/add/",
    "/account/logout/",
    "/no-such-page/",
]
ENTRANCE_PAGES = ["/account/login/", "/account/password/reset/", "/account/login/webauthn/"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page_of_people_is_accessible(
    visit: Callable[..., Page], demo: Demo, theme: str
) -> None:
    page = visit(color_scheme=theme)
    open_people(page)
    people = page.url.split("?")[0]
    person = create_in_service(demo, new_email("axe"))
    addresses = [people, f"{people}?q=zzz", f"{people}create/"]
    addresses += [f"{people}{person}/{part}" for part in PERSON_PAGES]
    assert _all_violations(page, addresses) == {}


@pytest.mark.parametrize(("theme", "kind"), [("light", "groups"), ("dark", "im/groups")])
def test_every_page_of_groups_is_accessible(
    visit: Callable[..., Page], demo: Demo, theme: str, kind: str
) -> None:
    page = visit(color_scheme=theme)
    open_people(page)
    people = page.url.split("?")[0]
    person = create_in_service(demo, new_email("axe"))
    group = create_group_in_service(demo, kind, [person])
    groups = people.replace("/people/", "/groups/" if kind == "groups" else "/groups/im/")
    addresses = [groups, f"{groups}?q=zzz", f"{groups}create/"]
    addresses += [f"{groups}{group}/{part}" for part in GROUP_PAGES]
    addresses += [f"{people}{person}/{kind.replace('/', '-')}/join/"]
    assert _all_violations(page, addresses) == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page_of_the_portal_itself_is_accessible(
    visit: Callable[..., Page], theme: str
) -> None:
    page = visit(color_scheme=theme)
    assert _all_violations(page, PORTAL_PAGES) == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page_before_signing_in_is_accessible(visit: Callable[..., Page], theme: str) -> None:
    page = visit(signed_in=False, color_scheme=theme)
    assert _all_violations(page, ENTRANCE_PAGES) == {}


def _all_violations(page: Page, addresses: list[str]) -> dict[str, list[str]]:
    found = {}
    for address in addresses:
        page.goto(address)
        if problems := violations(page):
            found[address] = problems
    return found
