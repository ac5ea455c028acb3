"""Every act on an account, by each kind of user against each kind of user, over HTTP.

The acts are the routes of the team that take a form about one account. What they answer follows
from one table: who is nowhere less than the user of the account.
"""

import sys
from datetime import timedelta
from itertools import product

import pytest
from django.conf import settings
from django.contrib.messages import get_messages
from django.db import transaction
from django.test import Client
from django.urls import reverse

from portal.access.models import User
from portal.access.roles import Role
from portal.audit.models import AuditEntry
from portal.config import clock
from portal.team.models import AccountChange, ChangeKind
from tests.access.test_permission_matrix import MATRIX
from tests.support.portal import admin_client_for, member
from tests.support.routes import NAMED
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db
# The kinds of users: their role, and what share of the owner's connection they have.
KINDS = {
    "viewer": (Role.VIEWER, None),
    "compliance": (Role.COMPLIANCE, None),
    "operator": (Role.OPERATOR, {}),
    "stranger": (Role.ADMINISTRATOR, None),
    "department": (Role.ADMINISTRATOR, {"departments": ["Legal"]}),
    "family": (Role.ADMINISTRATOR, {"families": ["devices"]}),
    "whole": (Role.ADMINISTRATOR, {}),
    "owner": (Role.ADMINISTRATOR, None),
}
ADMINISTRATORS = {name for name, (role, _share) in KINDS.items() if role == Role.ADMINISTRATOR}
# Who is nowhere less than a user of each kind.
STANDING = {
    "viewer": ADMINISTRATORS,
    "compliance": ADMINISTRATORS,
    "operator": {"stranger", "whole", "owner"},
    "stranger": ADMINISTRATORS,
    "department": {"whole", "owner"},
    "family": {"whole", "owner"},
    "whole": {"owner"},
    "owner": {"whole"},
}
ACTS = [
    route.name
    for route in NAMED
    if route.name.startswith("team:") and "pk" in route.arguments and MATRIX[route.name][1]
]
OF_A_CHANGE = "team:change-"
NOT_ON_ONESELF = {"team:member-deactivate", "team:member-role"}
# Their pages list what there is, also for those who may not end it.
LISTS = {"team:member-sessions"}
DONE, REFUSED, FORBIDDEN, MISSING = "done", "refused", "forbidden", "not there"
KEPT_OUT = {403: FORBIDDEN, 404: MISSING}


def expected(act, who, whom):
    if act == "team:change-stop":
        return DONE if who == whom else MISSING
    if who not in ADMINISTRATORS:
        return FORBIDDEN
    if act == "team:change-withdraw":  # another one asked
        return REFUSED
    if who == whom:
        return REFUSED if act in {*NOT_ON_ONESELF, "team:change-now"} else DONE
    return DONE if who in STANDING[whom] else REFUSED


def test_acts_are_those_of_the_table():
    assert len(ACTS) == 10


@pytest.fixture
def people(connection, administrator):
    """A user of each kind, and the cookie and handle of the session of each."""
    users = {"owner": administrator}
    for name, (role, limits) in KINDS.items():
        if name not in users:
            users[name] = member(f"{name}@example.com", role)
        if limits is not None:
            share_with(connection, users[name], role, **limits)
    cookies = {
        name: admin_client_for(user).cookies[settings.SESSION_COOKIE_NAME].value
        for name, user in users.items()
    }
    return {name: (user, cookies[name], user.sessions.get().handle) for name, user in users.items()}


@pytest.fixture
def waiting(connection, people):
    """The primary keys of changes that wait, one for each kind."""
    asker = member("asker@example.com", Role.ADMINISTRATOR)
    share_with(connection, asker)
    due_at = clock.now() + timedelta(hours=1)
    return {
        name: AccountChange.objects.create(
            user=user, kind=ChangeKind.FACTORS, asked_by=asker, due_at=due_at
        ).pk
        for name, (user, _cookie, _handle) in people.items()
    }


SOME = ("viewer", "operator", "department", "whole", "owner")


@pytest.mark.parametrize(
    "kinds",
    [
        pytest.param(SOME, id="some"),
        pytest.param(tuple(KINDS), id="all", marks=pytest.mark.deep),
    ],
)
def test_each_kind_of_user_does_to_each_what_table_says(kinds, people, waiting, capsys):
    wrong, requests = [], 0
    for act, who, whom in product(ACTS, kinds, kinds):
        if act == "team:member-activate" and who == whom:
            continue  # users who are deactivated are not signed in
        cookie, (user, _cookie, handle) = people[who][1], people[whom]
        arguments = {"pk": waiting[whom] if act.startswith(OF_A_CHANGE) else user.pk}
        if act == "team:member-session-end":
            arguments["handle"] = handle
        path = reverse(act, kwargs=arguments)
        has_page = MATRIX[act][0] and act not in LISTS and who in ADMINISTRATORS
        for method in ("post", "get") if has_page else ("post",):
            answer = answered(method, act, path, cookie=cookie, user=user)
            requests += 1
            if answer != expected(act, who, whom):
                wrong.append((method, act, who, whom, answer, expected(act, who, whom)))
    with capsys.disabled():
        sys.stdout.write(f" {len(ACTS)} acts, {len(kinds)} x {len(kinds)} users, {requests} forms ")
    assert wrong == []


def answered(method, act, path, *, cookie, user):
    """Returns how it went; nothing of it stays."""
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = cookie
    with transaction.atomic():
        if act == "team:member-activate":
            User.objects.filter(pk=user.pk).update(is_active=False)
        elif not act.startswith(OF_A_CHANGE):
            AccountChange.objects.all().delete()
        before = AuditEntry.objects.count()
        role = Role.OPERATOR if user.role == Role.VIEWER else Role.VIEWER
        response = getattr(client, method)(path, {"role": role} if method == "post" else {})
        is_done = AuditEntry.objects.count() > before
        transaction.set_rollback(True)
    if response.status_code in KEPT_OUT:
        assert not is_done
        return KEPT_OUT[response.status_code]
    if method == "get":
        return DONE if response.status_code == 200 else REFUSED
    refusals = [one for one in get_messages(response.wsgi_request) if one.level_tag == "error"]
    assert bool(refusals) != is_done, (path, refusals)
    return DONE if is_done else REFUSED
