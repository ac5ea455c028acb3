"""Every route of a shared connection answers a colleague as the role of the share does on an own
connection, and shows nothing of how the account is reached."""

from http import HTTPStatus
from http.cookies import SimpleCookie

import pytest
from django.http import HttpResponseBase

from portal.access.models import Connection, Share, User
from portal.access.roles import Role
from tests.access.routes import NAMED, undone
from tests.access.test_permission_matrix import MATRIX, expected, headers_of, outcome
from tests.plugins.portal import Connect, admin_client_for, member
from tests.plugins.sandbox import Sandbox

ROUTES = [route for route in NAMED if "connection" in route.arguments]
# They mail the owner of the connection, so that others have to be administrators of it.
MAILING = {"dashboards:alert-rule-new", "dashboards:alert-rule-delete"}
OWN_PAGES = ("/connections/", "/")


@pytest.fixture
def colleague(db: None) -> User:
    """Of whom only the share says what they may do."""
    return member("colleague@example.com", Role.ADMINISTRATOR)


@pytest.fixture
def shared(connect: Connect, administrator: User) -> Connection:
    return connect(administrator, "Shared")


@pytest.mark.parametrize("role", Role.values)
def test_every_route_answers_as_the_role_of_the_share_does(
    role: str, shared: Connection, colleague: User, sandbox: Sandbox
):
    Share.objects.create(connection=shared, user=colleague, role=role, created_by=shared.owner)
    client = admin_client_for(colleague)
    cookies = {name: cookie.value for name, cookie in client.cookies.items()}
    wrong = []
    for route in ROUTES:
        rows = MATRIX[route.name]
        if route.name in MAILING:
            rows = (("administrator",), ("administrator",))
        for method, allowed in zip(("get", "post"), rows, strict=True):
            with undone():
                client.cookies = SimpleCookie(cookies)
                url = route.url_of(colleague, shared, sandbox)
                answer = getattr(client, method)(url, headers=headers_of(role))
                had, ought = outcome(answer), expected(role, allowed, answer)
                shown = revealed(answer, shared)
            if had != ought:
                wrong.append(f"{method} {url}: {had}, not {ought}")
            if shown:
                wrong.append(f"{method} {url} shows {shown}")
    assert wrong == []


@pytest.mark.django_db
@pytest.mark.parametrize("path", OWN_PAGES)
def test_no_page_of_the_portal_shows_how_a_shared_connection_is_reached(
    path: str, shared: Connection, colleague: User
):
    Share.objects.create(
        connection=shared, user=colleague, role=Role.ADMINISTRATOR, created_by=shared.owner
    )
    answer = admin_client_for(colleague).get(path)
    assert answer.status_code == HTTPStatus.OK
    assert "Shared" in answer.content.decode()
    assert revealed(answer, shared) == ""


def revealed(answer: HttpResponseBase, connection: Connection) -> str:
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
