"""Groups and IM groups, and their members (spec 2.6 and 4.2)."""

from typing import Any, TypeVar

import orjson
from django.db.models import Count

from portal.contract.groups import (
    Group as GroupDocument,
    Groups,
    GroupUpdate,
    ImGroup as ImGroupDocument,
    ImGroups,
    ImGroupUpdate,
    NewGroup,
    NewImGroup,
)
from portal.sandbox.errors import Conflict, NotFound
from portal.sandbox.families.membership import update_people
from portal.sandbox.http import Created, location
from portal.sandbox.models import Group, ImGroup
from portal.sandbox.paging import whole
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
