"""People and groups as a person with a narrow scope sees them."""

import pytest
from django.utils import timezone

from portal.access.scope import Scope
from portal.directory import colleagues, groups, users
from portal.directory.groups import GroupFilter
from portal.directory.models import GroupKind, MirroredGroup, MirroredUser, sync_memberships
from portal.directory.scope_rules import is_within, names_within, outsiders
from portal.directory.users import UserFilter
from tests.support.scopes import narrow, whole

pytestmark = pytest.mark.django_db

SALES = {"departments": frozenset({"Sales"}), "groups": frozenset[str]()}
TEAM = {"departments": frozenset[str](), "groups": frozenset({"team"})}


def person(connection, name, dept="", in_groups=()):
    row = MirroredUser.objects.create(
        connection=connection,
        user_id=name,
        email=f"{name}@Example.com",
        name=name,
        dept=dept,
        status="active",
        timezone=f"Zone/{name}",
        sort_name=name,
        search=name,
        group_ids=list(in_groups),
        touched_at=timezone.now(),
    )
    sync_memberships([row])
    return row


@pytest.fixture
def people(connection):
    """Three in no, one or two parts, and the groups that they are in."""
    person(connection, "ada", "Sales", ("elsewhere",))
    person(connection, "bob", "Support", ("team",))
    person(connection, "eve", "", ("others",))
    for key in ("team", "others", "elsewhere", "empty"):
        MirroredGroup.objects.create(
            connection=connection, kind=GroupKind.GROUP, group_id=key, name=key, sort_name=key
        )
    return connection


def _found(scope):
    return [row.user_id for row in users.find(scope, UserFilter())]


def test_without_a_part_everybody_is_listed(people):
    assert _found(whole(people)) == ["ada", "bob", "eve"]
    assert is_within(whole(people), "nobody")


def test_a_department_is_listed_alone(people):
    assert _found(narrow(people, **SALES)) == ["ada"]


def test_a_group_is_listed_alone(people):
    assert _found(narrow(people, **TEAM)) == ["bob"]


def test_whoever_is_in_a_department_or_in_a_group_is_within(people):
    both = narrow(people, departments=SALES["departments"], groups=TEAM["groups"])
    assert _found(both) == ["ada", "bob"]


def test_person_moved_out_of_department_is_outside_since(people):
    sales = narrow(people, **SALES)
    MirroredUser.objects.filter(user_id="ada").update(dept="")
    assert _found(sales) == []
    assert not is_within(sales, "ada")


def test_of_a_list_that_was_never_read_nobody_is_within(connection):
    assert not is_within(narrow(connection, **SALES), "ada")


def test_a_search_and_a_selection_by_id_find_nobody_else(people):
    sales = narrow(people, **SALES)
    assert not users.find(sales, UserFilter(search="bob"))
    assert not users.find(sales, UserFilter(search="bob"), "email")
    assert not users.find(sales, UserFilter(ids=["bob", "eve"]))
    assert [one.id for one in colleagues.find(sales, "a")] == ["ada"]
    assert not colleagues.colleague(sales, "bob").is_listed


def test_counts_and_choices_are_of_part_often_others_asked(people):
    sales = narrow(people, **SALES)
    for _ in range(2):
        assert users.counts_by_status(whole(people)) == {"active": 3}
        assert users.counts_by_status(sales) == {"active": 1}
        assert users.departments(whole(people)) == ["Sales", "Support"]
        assert users.departments(sales) == ["Sales"]
        assert users.timezones(sales) == ["Zone/ada"]
        assert len(groups.choices(whole(people))[GroupKind.GROUP]) == 4
        assert groups.choices(sales)[GroupKind.GROUP] == [("elsewhere", "elsewhere")]


def test_groups_are_those_of_the_part_and_of_its_people(people):
    def found(scope):
        return [row.group_id for row in groups.find(scope, GroupFilter())]

    assert found(narrow(people, **SALES)) == ["elsewhere"]
    assert found(narrow(people, **TEAM)) == ["team"]
    assert found(narrow(people, departments=frozenset(), groups=frozenset({"empty"}))) == ["empty"]


def test_a_group_has_as_many_members_as_the_scope_shows(people):
    MirroredGroup.objects.update(total_members=16)
    [team] = groups.find(narrow(people, **TEAM), GroupFilter(), "-total_members")
    assert groups.members_shown(team) == 1
    assert {groups.members_shown(one) for one in groups.find(whole(people), GroupFilter())} == {16}


def test_people_are_named_by_id_and_by_email_in_any_case(people):
    sales = narrow(people, **SALES)
    names = ["ada", "ADA@example.COM", "bob", "bob@example.com", "", "a\0b", "nobody@example.com"]
    assert names_within(sales, names) == {"ada", "ADA@example.COM"}
    assert outsiders(sales, ["bob", "ada"]) == ["bob"]


def test_whoever_has_no_access_sees_nobody(people):
    nothing = Scope.nothing(people.owner, people)
    assert _found(nothing) == []
    assert not groups.find(nothing, GroupFilter())
