"""Promises 19, 20 and 21 over every route, for each kind of visitor."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver, resolve, reverse

from portal.access.models import Connection, User
from portal.access.roles import Role
from tests.access.test_permission_matrix import ANONYMOUS
from tests.access.visitors import (
    EVERYBODY,
    ONLY_READING,
    by_role,
    by_share,
    forgers,
    limited,
    stranger,
)
from tests.support.portal import Connect, admin_client_for
from tests.support.routes import NAMED, views
from tests.support.sandbox import Sandbox
from tests.support.visitors import wrong_answers

pytestmark = pytest.mark.django_db

# No browser goes there, and no session counts: the service signs in with each notification.
OF_THE_SERVICE = "hook"
FORGED = {OF_THE_SERVICE, "account_login", "people:create", "people:list"}


# The roles with the least and the most rights; those between only add columns, row by row.
OUTERMOST = (ANONYMOUS, Role.VIEWER, Role.ADMINISTRATOR)


def test_every_route_lets_in_whom_its_row_names(connect: Connect, sandbox: Sandbox):
    assert list(wrong_answers(by_role(connect, OUTERMOST), sandbox)) == []


@pytest.mark.deep
def test_every_route_lets_in_the_roles_between(connect: Connect, sandbox: Sandbox):
    between = [who for who in EVERYBODY if who not in OUTERMOST]
    assert list(wrong_answers(by_role(connect, between), sandbox)) == []


@pytest.mark.deep
def test_every_route_answers_as_the_role_of_the_share(connection: Connection, sandbox: Sandbox):
    assert list(wrong_answers(by_share(connection, list(Role)), sandbox)) == []


def test_every_route_keeps_to_the_limits_of_a_share(
    connection: Connection, connect: Connect, sandbox: Sandbox
):
    visitors = [one for one in limited(connection, connect) if one.name != ONLY_READING]
    assert list(wrong_answers(visitors, sandbox)) == []


@pytest.mark.deep
def test_every_route_only_reads_over_a_reading_connection(
    connection: Connection, connect: Connect, sandbox: Sandbox
):
    visitors = [one for one in limited(connection, connect) if one.name == ONLY_READING]
    assert list(wrong_answers(visitors, sandbox)) == []


def test_strangers_get_in_nowhere(connection: Connection, connect: Connect, sandbox: Sandbox):
    assert list(wrong_answers([stranger(connection, connect)], sandbox)) == []


def test_every_route_wants_the_token_of_a_form():
    """The middleware refuses forms without it to all views but those that are exempt."""
    assert "django.middleware.csrf.CsrfViewMiddleware" in settings.MIDDLEWARE
    exempt = [view for view in views(get_resolver()) if getattr(view, "csrf_exempt", False)]
    assert exempt == [resolve(reverse(OF_THE_SERVICE, args=["never-made"])).func]


def test_a_forged_form_is_refused(connection: Connection, sandbox: Sandbox):
    routes = [route for route in NAMED if route.name in FORGED]
    assert len(routes) == len(FORGED)
    assert list(wrong_answers(forgers(connection, routes), sandbox)) == []


@pytest.mark.deep
def test_forged_forms_get_in_nowhere(connection: Connection, sandbox: Sandbox):
    assert list(wrong_answers(forgers(connection, NAMED), sandbox)) == []


def test_what_service_posts_to_takes_no_session_for_sign_in(administrator: User):
    [route] = [route for route in NAMED if route.name == OF_THE_SERVICE]
    url = reverse(route.name, args=["never-made"])
    for client in (admin_client_for(administrator), Client()):
        client.handler.enforce_csrf_checks = True
        assert client.post(url).status_code == 401
