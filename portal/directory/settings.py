"""The settings of people (spec 2.5)."""

from typing import Any, ClassVar

from portal.client import Api
from portal.contract.user_settings import UserSettings, UserSettingsUpdate
from portal.contract.users import Users
from portal.translation import gettext_lazy
from portal.ui.settings.catalog import SettingsCatalog, SubjectKind, Values, values_of


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
