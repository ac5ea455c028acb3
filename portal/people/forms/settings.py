"""The form of a person's settings."""

from portal.contract.user_settings import UserSettingsUpdate
from portal.ui.forms import contract_form

SettingsForm = contract_form(UserSettingsUpdate, lines=["in_meeting.custom_service_instructions"])
