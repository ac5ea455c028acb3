"""More members than one request of a browser deals with: added or removed as a job, by its plan."""

from collections.abc import Callable, Sequence

from portal.access.models import Connection
from portal.access.origin import Origin
from portal.access.scope import Scope
from portal.contract.groups import Group
from portal.directory import users as mirror
from portal.directory.users import UserFilter
from portal.jobs import services as jobs
from portal.jobs.models import Job, JobTitle
from portal.people.jobs.group_change import JoinGroupJob, JoinImGroupJob, LeaveGroupJob
from portal.people.labels import people_in_words
from portal.people.selection import PeopleSelection
from portal.people.services.group_types import GROUPS, GroupType
from portal.people.services.references import MemberReference
from portal.translation import gettext as _

MOST_ADDED = 300
MOST_REMOVED = 100  # each takes a request of its own


def known_ids(
    scope: Scope, people: Sequence[MemberReference]
) -> tuple[list[str], list[MemberReference]]:
    """The ids of those whom the mirror knows, by id or by email; and the others."""
    rows = mirror.find(scope, UserFilter()).values_list("user_id", "email")
    ids, by_email = set(), {}
    for user_id, email in rows:
        ids.add(user_id)
        by_email[email.casefold()] = user_id
    found: dict[str, None] = {}
    strangers = []
    for one in people:
        key = one.id if one.id in ids else "" if one.id else by_email.get(one.email.casefold(), "")
        if key:
            found[key] = None
        else:
            strangers.append(one)
    return list(found), strangers


def draft_joining(
    origin: Origin, connection: Connection, kind: GroupType, group: Group, ids: Sequence[str]
) -> Job:
    name = JoinGroupJob.name if kind is GROUPS else JoinImGroupJob.name
    title = JobTitle(joining_in_words(group.name), lambda: people_in_words(len(ids)))
    return jobs.draft(origin, connection, name, title, parameters=_parameters(kind, group, ids))


def draft_leaving(
    origin: Origin, connection: Connection, kind: GroupType, group: Group, ids: Sequence[str]
) -> Job:
    title = JobTitle(leaving_in_words(group.name), lambda: people_in_words(len(ids)))
    return jobs.draft(
        origin, connection, LeaveGroupJob.name, title, parameters=_parameters(kind, group, ids)
    )


def joining_in_words(group_name: str) -> Callable[[str], str]:
    return lambda who: _("Add %(who)s to %(name)s") % {"who": who, "name": group_name}


def leaving_in_words(group_name: str) -> Callable[[str], str]:
    return lambda who: _("Remove %(who)s from %(name)s") % {"who": who, "name": group_name}


def _parameters(kind: GroupType, group: Group, ids: Sequence[str]) -> dict[str, object]:
    return {
        "chosen": PeopleSelection(UserFilter(ids=list(ids))).as_parameters(),
        "group_id": group.id,
        "group_name": group.name,
        "group_kind": kind.mirrored.value,
    }
