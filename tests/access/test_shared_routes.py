"""Whole pages on every route, for each kind of visitor: one who is let in is refused no further on,
and colleagues see nothing of how the account is reached."""

import pytest

from portal.access.roles import Role
from tests.access.visitors import EVERYBODY, by_role, by_share
from tests.support.portal import admin_client_for, member
from tests.support.shares import share_with
from tests.support.visitors import wrong_answers

# Thousands of whole pages: a slow machine takes its time.
pytestmark = [pytest.mark.django_db, pytest.mark.deep, pytest.mark.timeout(1800)]

OWN_PAGES = ("/connections/", "/")


@pytest.fixture
def shared(connect, administrator):
    return connect(administrator, "Shared")


@pytest.mark.whole_pages
def test_every_route_shows_whole_pages_to_whom_its_row_names(connect, sandbox):
    assert list(wrong_answers(by_role(connect, EVERYBODY), sandbox, whole=True)) == []


@pytest.mark.whole_pages
def test_no_route_shows_how_a_shared_connection_is_reached(shared, sandbox):
    found = wrong_answers(by_share(shared, list(Role)), sandbox, whole=True, seen=_revealing)
    assert list(found) == []


@pytest.mark.whole_pages
@pytest.mark.parametrize("path", OWN_PAGES)
def test_no_page_of_the_portal_shows_how_it_is_reached(path, shared):
    colleague = member("colleague@example.com", Role.ADMINISTRATOR)
    share_with(shared, colleague)
    answer = admin_client_for(colleague).get(path)
    assert answer.status_code == 200
    assert "Shared" in answer.content.decode()
    assert revealed(answer, shared) == ""


def _revealing(visitor, _route, _method, answer):
    if shown := revealed(answer, visitor.connection):
        yield f"shows {shown}"


def revealed(answer, connection):
    content = b"".join(answer) if answer.streaming else answer.content
    hint = connection.token_hint
    for secret in (
        connection.token.value,
        connection.base_url,
        f"••••{hint}",
        f"Ends in {hint}",
    ):
        if secret.encode() in content:
            return secret
    return ""
