"""Members added to a group and removed from it, any number at a time.

One request adds so many people at most, and removes one: these are the service's limits, not those
of whoever administers it. The result is reported person by person, so that nothing is left
half said when one of them fails.
"""

from collections.abc import Sequence
from contextlib import suppress

from portal.access.models import Connection
from portal.client import Api, NotFound
from portal.contract.groups import AddedMembers
from portal.contract.problems import PersonReference
from portal.directory import groups as mirror
from portal.people.services.group_types import GroupType
from portal.people.services.groups import settle
from portal.people.services.references import MemberReference
from portal.ui import many
from portal.ui.many import ManyOutcome

AT_ONCE_SECONDS = 20.0


def add(
    api: Api,
    connection: Connection,
    kind: GroupType,
    group_id: str,
    people: Sequence[MemberReference],
    *,
    seconds: float = AT_ONCE_SECONDS,
) -> ManyOutcome[MemberReference]:
    """Adds people in as many requests as it takes, for so many seconds."""

    def ask(some: Sequence[MemberReference]) -> None:
        body = kind.naming(members=[_reference(one) for one in some])
        answer: AddedMembers = kind.calls(api).add_members(group_id, body)
        ids = {*filter(None, answer.ids.split(",")), *(one.id for one in some if one.id)}
        mirror.join(connection, kind.mirrored, group_id, ids)

    outcome = many.carry_out(people, ask, at_once=kind.most, place="members", seconds=seconds)
    if outcome.done:
        settle(api, connection, kind, group_id)
    return outcome


def remove(
    api: Api,
    connection: Connection,
    kind: GroupType,
    group_id: str,
    people: Sequence[MemberReference],
    *,
    seconds: float = AT_ONCE_SECONDS,
) -> ManyOutcome[MemberReference]:
    """Removes people one by one, for so many seconds. Who is no member any more is done."""

    def ask(some: Sequence[MemberReference]) -> None:
        [one] = some
        with suppress(NotFound):  # somebody else was faster
            kind.calls(api).remove_member(group_id, one.id)

    outcome = many.carry_out(people, ask, at_once=1, seconds=seconds)
    mirror.leave(connection, kind.mirrored, group_id, [one.id for one in outcome.done])
    if outcome.done:
        settle(api, connection, kind, group_id)
    return outcome


def _reference(one: MemberReference) -> PersonReference:
    """The email of somebody with an id is sent for the audit trail to be readable."""
    return PersonReference(id=one.id or None, email=one.email or None)
