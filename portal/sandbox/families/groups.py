"""Groups and IM groups, their members, and the groups in each person's list entry (spec 2.6,
4.2)."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, TypeVar

import orjson
from django.db.models import Count

from portal.contract.groups import (
    AddedMembers,
    Group as GroupDocument,
    Groups,
    GroupUpdate,
    ImGroup as ImGroupDocument,
    ImGroups,
    ImGroupUpdate,
    NewGroup,
    NewImGroup,
    NewImMembers,
    NewMembers,
)
from portal.contract.paging import NumberedQuery
from portal.contract.problems import FieldProblem, PersonReference
from portal.sandbox.clock import now
from portal.sandbox.errors import Conflict, InvalidInput, NotFound
from portal.sandbox.families.lookup import user_or_none
from portal.sandbox.http import Created, location
from portal.sandbox.models import Group, ImGroup, User
from portal.sandbox.paging import numbered_page, whole
from portal.sandbox.serving import serves

G = TypeVar("G", Group, ImGroup)

_FIELDS = ("id", "name", "total_members")
_IM_FIELDS = (*_FIELDS, "type", "search_by_account", "search_by_domain", "search_by_ma_account")


@serves(Groups.list)
def list_groups() -> bytes:
    groups = _counted(Group, _FIELDS)
    return orjson.dumps({"groups": groups, "total_records": len(groups)})


@serves(ImGroups.list)
def list_im_groups() -> bytes:
    """Returns all groups on one page, since the interface has no parameter for another page."""
    return orjson.dumps(whole("groups", _counted(ImGroup, _IM_FIELDS)))


@serves(Groups.create)
def create_group(body: NewGroup) -> Created:
    group = _named(Group(), body.name)
    group.save(force_insert=True)
    data = GroupDocument(id=group.id, name=group.name, total_members=0)
    return Created(location(Groups.get, group.id), data)


@serves(ImGroups.create)
def create_im_group(body: NewImGroup) -> Created:
    group = _named(ImGroup(), body.name)
    _choose(group, body)
    group.save(force_insert=True)
    return Created(location(ImGroups.get, group.id), ImGroupDocument(**_one(ImGroup, group.id)))


@serves(Groups.get)
def get_group(group_id: str) -> bytes:
    return orjson.dumps(_one(Group, group_id))


@serves(ImGroups.get)
def get_im_group(group_id: str) -> bytes:
    return orjson.dumps(_one(ImGroup, group_id))


@serves(Groups.update)
def update_group(group_id: str, body: GroupUpdate) -> None:
    group = group_called(Group, group_id)
    if body.name is not None:
        _named(group, body.name).save()


@serves(ImGroups.update)
def update_im_group(group_id: str, body: ImGroupUpdate) -> None:
    group = group_called(ImGroup, group_id)
    if body.name is not None:
        _named(group, body.name)
    _choose(group, body)
    group.save()


@serves(Groups.delete)
def delete_group(group_id: str) -> None:
    _delete(group_called(Group, group_id))


@serves(ImGroups.delete)
def delete_im_group(group_id: str) -> None:
    _delete(group_called(ImGroup, group_id))


def group_called(kind: type[G], group_id: str) -> G:
    found: G | None = kind.objects.filter(id=group_id).first()
    if found is None:
        raise NotFound("group" if kind is Group else "IM group")
    return found


def _delete(group: Group | ImGroup) -> None:
    """Deletes the group and its memberships. The members stay on the account."""
    members = list(group.members.values_list("id", flat=True))
    group.delete()
    update_people(members)


def _named(group: G, name: str) -> G:
    """Sets the name of a group; raises `Conflict` if another group of its kind has it."""
    key = name.lower()
    if type(group).objects.filter(name_key=key).exclude(id=group.id).exists():
        raise Conflict("name", "A group with this name exists.")
    group.name, group.name_key = name, key
    return group


def _choose(group: ImGroup, body: NewImGroup | ImGroupUpdate) -> None:
    sent = body.model_dump(mode="json", exclude={"name"}, exclude_unset=True, exclude_none=True)
    for name, value in sent.items():
        setattr(group, name, value)


def _one(kind: type[G], group_id: str) -> dict[str, Any]:
    group = group_called(kind, group_id)
    data = _FIELDS if kind is Group else _IM_FIELDS
    counted = {"total_members": group.members.count()}
    return {name: counted[name] if name in counted else getattr(group, name) for name in data}


def _counted(kind: type[Group] | type[ImGroup], values: tuple[str, ...]) -> list[dict[str, Any]]:
    rows = kind.objects.annotate(total_members=Count("members"))
    return list(rows.order_by("name_key").values(*values))


_MEMBER_FIELDS = ("id", "email", "first_name", "last_name", "type")


@serves(Groups.members)
def list_members(group_id: str, query: NumberedQuery) -> bytes:
    return _listed(group_called(Group, group_id), query)


@serves(ImGroups.members)
def list_im_members(group_id: str, query: NumberedQuery) -> bytes:
    return _listed(group_called(ImGroup, group_id), query)


@serves(Groups.add_members)
def add_members(group_id: str, body: NewMembers) -> Created:
    group = group_called(Group, group_id)
    return Created(location(Groups.members, group.id), _added(group, body.members))


@serves(ImGroups.add_members)
def add_im_members(group_id: str, body: NewImMembers) -> Created:
    group = group_called(ImGroup, group_id)
    return Created(location(ImGroups.members, group.id), _added(group, body.members))


@serves(Groups.remove_member)
def remove_member(group_id: str, member_id: str) -> None:
    _remove(group_called(Group, group_id), member_id)


@serves(ImGroups.remove_member)
def remove_im_member(group_id: str, member_id: str) -> None:
    _remove(group_called(ImGroup, group_id), member_id)


def _listed(group: Group | ImGroup, query: NumberedQuery) -> bytes:
    rows = group.members.order_by("email_key").values(*_MEMBER_FIELDS)
    return numbered_page("members", query, rows)


def _added(group: Group | ImGroup, named: list[PersonReference]) -> AddedMembers:
    """Adds people to a group. Existing members stay; one unknown person refuses the whole
    request."""
    people = _people(named)
    group.members.add(*people)
    update_people(person.id for person in people)
    return AddedMembers(
        added_at=now().replace(microsecond=0), ids=",".join(person.id for person in people)
    )


def _people(named: list[PersonReference]) -> list[User]:
    """Returns the named people, each once; the error lists every unknown name."""
    people: dict[str, User] = {}
    broken = []
    for at, one in enumerate(named):
        person = user_or_none(one.id or one.email or "")
        if person:
            people[person.id] = person
        else:
            field = f"members.{at}.{'id' if one.id else 'email'}"
            broken.append(FieldProblem(field, "No one on the account has this ID or email."))
    if broken:
        raise InvalidInput(*broken)
    return list(people.values())


def _remove(group: Group | ImGroup, name: str) -> None:
    by = {"email_key": name.lower()} if "@" in name else {"id": name}
    member = group.members.filter(**by).first()
    if member is None:
        raise NotFound("member")
    group.members.remove(member)
    update_people([member.id])


_AT_ONCE = 500


def update_people(ids: Iterable[str]) -> None:
    """Rewrites the list entries of these people."""
    wanted = list(ids)
    for start in range(0, len(wanted), _AT_ONCE):
        people = list(User.objects.filter(id__in=wanted[start : start + _AT_ONCE]))
        joined = _memberships(Group.members.through, "group_id", people)
        im_joined = _memberships(ImGroup.members.through, "imgroup_id", people)
        for user in people:
            user.prepare(joined[user.id], im_joined[user.id])
        User.objects.bulk_update(people, ["fragment"])


def _memberships(link: Any, group: str, people: list[User]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    rows = link.objects.filter(user__in=people).order_by(group).values_list("user_id", group)
    for user_id, group_id in rows:
        found[user_id].append(group_id)
    return found
