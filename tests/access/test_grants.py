"""Rights of people over a connection of their own, and over one that is shared with them."""

import pytest
from django.http import Http404

from portal.access.grants import (
    connections_of,
    find_scope,
    recipients_of,
    renewed,
    scope_of,
)
from portal.access.models import Connection, Share
from portal.access.roles import Role, lesser, may
from portal.access.scope import Scope
from portal.contract import Meetings, Users, operations
from tests.support.portal import member


def share(connection, user, role=Role.VIEWER, **limits):
    return Share.objects.create(
        connection=connection, user=user, role=role, created_by=connection.owner, **limits
    )


@pytest.mark.parametrize("one", Role)
@pytest.mark.parametrize("other", Role)
def test_the_lesser_of_two_roles_may_what_both_may(one, other):
    both = [each for each in operations() if may(one, each) and may(other, each)]
    assert [each for each in operations() if may(lesser(one, other), each)] == both


def test_the_lesser_of_a_role_and_none_is_none():
    assert lesser("", Role.ADMINISTRATOR) == lesser(Role.ADMINISTRATOR, "caretaker") == ""


def test_the_owner_has_their_role_and_no_limits(connection, administrator):
    scope = scope_of(administrator, connection)
    assert scope.is_owner
    assert scope.role == Role.ADMINISTRATOR
    assert not scope.families | scope.departments | scope.groups


def test_a_colleague_has_the_role_of_the_share(connection, operator):
    share(connection, operator, Role.VIEWER)
    scope = scope_of(operator, connection)
    assert not scope.is_owner
    assert scope.role == Role.VIEWER
    assert find_scope(operator, connection.key) == scope


def test_a_colleague_has_no_more_than_their_own_role(connection, operator):
    share(connection, operator, Role.ADMINISTRATOR)
    scope = scope_of(operator, connection)
    assert scope.role == Role.OPERATOR


def test_a_share_is_limited_to_its_families(connection, operator):
    share(connection, operator, Role.OPERATOR, families=["users"], departments=["Sales"])
    scope = scope_of(operator, connection)
    assert scope.may(Users.list)
    assert not scope.may(Meetings.get)
    assert scope.departments == {"Sales"}


def test_everybody_else_has_nothing(connection, operator):
    assert scope_of(operator, connection).is_nothing
    with pytest.raises(Http404):
        find_scope(operator, connection.key)


def test_a_deactivated_colleague_has_nothing(connection, operator):
    share(connection, operator)
    operator.is_active = False
    assert scope_of(operator, connection).is_nothing
    assert not connections_of(operator).exists()


def test_nothing_is_shared_while_its_owner_is_deactivated(connection, administrator, operator):
    share(connection, operator)
    administrator.is_active = False
    administrator.save()
    found = Connection.objects.get(pk=connection.pk)
    assert scope_of(operator, found).is_nothing
    assert not connections_of(operator).exists()


def test_own_and_shared_connections_are_one_query(
    connect, connection, operator, viewer, django_assert_num_queries
):
    own, others = connect(operator, "Another"), connect(member("else@example.com", Role.OPERATOR))
    share(connection, operator)
    share(connection, viewer)
    with django_assert_num_queries(1):
        found = list(connections_of(operator))
    assert found == [own, connection]
    assert others not in found


def test_recipients_of_many_shares_are_read_at_once(
    connection, operator, django_assert_num_queries
):
    for person in (operator, *(member(f"{name}@example.com", Role.VIEWER) for name in "abc")):
        share(connection, person)
    with django_assert_num_queries(3):  # with the list of them itself
        seeing = list(recipients_of(connection, Users.list))
    assert len(seeing) == 5


def test_a_grant_is_renewed_as_it_is_stored_now(connection, operator):
    made = share(connection, operator, Role.OPERATOR)
    before = scope_of(operator, connection)
    made.role = Role.VIEWER
    made.save()
    after = renewed(before)
    assert after
    assert after.role == Role.VIEWER
    made.delete()
    assert renewed(before) is None


def test_the_portal_itself_reads_what_a_viewer_may(connection):
    scope = Scope.whole(connection, "a test")
    assert not scope.is_owner
    assert scope.may(Users.list)
    assert not scope.may(Users.create)
    again = renewed(scope)
    assert again
    assert again.role == Role.VIEWER
