"""Promises 19 and 21, over every route there is."""

from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse

from portal.access.models import User
from portal.access.roles import Role
from tests.access.routes import NAMED, Route
from tests.plugins.portal import Connect, admin_client_for, member
from tests.plugins.sandbox import Sandbox

pytestmark = pytest.mark.django_db

OF_A_CONNECTION = [
    route
    for route in NAMED
    if "connection" in route.arguments or ("key" in route.arguments and "access:" in route.name)
]
# No browser goes there, and no session counts: the service signs in with each notification.
OF_THE_SERVICE = "hook"
NOT_OFFERED = HTTPStatus.METHOD_NOT_ALLOWED


@pytest.mark.parametrize(
    "route",
    [route for route in NAMED if route.name != OF_THE_SERVICE],
    ids=lambda route: route.name,
)
def test_a_post_without_a_csrf_token_is_refused(
    route: Route, administrator: User, connect: Connect, sandbox: Sandbox
):
    url = route.url_of(administrator, connect(administrator), sandbox)
    for client in (admin_client_for(administrator), Client()):
        client.handler.enforce_csrf_checks = True
        assert client.post(url).status_code == HTTPStatus.FORBIDDEN


@pytest.mark.parametrize("route", OF_A_CONNECTION, ids=lambda route: route.name)
def test_another_admins_connection_is_not_found(
    route: Route, administrator: User, connect: Connect, sandbox: Sandbox
):
    url = route.url_of(administrator, connect(administrator), sandbox)
    other = member("other@example.com", Role.ADMINISTRATOR)
    connect(other)
    client = admin_client_for(other)
    answers = [client.get(url), client.post(url)]
    offered = [answer for answer in answers if answer.status_code != NOT_OFFERED]
    assert offered
    assert {answer.status_code for answer in offered} == {HTTPStatus.NOT_FOUND}


def test_what_the_service_posts_to_takes_no_session_for_a_sign_in(administrator: User):
    [route] = [route for route in NAMED if route.name == OF_THE_SERVICE]
    url = reverse(route.name, args=["never-made"])
    for client in (admin_client_for(administrator), Client()):
        client.handler.enforce_csrf_checks = True
        assert client.post(url).status_code == HTTPStatus.UNAUTHORIZED
