"""Pages of whoever is limited are the same, counts included, whoever else there is."""

import re
from collections.abc import Iterator
from difflib import unified_diff

import pytest
from django.test import Client
from django.urls import reverse

from portal.access.models import Connection, Share, User
from portal.access.roles import Role
from portal.directory.users import USERS
from portal.mirror.refresh import refresh, request_refresh
from tests.access.planted import Somebody, give_job, planted
from tests.support.portal import Connect, admin_client_for, member
from tests.support.sandbox import Sandbox
from tests.support.shares import share_with

pytestmark = [pytest.mark.django_db, pytest.mark.deep]

COUNTED = (
    *("people:list", "groups:list", "meetings:list", "webinars:list", "recordings:list"),
    *(
        "people:licences",
        "jobs:list",
        "jobs:running",
        "sessions:calendar",
    ),
    *("mirror:start", "reports:index"),
)
_MOVES = re.compile(
    r'nonce="[^"]*"|csrfmiddlewaretoken" value="[^"]*"|"X-CSRFToken": "[^"]*"|\d\d:\d\d(:\d\d)?'
    r'|datetime="[^"]*"|idempotency_key" value="[^"]*"|\d+ (second|minute)s? ago|at=[^"&]*'
)


@pytest.fixture
def shared(connect: Connect, administrator: User) -> Connection:
    connection = connect(administrator)
    assert refresh(request_refresh(connection, USERS).pk)
    return connection


@pytest.fixture
def inside(shared: Connection, sandbox: Sandbox) -> Somebody:
    return _given(shared, sandbox, "Inside")


@pytest.fixture(params=["department", "group"])
def share(request: pytest.FixtureRequest, shared: Connection, inside: Somebody) -> Share:
    share = share_with(shared, member("colleague@example.com", Role.ADMINISTRATOR))
    if request.param == "department":
        share.departments = ["Inside"]
    else:
        share.groups = [inside.group]
    share.save()
    return share


def test_counts_are_the_same_whoever_else_is_there(
    share: Share, shared: Connection, inside: Somebody, sandbox: Sandbox
):
    client = admin_client_for(share.user)
    list(_pages(client, shared))  # the first ones have lists read
    before = dict(_pages(client, shared))
    for _ in range(3):
        _given(shared, sandbox, "Elsewhere")
    after = dict(_pages(client, shared))
    changed = {name: _changed(before[name], after[name]) for name in before}
    assert {name: lines for name, lines in changed.items() if lines} == {}


def _given(shared: Connection, sandbox: Sandbox, dept: str) -> Somebody:
    one = planted(shared, sandbox, dept)
    give_job(one, shared.owner, shared)
    return one


def _changed(before: str, after: str) -> list[str]:
    lines = unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm="")
    return [line for line in lines if line.strip("+- ") and line[:2] not in ("++", "--", "@@")]


def _pages(client: Client, shared: Connection) -> Iterator[tuple[str, str]]:
    for name in COUNTED:
        for query in ({}, {"q": "Family"}):
            answer = client.get(reverse(name, args=[shared.key]), query)
            yield f"{name} {query}", _MOVES.sub("", answer.text)
