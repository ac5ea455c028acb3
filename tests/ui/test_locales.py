"""The language and the time zone of pages: the browser's, or one's own."""

from datetime import UTC, datetime
from urllib.parse import quote

import pytest
import time_machine
from django.template import Context, Template
from django.utils import timezone, translation

from tests.support.html import form_with, text_of

pytestmark = pytest.mark.django_db
LOCALE = "/preferences/locale/"


def in_menu(pages):
    """The zone that the person's own menu shows."""
    return text_of(pages.get("/shows/").text).partition("Language and time zone ")[2].split()[0]


@pytest.mark.whole_pages
def test_times_are_in_zone_of_browser_until_another_is_chosen(pages):
    assert in_menu(pages) == "UTC"
    pages.cookies["zone"] = quote("America/New_York", safe="")
    assert in_menu(pages) == "America/New_York"
    form = form_with(pages.get(LOCALE, {"next": "/shows/"}).text, "time_zone")
    answer = pages.post(LOCALE, form.values | {"time_zone": "asia/kolkata"})
    assert (answer.status_code, answer["Location"]) == (303, "/shows/")
    assert in_menu(pages) == "Asia/Kolkata"
    form = form_with(pages.get(LOCALE).text, "time_zone")
    assert form.values["time_zone"] == "Asia/Kolkata"
    page = pages.get(LOCALE).text
    assert '<h1 class="page-title">Your account</h1>' in page
    assert "This browser is in America/New_York" in text_of(page)
    pages.post(LOCALE, {"time_zone": ""})
    assert in_menu(pages) == "America/New_York"


@pytest.mark.parametrize("zone", ["Atlantis", "../../etc/passwd", "x" * 65, "\x00", "posix/UTC"])
def test_a_zone_that_there_is_not_is_refused_and_stays_typed(pages, administrator, zone):
    refused = pages.post(LOCALE, {"time_zone": zone})
    assert refused.status_code == 422
    administrator.refresh_from_db()
    assert administrator.time_zone == ""
    pages.cookies["zone"] = quote(zone, safe="")
    assert pages.get("/shows/").status_code == 200


def test_page_names_its_zone_unless_it_cannot_be_made_again(pages):
    assert 'data-zone="UTC"' in pages.get("/shows/").text
    assert "data-zone" not in pages.post(LOCALE, {"time_zone": "Nowhere"}).text
    pages.post(LOCALE, {"time_zone": "Asia/Kolkata"})
    assert "data-zone" not in pages.get("/shows/").text


def test_pages_speak_language_of_browser_until_another_is_chosen(pages):
    german = {"HTTP_ACCEPT_LANGUAGE": "de-AT,de;q=0.9,en;q=0.5"}
    answer = pages.get("/shows/", **german)
    assert answer["Content-Language"] == "de"
    assert "Accept-Language" in answer["Vary"]
    assert 'lang="de"' in answer.text
    assert pages.get("/shows/")["Content-Language"] == "en-gb"

    saved = pages.post(LOCALE, {"language": "de", "time_zone": ""})
    assert saved.status_code == 303
    assert pages.get("/shows/", HTTP_ACCEPT_LANGUAGE="en")["Content-Language"] == "de"
    pages.post(LOCALE, {"language": "en-gb", "time_zone": ""})
    assert pages.get("/shows/", **german)["Content-Language"] == "en-gb"


def test_a_language_that_is_not_offered_is_refused(pages):
    refused = pages.post(LOCALE, {"language": "tlh", "time_zone": ""})
    assert refused.status_code == 422
    assert refused["Content-Language"] == "en-gb"


@pytest.mark.whole_pages
def test_page_in_german_says_all_that_stands_around_it_in_german(pages):
    said = text_of(pages.get("/shows/", HTTP_ACCEPT_LANGUAGE="de").text)
    for words in ("Zum Inhalt springen", "Startseite", "Protokoll", "Verbindungen", "Abmelden"):
        assert words in said
    for words in ("Audit trail", "Connections", "Sign out"):
        assert words not in said


@time_machine.travel(datetime(2026, 11, 21, 17, 2, 5, tzinfo=UTC), tick=False)
def test_times_and_numbers_are_said_as_the_language_says_them():
    template = Template("{% load ui %}{% when at %} {% moment at %} {{ 50000|thousands }}")
    at = Context({"at": datetime(2026, 11, 21, 13, 2, 5, tzinfo=UTC)})
    with timezone.override("Europe/Berlin"):
        english = template.render(at)
        with translation.override("de"):
            german = template.render(at)
    assert "21 November 2026, 14:02:05 (Europe/Berlin)" in english
    assert text_of(english) == "4 hours ago 21 November 2026, 14:02 (Europe/Berlin) 50,000"
    assert "21. November 2026, 14:02:05 (Europe/Berlin)" in german
    assert text_of(german) == "vor 4 Std. 21. November 2026, 14:02 (Europe/Berlin) 50.000"
