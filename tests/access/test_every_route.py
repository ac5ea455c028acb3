"""Promises 19, 20 and 21 over every route, for each kind of visitor."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver, resolve, reverse

from portal.access.roles import Role
from tests.access.test_permission_matrix import ANONYMOUS
from tests.access.visitors import (
    EVERYBODY,
    OF_A_CONNECTION,
    OF_A_DEPARTMENT,
    by_role,
    by_share,
    forgers,
    limited,
    of_a_defined_role,
    stranger,
)
from tests.support.portal import admin_client_for
from tests.support.routes import NAMED, views
from tests.support.visitors import wrong_answers

pytestmark = pytest.mark.django_db

# No browser goes there, and no session counts: the service signs in with each notification.
OF_THE_SERVICE = "hook"
FORGED = {OF_THE_SERVICE, "account_login", "people:create", "people:list"}


OF_EACH_FAMILY = {
    *("meetings:list", "meetings:create", "meetings:delete", "meetings:export", "meetings:end"),
    *("webinars:list", "webinars:create", "webinars:delete", "people:list", "people:remove"),
    *("people:create", "recordings:list", "chat:list", "webhooks:webhooks", "account:devices"),
    *("account:tracking-fields-new", "account:sub-accounts", "approvals:rules", "jobs:list"),
    *("dashboards:now", "reports:index", "groups:list", "mirror:search"),
}


# The roles with the least and the most rights; those between only add columns, row by row.
OUTERMOST = (ANONYMOUS, Role.VIEWER, Role.ADMINISTRATOR)


def test_every_route_lets_in_whom_its_row_names(connect, sandbox):
    visitors = by_role(connect, OUTERMOST, every_method=False)
    assert list(wrong_answers(visitors, sandbox)) == []


@pytest.mark.deep
def test_every_route_lets_in_the_roles_between(connect, sandbox):
    between = [who for who in EVERYBODY if who == ANONYMOUS or who not in OUTERMOST]
    assert list(wrong_answers(by_role(connect, between), sandbox)) == []


@pytest.mark.deep
def test_every_route_answers_as_the_role_of_the_share(connection, sandbox):
    assert list(wrong_answers(by_share(connection, list(Role)), sandbox)) == []


def test_every_route_keeps_to_the_limits_of_a_share(connection, connect, sandbox):
    visitors = [one for one in limited(connection, connect) if one.name == OF_A_DEPARTMENT]
    assert list(wrong_answers(visitors, sandbox)) == []


@pytest.mark.deep
def test_every_route_keeps_to_families_and_to_reading(connection, connect, sandbox):
    visitors = [one for one in limited(connection, connect) if one.name != OF_A_DEPARTMENT]
    assert list(wrong_answers(visitors, sandbox)) == []


def test_defined_role_opens_what_it_was_granted(connection, sandbox):
    """A few routes of each family, and what is for administrators alone."""
    routes = [one for one in OF_A_CONNECTION if one.name in OF_EACH_FAMILY]
    assert {one.name for one in routes} == OF_EACH_FAMILY
    visitors = [of_a_defined_role(connection, routes)]
    assert list(wrong_answers(visitors, sandbox)) == []


@pytest.mark.deep
def test_every_route_answers_as_a_defined_role_says(connection, sandbox):
    visitors = [of_a_defined_role(connection, OF_A_CONNECTION)]
    assert list(wrong_answers(visitors, sandbox)) == []


def test_strangers_get_in_nowhere(connection, connect, sandbox):
    visitors = [stranger(connection, connect, every_method=False)]
    assert list(wrong_answers(visitors, sandbox)) == []


@pytest.mark.deep
def test_strangers_get_in_by_no_method(connection, connect, sandbox):
    visitors = [stranger(connection, connect, every_method=True)]
    assert list(wrong_answers(visitors, sandbox)) == []


def test_every_route_wants_the_token_of_a_form():
    """The middleware refuses forms without it to all views but those that are exempt."""
    assert "django.middleware.csrf.CsrfViewMiddleware" in settings.MIDDLEWARE
    exempt = [view for view in views(get_resolver()) if getattr(view, "csrf_exempt", False)]
    assert exempt == [resolve(reverse(OF_THE_SERVICE, args=["never-made"])).func]


def test_a_forged_form_is_refused(connection, sandbox):
    routes = [route for route in NAMED if route.name in FORGED]
    assert len(routes) == len(FORGED)
    assert list(wrong_answers(forgers(connection, routes), sandbox)) == []


@pytest.mark.deep
def test_forged_forms_get_in_nowhere(connection, sandbox):
    assert list(wrong_answers(forgers(connection, NAMED), sandbox)) == []


def test_what_service_posts_to_takes_no_session_for_sign_in(administrator):
    [route] = [route for route in NAMED if route.name == OF_THE_SERVICE]
    url = reverse(route.name, args=["never-made"])
    for client in (admin_client_for(administrator), Client()):
        client.handler.enforce_csrf_checks = True
        assert client.post(url).status_code == 401
