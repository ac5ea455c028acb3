"""A person's settings."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse

from portal.access.grants import Can
from portal.directory.settings import PEOPLE
from portal.people.forms.chosen import SettingsForm
from portal.people.services.person import from_mirror, read_or_from_mirror
from portal.people.views.person import person_url, tab
from portal.translation import gettext as _
from portal.ui.settings import Values
from portal.ui.settings.views import PAGE, SettingsLink, SettingsView
from portal.ui.tabs import wants_panel

_URLS = {"page": "settings", "review": "settings-review", "save": "settings-save"}


class PersonSettingsView(SettingsView):
    """All settings of a person, in a tab of their page."""

    needs = PEOPLE.reading
    needs_to_change = PEOPLE.changing
    catalog = PEOPLE.catalog
    form_class = SettingsForm

    @property
    def user_id(self) -> str:
        user_id: str = self.kwargs["user_id"]
        return user_id

    def read(self) -> Values:
        return PEOPLE.read(self.request.api, self.user_id)

    def save(self, update: Any) -> None:
        PEOPLE.change(self.request.api, self.user_id, update)

    def show(self, context: dict[str, Any], status: int) -> HttpResponse:
        request = self.request
        is_page = request.method == "POST" and not wants_panel(request)
        person = read_or_from_mirror(request.api, request.scope, self.user_id) if is_page else None
        return tab(request, self.user_id, "settings", PAGE, context, person=person, status=status)

    def whose(self) -> str:
        return from_mirror(self.request.scope, self.user_id).name

    def breadcrumbs(self) -> list[tuple[str, str]]:
        return [
            (_("People"), reverse("people:list", args=[self.request.connection.key])),
            (self.whose(), person_url(self.request, self.user_id)),
            (_("Settings"), self.url_of("page")),
        ]

    def links(self) -> list[SettingsLink]:
        key = self.request.connection.key
        if not Can(self.request.scope).call(PEOPLE.changing):
            return []
        url = reverse("account:baselines-new", args=[key, PEOPLE.name])
        return [
            SettingsLink(
                _("Save as baseline"), "ruler", f"{url}?{urlencode({'from': self.user_id})}"
            )
        ]

    def url_of(self, part: str) -> str:
        return person_url(self.request, self.user_id, _URLS[part])
