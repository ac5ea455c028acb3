"""Groups and IM groups of the sample account, and their members."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from portal.contract.users import UserStatus
from portal.sandbox.identifiers import as_id
from portal.sandbox.models import Group, ImGroup, User

_GROUPS = (
    "All hands hosts",
    "Board & executives",
    "Contractors",
    "Customer Success: EMEA",
    "Field Sales",
    "Interns",
    "Night shift",
    "Webinar producers",
)
_IM_GROUPS = {
    "Crisis team": "restricted",
    "Everyone": "shared",
    "Help desk": "normal",
    "Product launch": "normal",
    "Recruiting": "restricted",
}


@dataclass
class Formed:
    """The groups, and the ids of each person's groups, before anything is stored."""

    groups: list[Group]
    im_groups: list[ImGroup]
    joined: dict[str, list[str]] = field(default_factory=dict)
    im_joined: dict[str, list[str]] = field(default_factory=dict)


def form_groups(users: list[User], chance: random.Random) -> Formed:
    """Returns groups; about half of the people are in one or two, and a third in an IM group."""
    formed = Formed(
        [
            Group(id=as_id(chance.randbytes(16)), name=name, name_key=name.lower())
            for name in _GROUPS
        ],
        [
            ImGroup(
                id=as_id(chance.randbytes(16)),
                name=name,
                name_key=name.lower(),
                type=kind,
                search_by_account=kind != "restricted",
                search_by_domain=kind == "shared",
            )
            for name, kind in _IM_GROUPS.items()
        ],
    )
    for user in users:
        if user.status != UserStatus.PENDING:
            formed.joined[user.id] = _some(formed.groups, (50, 40, 10), chance)
            formed.im_joined[user.id] = _some(formed.im_groups, (66, 30, 4), chance)
    return formed


def keep_people(users: list[User], formed: Formed) -> None:
    for user in users:
        user.prepare(formed.joined.get(user.id, []), formed.im_joined.get(user.id, []))
    User.objects.bulk_create(users)


def keep_groups(formed: Formed) -> None:
    Group.objects.bulk_create(formed.groups)
    ImGroup.objects.bulk_create(formed.im_groups)
    member, im_member = Group.members.through, ImGroup.members.through
    member.objects.bulk_create(
        member(user_id=user, group_id=group)
        for user, groups in formed.joined.items()
        for group in groups
    )
    im_member.objects.bulk_create(
        im_member(user_id=user, imgroup_id=group)
        for user, groups in formed.im_joined.items()
        for group in groups
    )


def _some(
    groups: Sequence[Group] | Sequence[ImGroup], weights: Sequence[int], chance: random.Random
) -> list[str]:
    """Returns the ids of no, one or two groups by the weights."""
    number = chance.choices(range(len(weights)), weights)[0]
    return sorted(group.id for group in chance.sample(groups, number))
