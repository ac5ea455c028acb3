"""The time zone in which pages show times: the browser's, or one that was chosen."""

from urllib.parse import quote

import pytest
from django.test import Client

from tests.people.reading import form_with, text_of

pytestmark = pytest.mark.django_db
ZONE = "/preferences/zone/"


def in_menu(pages: Client) -> str:
    """The zone that the person's own menu shows."""
    return text_of(pages.get("/shows/").text).partition("Time zone: ")[2].split()[0]


def test_times_are_reported_in_the_zone_of_the_browser_until_another_is_chosen(pages: Client):
    assert in_menu(pages) == "UTC"
    pages.cookies["zone"] = quote("America/New_York", safe="")
    assert in_menu(pages) == "America/New_York"
    form = form_with(pages.get(ZONE, {"next": "/shows/"}).text, "zone")
    answer = pages.post(ZONE, form.values | {"zone": "asia/kolkata"})
    assert (answer.status_code, answer["Location"]) == (303, "/shows/")
    assert in_menu(pages) == "Asia/Kolkata"
    form = form_with(pages.get(ZONE).text, "zone")
    assert form.values["zone"] == "Asia/Kolkata"
    assert "This browser is in America/New_York" in text_of(pages.get(ZONE).text)
    pages.post(ZONE, {"zone": ""})
    assert in_menu(pages) == "America/New_York"


@pytest.mark.parametrize("zone", ["Berlin", "../../etc/passwd", "x" * 65, "\x00", "posix/UTC"])
def test_a_zone_that_there_is_not_is_refused_and_stays_typed(pages: Client, zone: str):
    refused = pages.post(ZONE, {"zone": zone})
    assert refused.status_code == 422
    assert "chosen_zone" not in refused.cookies
    pages.cookies["chosen_zone"] = quote(zone, safe="")
    assert pages.get("/shows/").status_code == 200


def test_a_page_says_in_which_zone_it_was_made_unless_it_cannot_be_made_again(pages: Client):
    assert 'data-zone="UTC"' in pages.get("/shows/").text
    assert "data-zone" not in pages.post(ZONE, {"zone": "Nowhere"}).text
    pages.post(ZONE, {"zone": "Asia/Kolkata"})
    assert "data-zone" not in pages.get("/shows/").text
