"""Age of a list: a fragment of its page for htmx, and the page itself for other requests."""

import pytest
from django.urls import reverse

from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true", "HX-Target": "freshness"}
LISTS = {
    "people:": "people:list",
    "groups:": "groups:list",
    "im-groups:": "im-groups:list",
    "meetings:": "meetings:list",
    "webinars:": "webinars:list",
    "sessions:policy-": "sessions:policy",
    "sessions:calendar-": "sessions:calendar",
}


@pytest.mark.parametrize(("asked", "whole"), LISTS.items())
def test_is_a_part_of_the_page_or_leads_to_it(connection, asked, whole):
    client = admin_client_for(connection.owner)
    page = reverse(whole, args=[connection.key])
    freshness = reverse(f"{asked}freshness", args=[connection.key])
    plain = client.get(freshness)
    assert (plain.status_code, plain["Location"]) == (303, page)

    answer = client.get(freshness, headers=HTMX)
    assert b'id="freshness"' in answer.content
    assert b"<html" not in answer.content
    assert answer["HX-Trigger"] == "mirror-refreshed"

    refresh = reverse(f"{asked}refresh", args=[connection.key])
    assert b"Updating from the service" in client.post(refresh, headers=HTMX).content
    assert "HX-Trigger" not in client.get(freshness, headers=HTMX)
    assert client.post(refresh)["Location"] == page
