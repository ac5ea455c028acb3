"""The form of a person's settings."""

from django.http import QueryDict

from portal.contract.user_settings import UserSettingsUpdate
from portal.people.services.settings import Values
from portal.ui.forms import contract_form
from portal.ui.forms.state import unsign

SettingsForm = contract_form(UserSettingsUpdate, lines=["in_meeting.custom_service_instructions"])


def opened_with(data: QueryDict) -> Values:
    """What the settings were when the form was opened, for when the service does not tell now."""
    return unsign(data.get("was", "")) or {}
