"""Importing people, and how many licences there are, which the preview of an import holds against
its rows."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.urls import reverse

from portal.access.origin import origin_of
from portal.contract.users import Users
from portal.imports.columns import Column
from portal.imports.sheets import Sheet
from portal.imports.views.importing import ImportLabels, ImportView
from portal.jobs.models import Job
from portal.people.forms.importing import PeopleColumnsForm, SeatsForm
from portal.people.imports.columns import COLUMNS, PeopleMapping, mapping_of, names_in
from portal.people.jobs.people_import import KIND, draft
from portal.people.services import seats
from portal.translation import gettext as _
from portal.translation import pgettext
from portal.ui.views import ActionView, Labels


class PeopleImportView(ImportView):
    """Creates, changes, deactivates and removes people, a row each."""

    needs = Users.create
    columns_form_class = PeopleColumnsForm
    aside = "people/import_licences.html"

    def job_type(self) -> str:
        return KIND

    def labels(self) -> ImportLabels:
        return ImportLabels(
            many=_("people"),
            lead=_(
                "Create, change, deactivate or remove many at once. Nothing is sent before you "
                "have seen the preview."
            ),
            columns=_("In any order. Only the email is required. Empty cells change nothing."),
            rows=_("People are matched by their email. Empty cells change nothing."),
        )

    def url_name(self, part: str) -> str:
        return f"people:{part}"

    def columns(self) -> Mapping[str, Column]:
        return COLUMNS

    def mapping(self, headings: Sequence[str]) -> PeopleMapping:
        return mapping_of(names_in(headings), headings)

    def draft(self, form: PeopleColumnsForm, table: Sheet, file_name: str) -> Job:
        request, onboards = self.request, form.cleaned_data["onboards"]
        totals = seats.totals(request.scope, request.api)
        return draft(
            origin_of(request),
            request.connection,
            table,
            form.mapping,
            totals,
            name=file_name,
            onboards=onboards,
        )

    def context(self) -> dict[str, Any]:
        return super().context() | {"seats": partial(seats.known, self.request.scope)}


class StateSeatsView(ActionView):
    """Lets an administrator say how many licences there are."""

    needs = Users.create

    def labels(self) -> Labels:
        return Labels(
            pgettext("verb", "Set licence count"),
            submit=_("Save"),
            lead=_(
                "Enter the numbers from your contract: the service reports them for sub accounts "
                "only. Leave a field empty if you do not know."
            ),
        )

    def get_form(self, data: Any = None) -> SeatsForm:
        now = seats.stated(self.request.connection)
        initial = {kind.name.lower(): now.get(kind.value) for kind in seats.COUNTED}
        return SeatsForm(data, initial=initial)

    def perform(self, form: SeatsForm) -> str:
        seats.state(origin_of(self.request), self.request.connection, form.seats())
        return _("The numbers of licences are kept.")

    def cancel_url(self) -> str:
        return self._url("licences" if self.request.GET.get("next") == "licences" else "import")

    def context(self) -> dict[str, Any]:
        above = [(_("People"), self._url("list")), (_("Import people"), self._url("import"))]
        return {"trail": above}

    def _url(self, name: str) -> str:
        return reverse(f"people:{name}", args=[self.request.connection.key])
