"""Base of pages about one person: the person, and the pages they lead to."""

from functools import cached_property
from typing import Any

from portal.people.services.person import PersonRecord
from portal.people.views.tabs import person_url, read_for_form
from portal.ui.views import ActionView


class PersonActionView(ActionView):
    """An action on one person; it comes from their tab `tab`, and leads back there."""

    tab = "person"

    @cached_property
    def person(self) -> PersonRecord:
        return read_for_form(self.request, self.kwargs["user_id"])

    def prepare(self) -> None:
        self.person  # noqa: B018 - reads it

    def cancel_url(self) -> str:
        return person_url(self.request, self.person.id, self.tab)

    def context(self) -> dict[str, Any]:
        return {"person": self.person, "breadcrumbs": "people/person_breadcrumbs.html"}
