"""Updates of the groups in each person's list entry when groups change."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from portal.sandbox.models import Group, ImGroup, User

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
