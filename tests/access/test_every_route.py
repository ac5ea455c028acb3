"""Promises 19 and 21, over every route there is."""

from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse

from portal.access.models import User
from portal.access.roles import Role
from tests.access.routes import NAMED, undone
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


def test_a_post_without_a_csrf_token_is_refused(
    administrator: User, connect: Connect, sandbox: Sandbox
):
    connection = connect(administrator)
    clients = (admin_client_for(administrator), Client())
    taken = []
    for route in NAMED:
        with undone():
            url = route.url_of(administrator, connection, sandbox)
            for client in clients:
                client.handler.enforce_csrf_checks = True
                if client.post(url).status_code != HTTPStatus.FORBIDDEN:
                    taken.append(route.name)
    assert set(taken) == {OF_THE_SERVICE}


def test_another_admins_connection_is_not_found(
    administrator: User, connect: Connect, sandbox: Sandbox
):
    connection = connect(administrator)
    other = member("other@example.com", Role.ADMINISTRATOR)
    connect(other)
    client = admin_client_for(other)
    found = []
    for route in OF_A_CONNECTION:
        with undone():
            url = route.url_of(administrator, connection, sandbox)
            statuses = {client.get(url).status_code, client.post(url).status_code}
        if statuses - {NOT_OFFERED} != {HTTPStatus.NOT_FOUND}:
            found.append((route.name, statuses))
    assert found == []


def test_what_the_service_posts_to_takes_no_session_for_a_sign_in(administrator: User):
    [route] = [route for route in NAMED if route.name == OF_THE_SERVICE]
    url = reverse(route.name, args=["never-made"])
    for client in (admin_client_for(administrator), Client()):
        client.handler.enforce_csrf_checks = True
        assert client.post(url).status_code == HTTPStatus.UNAUTHORIZED
