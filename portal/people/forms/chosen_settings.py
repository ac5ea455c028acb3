"""The form that changes settings of chosen people: those that are filled in, and no other."""

from django.http import QueryDict

from portal.access.http import PortalRequest
from portal.directory.settings import PEOPLE
from portal.jobs.models import JobTitle
from portal.jobs.views.drafting import Draft
from portal.people.forms.chosen import ChosenPeopleForm, Who
from portal.people.forms.settings import SettingsForm
from portal.people.labels import settings_in_words
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.settings.chosen import ChosenSettings


class ChosenSettingsForm(ChosenPeopleForm, ChosenSettings, SettingsForm):  # type: ignore[valid-type, misc]
    """Settings of selected people; a setting without a choice stays as each of them has it."""

    asks = gettext_lazy("Change settings of %(who)s")
    catalog = PEOPLE.catalog

    def __init__(self, request: PortalRequest, data: QueryDict | None = None) -> None:  # noqa: ARG002
        super().__init__(data, initial={})
        self.offer_to_leave({})

    def plan(self, request: PortalRequest, who: Who) -> Draft | None:  # noqa: ARG002
        update = self.changes()
        if update is None:
            self.add_error(None, _("No setting was chosen. Choose what to change."))
            return None
        data = update.model_dump(mode="json", by_alias=True, exclude_unset=True)
        count = sum(len(group) for group in data.values())

        def say(who: str) -> str:
            words = _("Change %(settings)s of %(who)s")
            return words % {"settings": settings_in_words(count), "who": who}

        return Draft("people.settings", JobTitle(say, who), {"update": data})
