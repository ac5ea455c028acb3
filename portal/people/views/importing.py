"""Importing people, and how many licences there are, which the preview of an import holds against
its rows."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.contract.users import CreateAction, Users
from portal.imports.columns import Column
from portal.imports.sheets import Sheet
from portal.imports.views.importing import ImportLabels, ImportView
from portal.jobs.models import Job
from portal.people.forms.importing import PeopleColumnsForm, SeatsForm
from portal.people.imports.columns import COLUMNS, PeopleMapping, mapping_of, names_in
from portal.people.jobs import import_drafts as service
from portal.people.jobs.people_import import KIND
from portal.people.services import seats
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.pages import go, page
from portal.ui.toasts import toast

_LABELS = ImportLabels(
    many=gettext_lazy("people"),
    lead=gettext_lazy(
        "Create, change, deactivate or remove many at once. Nothing is sent before you have seen "
        "the preview."
    ),
    columns=gettext_lazy("In any order. Only the email is required. Empty cells change nothing."),
    rows=gettext_lazy("People are matched by their email. Empty cells change nothing."),
)


class PeopleImportView(ImportView):
    """Creates, changes, deactivates and removes people, a row each."""

    needs = Users.create
    columns_form_class = PeopleColumnsForm
    aside = "people/import_licences.html"
    more = "people/import_new.html"

    def job_type(self) -> str:
        return KIND

    def labels(self) -> ImportLabels:
        return _LABELS

    def url_name(self, part: str) -> str:
        return f"people:{part}"

    def columns(self) -> Mapping[str, Column]:
        return COLUMNS

    def mapping(self, headings: Sequence[str]) -> PeopleMapping:
        return mapping_of(names_in(headings), headings)

    def check(self, form: PeopleColumnsForm, table: Sheet) -> None:
        mapping = form.mapping
        says_how = {"action", "create_action"} & set(mapping.names)
        if says_how or mapping.way == CreateAction.AUTO_CREATE:
            return
        if service.has_passwords(table, mapping):
            label = CreateAction.AUTO_CREATE.label
            words = _(
                "The table has passwords, which only “%(label)s” takes. Choose that, or do not "
                "import the column."
            )
            form.add_error("way", words % {"label": label})

    def draft(self, form: PeopleColumnsForm, table: Sheet, file_name: str) -> Job:
        scope = self.request.scope
        known = seats.known(scope, self.request.api)
        totals = {each.licence.value: each.total for each in known if each.total is not None}
        origin = origin_of(self.request)
        onboards = form.cleaned_data["onboards"]
        return service.draft(
            origin, scope.connection, table, form.mapping, totals, name=file_name, onboards=onboards
        )

    def table_context(self) -> dict[str, Any]:
        return {"seats": seats.known(self.request.scope)}

    def columns_context(self, form: PeopleColumnsForm, table: Sheet) -> dict[str, Any]:
        names = tuple(bound.value() or "" for bound in form.columns())
        return {"lost": list(service.lost(table, names))}


@never_cache
@require_http_methods(["GET", "POST"])
@connected(needs=Users.create)
def state_seats(request: PortalRequest) -> HttpResponse:
    """Lets an administrator say how many licences there are."""
    is_of_licences = request.GET.get("next") == "licences"
    back = reverse(
        "people:licences" if is_of_licences else "people:import", args=[request.connection.key]
    )
    now = seats.stated(request.connection)
    initial = {kind.name.lower(): now.get(kind.value) for kind in seats.COUNTED}
    form = SeatsForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        seats.state(origin_of(request), request.connection, form.seats())
        toast(request, "good", _("The numbers of licences are kept."))
        return go(request, back)
    context = {"form": form, "verb": _("Save"), "cancel": back}
    status = 422 if form.is_bound else 200
    return page(request, "people/import_seats.html", context, status=status)
