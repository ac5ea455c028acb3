"""Theme and row height are kept in cookies and drawn by the server."""

import pytest


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_a_chosen_theme_is_on_every_page_from_its_first_byte(pages, theme):
    answer = pages.post("/preferences/theme/", {"theme": theme, "next": "/shows/"})
    assert (answer.status_code, answer["Location"]) == (303, "/shows/")
    assert f'data-bs-theme="{theme}"'.encode() in pages.get("/shows/").content


def test_without_a_choice_the_system_decides(pages):
    assert b'data-bs-theme="auto"' in pages.get("/shows/").content


def test_compact_rows_are_kept(pages):
    pages.post("/preferences/density/", {"density": "compact"})
    assert b'data-density="compact"' in pages.get("/shows/").content


def test_the_choice_is_out_of_reach_for_scripts_and_other_sites(pages):
    pages.post("/preferences/theme/", {"theme": "dark"})
    cookie = pages.cookies["theme"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_before_signing_in_the_theme_can_be_chosen_too(visitor, db):
    assert visitor.post("/preferences/theme/", {"theme": "dark"}).status_code == 303


def test_other_values_are_refused(pages):
    assert pages.post("/preferences/theme/", {"theme": '"><script>'}).status_code == 400
    pages.cookies["theme"] = '"><script>'
    assert b'data-bs-theme="auto"' in pages.get("/shows/").content


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "javascript:x"])
def test_the_way_back_stays_in_the_portal(pages, elsewhere):
    answer = pages.post("/preferences/theme/", {"theme": "dark", "next": elsewhere})
    assert answer["Location"] == "/"


def test_a_choice_is_made_by_post_alone(pages):
    assert pages.get("/preferences/theme/?theme=dark").status_code == 405
