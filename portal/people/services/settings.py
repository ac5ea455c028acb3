"""The settings of people (spec 2.5)."""

from portal.client import Api
from portal.contract.user_settings import UserSettings, UserSettingsUpdate
from portal.ui.settings import SettingsCatalog, Values
from portal.ui.settings.catalog import values_of

SETTINGS = SettingsCatalog(
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


def read(api: Api, user_id: str) -> Values:
    """What the service reports now. Raises `ApiError`."""
    return values_of(api.users.settings(user_id))
