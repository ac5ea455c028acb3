"""A connection of two administrators, on which some changes wait for approval."""

import pytest
from django.test import Client

from portal.access.models import ApprovalRule, Connection, Share, User
from portal.access.roles import Role
from tests.support.portal import admin_client_for, member


@pytest.fixture
def second(connection: Connection, administrator: User) -> User:
    """The other administrator, with whom the connection is shared."""
    user = member("second@example.com", Role.ADMINISTRATOR)
    Share.objects.create(
        connection=connection, user=user, role=Role.ADMINISTRATOR, created_by=administrator
    )
    return user


@pytest.fixture
def rule(connection: Connection, second: User) -> ApprovalRule:
    return ApprovalRule.objects.create(connection=connection, operations=["groups.create"])


@pytest.fixture
def first_client(administrator: User) -> Client:
    return admin_client_for(administrator)


@pytest.fixture
def second_client(second: User) -> Client:
    return admin_client_for(second)
