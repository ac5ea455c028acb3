"""What of people and groups somebody sees who is limited to a part of the people."""

from copy import copy

import pytest
from django.utils import timezone

from portal.access.models import Connection, Part
from portal.directory import colleagues, groups, users
from portal.directory.groups import GroupFilter
from portal.directory.memberships import link
from portal.directory.models import GroupKind, MirroredGroup, MirroredUser
from portal.directory.part import is_within, known, outsiders
from portal.directory.users import UserFilter

pytestmark = pytest.mark.django_db

SALES = {"departments": frozenset({"Sales"}), "groups": frozenset[str]()}
TEAM = {"departments": frozenset[str](), "groups": frozenset({"team"})}


def limited(connection: Connection, **part: frozenset[str]) -> Connection:
    """The connection for somebody who is limited to such a part."""
    made = copy(connection)
    made.part = Part(**part, holder=connection.owner_id)
    return made


def person(
    connection: Connection, name: str, dept: str = "", in_groups: tuple[str, ...] = ()
) -> MirroredUser:
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
    link([row])
    return row


@pytest.fixture
def people(connection: Connection) -> Connection:
    """Three in no, one or two parts, and the groups that they are in."""
    person(connection, "ada", "Sales", ("elsewhere",))
    person(connection, "bob", "Support", ("team",))
    person(connection, "eve", "", ("others",))
    for key in ("team", "others", "elsewhere", "empty"):
        MirroredGroup.objects.create(
            connection=connection, kind=GroupKind.GROUP, group_id=key, name=key, sort_name=key
        )
    return connection


def _found(connection: Connection) -> list[str]:
    return [row.user_id for row in users.find(connection, UserFilter())]


def test_without_a_part_everybody_is_listed(people: Connection):
    assert _found(people) == ["ada", "bob", "eve"]
    assert is_within(people, "nobody")


def test_a_department_is_listed_alone(people: Connection):
    assert _found(limited(people, **SALES)) == ["ada"]


def test_a_group_is_listed_alone(people: Connection):
    assert _found(limited(people, **TEAM)) == ["bob"]


def test_whoever_is_in_a_department_or_in_a_group_is_within(people: Connection):
    both = limited(people, departments=SALES["departments"], groups=TEAM["groups"])
    assert _found(both) == ["ada", "bob"]


def test_whoever_is_moved_out_of_the_department_is_outside_from_then_on(people: Connection):
    sales = limited(people, **SALES)
    MirroredUser.objects.filter(user_id="ada").update(dept="")
    assert _found(sales) == []
    assert not is_within(sales, "ada")


def test_of_a_list_that_was_never_read_nobody_is_within(connection: Connection):
    assert not is_within(limited(connection, **SALES), "ada")


def test_a_search_and_a_selection_by_id_find_nobody_else(people: Connection):
    sales = limited(people, **SALES)
    assert not users.find(sales, UserFilter(search="bob"))
    assert not users.find(sales, UserFilter(search="bob"), "email")
    assert not users.find(sales, UserFilter(ids=["bob", "eve"]))
    assert [one.id for one in colleagues.find(sales, "a")] == ["ada"]
    assert not colleagues.colleague(sales, "bob").is_known


def test_counts_and_choices_are_of_the_part_however_often_others_asked(people: Connection):
    sales = limited(people, **SALES)
    for _ in range(2):
        assert users.counts_by_status(people) == {"active": 3}
        assert users.counts_by_status(sales) == {"active": 1}
        assert users.departments(people) == ["Sales", "Support"]
        assert users.departments(sales) == ["Sales"]
        assert users.timezones(sales) == ["Zone/ada"]
        assert len(groups.choices(people)[GroupKind.GROUP]) == 4
        assert groups.choices(sales)[GroupKind.GROUP] == [("elsewhere", "elsewhere")]


def test_groups_are_those_of_the_part_and_of_its_people(people: Connection):
    def found(connection: Connection) -> list[str]:
        return [row.group_id for row in groups.find(connection, GroupFilter())]

    assert found(limited(people, **SALES)) == ["elsewhere"]
    assert found(limited(people, **TEAM)) == ["team"]
    assert found(limited(people, departments=frozenset(), groups=frozenset({"empty"}))) == ["empty"]


def test_people_are_named_by_id_and_by_email_in_any_case(people: Connection):
    sales = limited(people, **SALES)
    names = ["ada", "ADA@example.COM", "bob", "bob@example.com", "", "a\0b", "nobody@example.com"]
    assert known(sales, names) == {"ada", "ADA@example.COM"}
    assert outsiders(sales, ["bob", "ada"]) == ["bob"]


def test_what_a_limited_person_writes_to_the_mirror_leaves_others_as_they_are(people: Connection):
    sales = limited(people, **SALES)
    users.change(sales, ["ada", "bob"], timezone="Europe/Berlin")
    assert MirroredUser.objects.get(user_id="ada").timezone == "Europe/Berlin"
    assert MirroredUser.objects.get(user_id="bob").timezone == "Zone/bob"
