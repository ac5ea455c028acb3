"""Members of groups and of IM groups (spec 2.6 and 4.2)."""

from portal.contract.groups import AddedMembers, Groups, ImGroups, NewImMembers, NewMembers
from portal.contract.paging import NumberedQuery
from portal.contract.problems import FieldProblem, PersonReference
from portal.sandbox.clock import now
from portal.sandbox.errors import InvalidInput, NotFound
from portal.sandbox.families.groups import group_called
from portal.sandbox.families.lookup import user_or_none
from portal.sandbox.families.membership import update_people
from portal.sandbox.http import Created, location
from portal.sandbox.models import Group, ImGroup, User
from portal.sandbox.paging import numbered_page
from portal.sandbox.serving import serves

_FIELDS = ("id", "email", "first_name", "last_name", "type")


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
    rows = group.members.order_by("email_key").values(*_FIELDS)
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
