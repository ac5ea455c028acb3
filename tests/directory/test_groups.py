"""The mirror of groups and of who is in them, against a running service."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from portal.client import Api
from portal.client.caller import HttpCaller
from portal.contract.groups import (
    GroupUpdate,
    ImGroupType,
    NewGroup,
    NewImGroup,
    NewImMembers,
    NewMembers,
)
from portal.contract.problems import PersonReference
from portal.contract.users import (
    CreateAction,
    LicenceType,
    NewUser,
    NewUserInfo,
    UserQuery,
    UserStatus,
)
from portal.directory import groups, users
from portal.directory.groups import GroupFilter
from portal.directory.models import GroupKind, Membership, MirroredGroup, MirroredUser
from portal.directory.users import USERS, UserFilter
from portal.mirror.mirrored_list import REFRESHES
from portal.mirror.refresh import refresh
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db
GROUP, IM_GROUP = GroupKind.GROUP, GroupKind.IM_GROUP


@pytest.fixture
def api(connection):
    """The service itself, past roles and audit."""
    return Api(HttpCaller(connection.target))


@pytest.fixture
def person(api):
    info = NewUserInfo(email=f"{uuid4()}@example.com", type=LicenceType.BASIC)
    return api.users.create(NewUser(action=CreateAction.CUST_CREATE, user_info=info)).id


@pytest.fixture
def group(api, person):
    made = api.groups.create(NewGroup(name=f"Group {uuid4()}"))
    api.groups.add_members(made.id, NewMembers(members=[PersonReference(id=person)]))
    return made.id


@pytest.fixture
def im_group(api, person):
    wanted = NewImGroup(name=f"IM group {uuid4()}", type=ImGroupType.SHARED, search_by_domain=True)
    made = api.im_groups.create(wanted)
    api.im_groups.add_members(made.id, NewImMembers(members=[PersonReference(id=person)]))
    return made.id


@pytest.fixture
def mirrored(connection, group, im_group):
    _refresh(connection)
    return connection


def _refresh(connection):
    """Some time after whatever was read alone."""
    earlier = timezone.now() - timedelta(minutes=1)
    MirroredUser.objects.exclude(touched_at=None).update(touched_at=earlier)
    MirroredGroup.objects.exclude(touched_at=None).update(touched_at=earlier)
    assert refresh(groups.GROUPS.request(connection).pk)
    assert refresh(USERS.request(connection).pk)


def _members(connection, wanted):
    return set(users.find(whole(connection), wanted).values_list("user_id", flat=True))


def _groups_of(connection, person):
    theirs = Membership.objects.filter(connection=connection, user__user_id=person)
    return set(theirs.values_list("group_id", flat=True))


def test_every_group_is_copied_with_what_service_reports(mirrored, api, im_group):
    listed = {
        (GROUP.value, one.id, one.name, one.total_members) for one in api.groups.list().groups
    }
    listed |= {
        (IM_GROUP.value, one.id, one.name, one.total_members) for one in api.im_groups.list().groups
    }
    found = groups.find(whole(mirrored), GroupFilter())
    assert set(found.values_list("kind", "group_id", "name", "total_members")) == listed
    shared = found.get(group_id=im_group)
    assert (shared.type, shared.search_by_domain) == ("shared", True)
    assert groups.state_of(mirrored).refreshed_at


def test_people_of_a_group_and_groups_of_a_person_are_found(mirrored, api, person, group, im_group):
    assert _members(mirrored, UserFilter(groups=[group])) == {person}
    assert _members(mirrored, UserFilter(im_groups=[im_group])) == {person}
    assert _members(mirrored, UserFilter(groups=[im_group])) == set()
    assert _groups_of(mirrored, person) == {group, im_group}
    for one in api.groups.list().groups:
        answer = {member.id for member in api.groups.members.all(one.id)}
        assert _members(mirrored, UserFilter(groups=[one.id])) == answer


def test_memberships_follow_the_next_lists_and_single_reads(mirrored, api, person, group, im_group):
    api.groups.remove_member(group, person)
    users.put(mirrored, api.users.get(person))
    assert _groups_of(mirrored, person) == {im_group}
    api.im_groups.remove_member(im_group, person)
    api.groups.add_members(group, NewMembers(members=[PersonReference(id=person)]))
    _refresh(mirrored)
    assert _groups_of(mirrored, person) == {group}


def test_who_leaves_the_account_leaves_every_group(mirrored, person, group):
    users.drop(mirrored, person)
    assert _members(mirrored, UserFilter(groups=[group])) == set()
    assert _groups_of(mirrored, person) == set()


def test_joining_and_leaving_show_before_service_is_read_again(
    mirrored, api, person, group, im_group
):
    other = api.groups.create(NewGroup(name=f"Another {uuid4()}"))
    groups.put(mirrored, GROUP, other)
    groups.join(mirrored, GROUP, other.id, [person, "nobody-we-know"])
    groups.leave(mirrored, IM_GROUP, im_group, [person])
    assert _groups_of(mirrored, person) == {group, other.id}
    assert _members(mirrored, UserFilter(groups=[group, other.id])) == {person}


def test_renamed_group_is_found_and_deleted_one_is_not(mirrored, api, person, group, im_group):
    name = f"Größe {uuid4()}"
    api.groups.update(group, GroupUpdate(name=name))
    groups.put(mirrored, GROUP, api.groups.get(group))
    [found] = groups.find(whole(mirrored), GroupFilter(search=f"{name[-6:]} GRÖSSE"))
    assert found.group_id == group
    groups.drop(mirrored, GROUP, group)
    assert not groups.find(whole(mirrored), GroupFilter(ids=[group]))
    assert _groups_of(mirrored, person) == {im_group}
    api.groups.delete(group)
    _refresh(mirrored)
    assert not MirroredGroup.objects.filter(group_id=group)
    assert not Membership.objects.filter(group_id=group)


def test_groups_sort_by_each_of_their_columns(mirrored):
    for key in sorted(groups.SORTS):
        upwards = [getattr(row, key) for row in groups.find(whole(mirrored), GroupFilter(), key)]
        downwards = [
            getattr(row, key) for row in groups.find(whole(mirrored), GroupFilter(), f"-{key}")
        ]
        if key == "name":
            upwards = [name.casefold() for name in upwards]
            downwards = [name.casefold() for name in downwards]
        assert upwards == downwards[::-1]
        assert len(upwards) == MirroredGroup.objects.count() > 2


def test_selection_finds_those_it_names_and_empty_one_nobody(mirrored, person):
    assert _members(mirrored, UserFilter(ids=[person, "nobody-we-know"])) == {person}
    assert _members(mirrored, UserFilter(ids=[])) == set()
    zone = users.timezones(whole(mirrored))[0]
    found = users.find(whole(mirrored), UserFilter(timezones=[zone]))
    assert {row.timezone for row in found} == {zone}


def test_what_the_lists_report_again_is_not_written_again(mirrored, api):
    before = set(users.find(whole(mirrored), UserFilter()).values_list("pk", "fingerprint"))
    members = set(Membership.objects.values_list("pk", flat=True))
    _refresh(mirrored)
    assert set(users.find(whole(mirrored), UserFilter()).values_list("pk", "fingerprint")) == before
    assert set(Membership.objects.values_list("pk", flat=True)) == members
    answer = {user.id for one in UserStatus for user in api.users.list.all(UserQuery(status=one))}
    assert _members(mirrored, UserFilter()) == answer


def test_sweep_leaves_alone_what_this_release_does_not_mirror(connection):
    state = groups.GROUPS.request(connection)
    type(state).objects.update(kind="of-a-later-release")
    assert REFRESHES.sweep() == 0
    assert not refresh(state.pk)
