"""Every URL gives a whole page to a plain request and its part to an htmx request."""

import pytest

HTMX = {"HX-Request": "true"}


def is_whole(answer):
    return b"<!doctype html>" in answer.content


def test_a_plain_request_gets_the_whole_page(pages):
    answer = pages.get("/shows/")
    assert is_whole(answer)
    assert b"Inside" in answer.content


@pytest.mark.parametrize(
    "headers",
    [
        HTMX | {"HX-Boosted": "true"},
        HTMX | {"HX-History-Restore-Request": "true", "HX-Target": "content"},
    ],
)
def test_a_followed_link_and_the_way_back_get_the_whole_page(pages, headers):
    assert is_whole(pages.get("/shows/", headers=headers))


@pytest.mark.parametrize(
    "headers",
    [HTMX, HTMX | {"HX-Target": "content"}, HTMX | {"HX-Boosted": "true", "HX-Target": "x"}],
)
def test_an_htmx_request_gets_the_part(pages, headers):
    answer = pages.get("/shows/", headers=headers)
    assert not is_whole(answer)
    assert b"Inside" in answer.content
    assert b"<nav" not in answer.content


def test_the_dialog_gets_heading_and_content(pages):
    answer = pages.get("/shows/", headers=HTMX | {"HX-Target": "dialog-body"})
    assert not is_whole(answer)
    assert b'<h2 class="modal-title" id="dialog-title">Heading</h2>' in answer.content
    assert b"Inside" in answer.content


def test_caches_keep_page_and_part_apart(pages):
    assert "HX-Request" in pages.get("/shows/")["Vary"]


def test_a_toast_stands_on_the_page_it_was_made_for(pages):
    assert b"<p>Saved</p>" in pages.get("/shows/?toast=Saved").content
    assert b"<p>Saved</p>" not in pages.get("/shows/").content


def test_a_toast_comes_with_a_part_out_of_band(pages):
    answer = pages.get("/shows/?toast=Saved", headers=HTMX)
    assert b'hx-swap-oob="beforeend:#toasts"' in answer.content
    assert answer.content.count(b"<p>Saved</p>") == 1


def test_going_on_leads_a_plain_request_by_its_location(pages):
    answer = pages.post("/goes/")
    assert (answer.status_code, answer["Location"]) == (303, "/shows/")
    assert b"<p>Done</p>" in pages.get("/shows/").content


def test_success_leads_htmx_to_whole_page_with_its_toast(pages):
    answer = pages.post("/goes/", headers=HTMX)
    assert (answer.status_code, answer["HX-Redirect"]) == (200, "/shows/")
    assert b"Done" not in answer.content
    assert b"<p>Done</p>" in pages.get("/shows/").content


def test_polled_fragment_takes_no_toast_of_next_page(pages):
    pages.post("/goes/", headers=HTMX)
    part = HTMX | {"HX-Target": "jobs-running"}
    assert b"<p>Done</p>" not in pages.get("/shows/", headers=part).content
    answer = pages.get("/shows/?toast=Saved", headers=part).content
    assert (b"<p>Saved</p>" in answer, b"<p>Done</p>" in answer) == (True, False)
    shown = pages.get("/shows/").content
    assert (b"<p>Saved</p>" in shown, b"<p>Done</p>" in shown) == (False, True)


def test_htmx_request_of_ended_session_leads_to_sign_in(pages):
    pages.logout()
    here = "http://testserver/shows/?page=2"
    answer = pages.get("/shows/", headers=HTMX | {"HX-Current-URL": here})
    assert answer["HX-Redirect"] == "/account/login/?next=%2Fshows%2F%3Fpage%3D2"
