"""Whoever is limited, however they are, and after their share has changed, finds no name on any
route that stands with somebody else alone."""

from collections.abc import Callable

import pytest

from portal.access.models import Connection, Share, User
from portal.access.roles import Role
from portal.directory.users import USERS
from portal.mirror.refresh import refresh, request_refresh
from tests.access.planted import OF_A_CONNECTION, Somebody, give_job, leaks, planted, urls_of
from tests.support.portal import Connect, admin_client_for, member
from tests.support.sandbox import Sandbox
from tests.support.shares import share_with

pytestmark = [pytest.mark.django_db, pytest.mark.deep]

Both = tuple[Somebody, Somebody]
Limit = Callable[[Share, Somebody], None]


@pytest.fixture
def shared(connect: Connect, administrator: User) -> Connection:
    """The administrator's connection, with all people of the account in its list."""
    connection = connect(administrator)
    assert refresh(request_refresh(connection, USERS).pk)
    return connection


@pytest.fixture
def both(shared: Connection, sandbox: Sandbox) -> Both:
    """Somebody inside, and somebody outside whose names stand nowhere else."""
    found = planted(shared, sandbox, "Inside"), planted(shared, sandbox, "Elsewhere")
    for one in found:
        give_job(one, shared.owner, shared)
    return found


@pytest.fixture
def colleague() -> User:
    return member("colleague@example.com", Role.ADMINISTRATOR)


@pytest.fixture
def share(shared: Connection, colleague: User) -> Share:
    """Of the whole connection, as far as a test does not change it."""
    return share_with(shared, colleague)


def to_the_department(share: Share, inside: Somebody) -> None:
    share.departments = [inside.document["dept"]]


def to_the_group(share: Share, inside: Somebody) -> None:
    share.groups = [inside.group]


def to_a_department_as_viewer(share: Share, inside: Somebody) -> None:
    to_the_department(share, inside)
    share.role = Role.VIEWER


def to_meetings_of_the_department(share: Share, inside: Somebody) -> None:
    to_the_department(share, inside)
    share.families = ["meetings"]


LIMITS = (
    *(to_the_department, to_the_group, to_a_department_as_viewer),
    to_meetings_of_the_department,
)


@pytest.mark.parametrize("limit", LIMITS)
def test_limits_that_are_added_leave_no_name(
    share: Share, shared: Connection, both: Both, sandbox: Sandbox, limit: Limit
):
    inside, outside = both
    client = admin_client_for(share.user)
    for name in ("people:list", "jobs:list", "mirror:search", "reports:index", "dashboards:now"):
        [route] = [one for one in OF_A_CONNECTION if one.name == name]
        client.get(next(urls_of(route, share.user, shared, sandbox, inside)))
    limit(share, inside)
    share.save()
    found = leaks(client, share.user, shared, sandbox, about=both, strangers=_names_of(outside))
    assert list(found) == []


def test_a_family_alone_leaves_no_name_of_another(
    share: Share, shared: Connection, both: Both, sandbox: Sandbox
):
    share.families = ["meetings"]
    share.save()
    strangers = [
        name
        for one in both
        for name in (f"Recording of {one.mark}", f"Group of {one.mark}", one.webinar, one.recording)
    ]
    client = admin_client_for(share.user)
    found = leaks(client, share.user, shared, sandbox, about=both, strangers=strangers)
    assert list(found) == []


def test_a_share_that_has_ended_leaves_no_name(
    share: Share, shared: Connection, both: Both, sandbox: Sandbox
):
    client = admin_client_for(share.user)
    share.delete()
    strangers = [name for one in both for name in _names_of(one)]
    found = leaks(client, share.user, shared, sandbox, about=both, strangers=strangers)
    assert list(found) == []


def _names_of(one: Somebody) -> list[str]:
    """All that is called by them has their mark."""
    called = [one.document["email"], f"Family{one.mark}"]
    return [*called, one.mark, one.id, one.meeting, one.webinar, one.group]
