"""Importing people: a table is taken in, its columns are told, and a job makes the plan."""

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.contract.users import Users
from portal.jobs.views import uploads
from portal.people.forms.importing import SeatsForm
from portal.people.imports.columns import COLUMNS
from portal.people.jobs.people_import import KIND
from portal.people.services import seats
from portal.ui.exports import KINDS
from portal.ui.forms.tables import TableForm
from portal.ui.pages import go, page
from portal.ui.sheets import template as template_of
from portal.ui.toasts import toast

TEMPLATE = "people/import.html"


@require_http_methods(["GET", "POST"])
@connected(needs=Users.create)
def take(request: PortalRequest) -> HttpResponse:
    """Asks for a table, and takes one in."""
    if request.method == "GET":
        return _ask(request, TableForm())
    form = TableForm(request.POST, request.FILES)
    kept = uploads.taken(request, form, KIND)
    if kept is None:
        return _ask(request, form, status=uploads.refusal(request))
    return go(request, reverse("people:import-columns", args=[request.connection.key, kept.key]))


def _ask(request: PortalRequest, form: TableForm, status: int = 200) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "columns": COLUMNS.values(),
        "seats": seats.known(request.connection),
    }
    return page(request, TEMPLATE, context, status=status)


@require_GET
@connected(needs=Users.create)
def template(request: PortalRequest, kind: str) -> HttpResponse:  # noqa: ARG001
    """A file to fill in: every column, and a row that shows how."""
    example = [column.example for column in COLUMNS.values()]
    content = template_of(kind, list(COLUMNS), example)
    response = HttpResponse(content, content_type=KINDS[kind])
    response["Content-Disposition"] = f'attachment; filename="people-template.{kind}"'
    return response


@never_cache
@require_http_methods(["GET", "POST"])
@connected(needs=Users.create)
def state_seats(request: PortalRequest) -> HttpResponse:
    """Lets an administrator say how many licences there are."""
    back = reverse("people:import", args=[request.connection.key])
    now = seats.stated(request.connection)
    initial = {kind.name.lower(): now.get(kind.value) for kind in seats.COUNTED}
    form = SeatsForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        seats.state(origin_of(request), request.connection, form.seats())
        toast(request, "good", "The numbers of licences are kept.")
        return go(request, back)
    context = {"form": form, "verb": "Save", "cancel": back}
    status = 422 if form.is_bound else 200
    return page(request, "people/import_seats.html", context, status=status)
