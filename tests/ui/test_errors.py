"""Pages for what went wrong in the portal itself."""

import pytest
from django.test import Client, RequestFactory

from portal.ui.errors import bad_request, server_error

HTMX = {"HX-Request": "true"}


@pytest.mark.whole_pages
def test_unknown_address_keeps_navigation_if_signed_in(pages):
    answer = pages.get("/nowhere/")
    assert answer.status_code == 404
    assert b'id="navigation"' in answer.content


def test_an_unknown_address_reports_a_stranger_nothing(visitor, db):
    answer = visitor.get("/nowhere/")
    assert answer.status_code == 404
    assert b'id="navigation"' not in answer.content


def test_an_unknown_address_is_a_toast_for_htmx(pages):
    answer = pages.get("/nowhere/", headers=HTMX)
    assert answer["HX-Retarget"] == "#toasts"
    assert b"This no longer exists." in answer.content


def test_a_mistake_of_the_portal_gives_the_request_id(pages):
    answer = pages.get("/breaks/")
    assert answer.status_code == 500
    assert answer["X-Request-ID"].encode() in answer.content
    assert b"an error in Switchboard" in answer.content
    assert b"RuntimeError" not in answer.content


@pytest.mark.parametrize("view", [bad_request, server_error])
def test_the_page_of_a_mistake_needs_no_database(view):
    request = RequestFactory().get("/")
    request.COOKIES["theme"] = "dark"
    answer = view(request)  # any query fails a test without `db`
    assert b'data-bs-theme="dark"' in answer.content


def test_a_form_that_is_too_old_says_how_to_keep_what_was_typed(settings, db):
    answer = Client(enforce_csrf_checks=True).post("/account/login/", {"login": "ada"})
    assert answer.status_code == 403
    assert b"what you typed is still there" in answer.content


def test_a_form_of_htmx_that_is_too_old_stays_where_it_is(db):
    answer = Client(enforce_csrf_checks=True).post("/account/login/", headers=HTMX)
    assert answer["HX-Retarget"] == "#toasts"
    assert b"expired" in answer.content
