"""User groups and IM groups, which are administered alike: what they differ in."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from annotated_types import MaxLen
from django.utils.text import capfirst

from portal.client import Api
from portal.contract.groups import (
    Groups,
    GroupUpdate,
    ImGroups,
    ImGroupUpdate,
    NewGroup,
    NewImGroup,
    NewImMembers,
    NewMembers,
)
from portal.contract.model import Model
from portal.contract.problems import PersonReference
from portal.directory.models import GroupKind
from portal.directory.users import UserFilter
from portal.translation import gettext_lazy


@dataclass(frozen=True)
class GroupType:
    """User groups or IM groups. `slug` is also the namespace of its URLs.

    `ids` is where a person's document names the groups of this type that they are in, `mirrored`
    what the mirror calls the type.
    """

    slug: str
    # Words differ by language, and what is compared does not.
    noun: str = field(compare=False)
    many: str = field(compare=False)
    family: type[Groups] | type[ImGroups]
    creation: type[Model]
    update: type[Model]
    naming: type[NewMembers] | type[NewImMembers]
    ids: Literal["group_ids", "im_group_ids"]
    mirrored: GroupKind

    def calls(self, api: Api) -> Any:
        """The operations on groups of this type."""
        return getattr(api, self.family.name)

    def add(self, api: Api, group_id: str, user_ids: Iterable[str]) -> None:
        """Puts people into a group, as many as one request names. Raises `ApiError`."""
        named = [PersonReference(id=user_id) for user_id in user_ids]
        self.calls(api).add_members(group_id, self.naming(members=named))

    def has(self, group_id: str, person: Any) -> bool:
        """Returns whether a person, as the service or the mirror has them, is in a group."""
        return group_id in (getattr(person, self.ids) or ())

    @cached_property
    def most(self) -> int:
        """Returns the most members that one request names."""
        limits = self.naming.model_fields["members"].metadata
        return next(limit.max_length for limit in limits if isinstance(limit, MaxLen))

    @property
    def title(self) -> str:
        """Returns the word for one, at the beginning of a line."""
        return capfirst(str(self.noun))

    @property
    def title_of_many(self) -> str:
        return capfirst(str(self.many))

    def members(self, group_id: str, search: str = "") -> UserFilter:
        """The people of the mirror who are in a group of this kind, and whom a search finds."""
        if self.mirrored == GroupKind.GROUP:
            return UserFilter(search=search, groups=[group_id])
        return UserFilter(search=search, im_groups=[group_id])


GROUPS = GroupType(
    slug="groups",
    noun=gettext_lazy("group"),
    many=gettext_lazy("groups"),
    family=Groups,
    creation=NewGroup,
    update=GroupUpdate,
    naming=NewMembers,
    ids="group_ids",
    mirrored=GroupKind.GROUP,
)
IM_GROUPS = GroupType(
    slug="im-groups",
    noun=gettext_lazy("IM group"),
    many=gettext_lazy("IM groups"),
    family=ImGroups,
    creation=NewImGroup,
    update=ImGroupUpdate,
    naming=NewImMembers,
    ids="im_group_ids",
    mirrored=GroupKind.IM_GROUP,
)
GROUP_TYPES = {kind.slug: kind for kind in (GROUPS, IM_GROUPS)}
# By the value of their `mirrored`, as jobs have it.
GROUPS_OF_KIND = {kind.mirrored.value: kind for kind in (GROUPS, IM_GROUPS)}
