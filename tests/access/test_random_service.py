"""Every page against a service whose answers keep to the document and make no sense."""

import re

import pytest
from django.test.client import RedirectCycleError

from tests.access.test_permission_matrix import MATRIX
from tests.support.fault_server import depending
from tests.support.html import text_of
from tests.support.portal import admin_client_for
from tests.support.random_service import NEGATIVE, RandomService
from tests.support.routes import NAMED, undone

pytestmark = pytest.mark.deep

SHOWN = re.compile(f"[-\N{MINUS SIGN}]({-NEGATIVE}|{-NEGATIVE:,})")
PAGES = [
    route
    for route in NAMED
    if "connection" in route.arguments and "administrator" in MATRIX[route.name][0]
]


def test_every_page_opens_without_a_loop_or_a_negative_count(
    administrator, faulty, fault_server, sandbox
):
    fault_server.always(depending(RandomService(seed=1)))
    client = admin_client_for(administrator)
    wrong = [
        f"{route.name}: {found}"
        for route in PAGES
        for found in found_wrong(client, route.url_of(administrator, faulty, sandbox))
    ]
    assert not wrong, "\n".join(wrong)
    assert len(fault_server.requests) > len(PAGES) / 2


def found_wrong(client, address):
    try:
        with undone():
            page = client.get(address, follow=True)
    except RedirectCycleError:
        return ["redirects for ever"]
    found = [str(page.status_code)] if page.status_code >= 500 else []
    if len(page.redirect_chain) > 1:
        found.append(f"redirects to {page.redirect_chain}")
    shown = "" if page.streaming else text_of(page.content.decode(errors="replace"))
    return found + [shown[max(0, at.start() - 30) : at.end() + 10] for at in SHOWN.finditer(shown)]
