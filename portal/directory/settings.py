"""The settings of people (spec 2.5), and of groups: those of their members."""

from typing import Any, ClassVar

from portal.access.scope import Scope
from portal.client import Api
from portal.contract.user_settings import UserSettings, UserSettingsUpdate
from portal.contract.users import Users
from portal.directory import users
from portal.directory.models import GroupKind
from portal.directory.users import UserFilter
from portal.translation import gettext_lazy
from portal.ui.settings.catalog import (
    ComparedKind,
    SettingsCatalog,
    SubjectKind,
    Values,
    values_of,
)


class _People(SubjectKind):
    name = "people"
    noun = (gettext_lazy("person"), gettext_lazy("people"))
    icon = "user"
    catalog = SettingsCatalog(
        UserSettings,
        UserSettingsUpdate,
        order=(
            "feature",
            "schedule_meeting",
            "in_meeting",
            "recording",
            "email_notification",
            "telephony",
        ),
    )
    reading: ClassVar[Any] = Users.settings
    changing: ClassVar[Any] = Users.update_settings
    page = "people:person"

    def read(self, api: Api, subject_id: str) -> Values:
        return values_of(api.users.settings(subject_id))

    def change(self, api: Api, subject_id: str, update: Any) -> None:
        api.users.update_settings(subject_id, update)


PEOPLE = _People()


class GroupsOfPeople(ComparedKind):
    """Groups, or IM groups. The interface has no settings of a group, but those of its members."""

    noun = (gettext_lazy("group"), gettext_lazy("groups"))
    catalog = PEOPLE.catalog
    reading = PEOPLE.reading

    def __init__(self, name: str, kind: GroupKind) -> None:
        self.name, self.kind, self.page = name, kind, f"{name}:group"

    def member_ids(self, scope: Scope, group_id: str) -> list[str]:
        """Returns the mirrored members of a group that the scope has, by name."""
        wanted = UserFilter(groups=[group_id])
        if self.kind == GroupKind.IM_GROUP:
            wanted = UserFilter(im_groups=[group_id])
        members = users.find(scope, wanted, "name")
        return list(members.values_list("user_id", flat=True))


GROUPS = GroupsOfPeople("groups", GroupKind.GROUP)
IM_GROUPS = GroupsOfPeople("im-groups", GroupKind.IM_GROUP)
