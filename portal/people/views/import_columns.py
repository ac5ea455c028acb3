"""What the columns of an uploaded table mean: recognised, shown with values, and corrected."""

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.contract.users import CreateAction, Users
from portal.jobs.models import Job
from portal.jobs.views import uploads
from portal.people.forms.importing import MappingForm
from portal.people.imports.columns import SECRETS, recognised
from portal.people.jobs import import_drafts as service
from portal.people.services import seats
from portal.ui.models import KeptTable
from portal.ui.pages import go, page
from portal.ui.sheets import Limits, Table

TEMPLATE = "people/import_columns.html"


@never_cache
@require_http_methods(["GET", "POST"])
@connected(needs=Users.create)
def tell(request: PortalRequest, upload: str) -> HttpResponse:
    """Asks what each column means, then begins the job that makes the plan."""
    found = service.find(request.connection, upload)
    if found is None:
        return uploads.gone(request, upload, _start(request))
    kept, table = found
    names = recognised(table.headers)
    if request.method == "GET":
        form = MappingForm(table=table, names=names)
        return _ask(request, kept, table, form)
    form = MappingForm(request.POST, table=table, names=names)
    if form.is_valid():
        _check_passwords(form, table)
    if not form.is_valid():
        return _ask(request, kept, table, form)
    known = seats.known(request.connection, request.api)
    totals = {each.licence.value: each.total for each in known if each.total is not None}

    def draft() -> Job:
        origin, mapping = origin_of(request), form.mapping()
        return service.draft(origin, request.connection, table, mapping, totals, name=kept.name)

    return uploads.begin(request, kept, draft)


@require_POST
@connected(needs=Users.create)
def read_again(request: PortalRequest, upload: str) -> HttpResponse:
    """Reads the file in another encoding, or another sheet of it."""
    found = service.find(request.connection, upload)
    if found is None:
        return uploads.gone(request, upload, _start(request))
    kept, table = found
    uploads.read_again(request, kept, table, Limits())
    return go(request, reverse("people:import-columns", args=[request.connection.key, upload]))


def _start(request: PortalRequest) -> str:
    return reverse("people:import", args=[request.connection.key])


def _check_passwords(form: MappingForm, table: Table) -> None:
    mapping = form.mapping()
    says_how = {"action", "create_action"} & set(mapping.names)
    if says_how or mapping.way == CreateAction.AUTO_CREATE:
        return
    if service.has_passwords(table, mapping):
        label = CreateAction.AUTO_CREATE.label
        words = f"The table has passwords, which only “{label}” takes."
        form.add_error("way", f"{words} Choose that, or do not import the column.")


def _ask(request: PortalRequest, kept: KeptTable, table: Table, form: MappingForm) -> HttpResponse:
    names = tuple(bound.value() or "" for bound in form.columns())
    context = uploads.columns_context(kept, table, form, SECRETS)
    lost = list(service.lost(table, names))
    status = 422 if form.errors else 200
    return page(request, TEMPLATE, {**context, "lost": lost}, status=status)
