"""A connection with its people in the list, and a share of it for a colleague."""

import pytest

from portal.access.models import Connection, Share, User
from portal.access.roles import Role
from portal.directory.users import USERS
from portal.mirror.refresh import refresh
from tests.support.portal import Connect, member
from tests.support.shares import share_with


@pytest.fixture
def shared(connect: Connect, administrator: User) -> Connection:
    """The administrator's connection, with all people of the account in its list."""
    connection = connect(administrator)
    assert refresh(USERS.request(connection).pk)
    return connection


@pytest.fixture
def colleague() -> User:
    return member("colleague@example.com", Role.ADMINISTRATOR)


@pytest.fixture
def share(shared: Connection, colleague: User) -> Share:
    """Of the whole connection, as far as a test does not change it."""
    return share_with(shared, colleague)
