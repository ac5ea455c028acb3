"""What the columns of an uploaded table mean: recognised, shown with values, and corrected."""

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.access.tokens import TokenUnreadable
from portal.contract.users import CreateAction, Users
from portal.people.forms.importing import MappingForm, ReadingForm
from portal.people.imports.columns import recognised
from portal.people.services import importing as service
from portal.people.services import seats
from portal.ui import once
from portal.ui.models import KeptTable
from portal.ui.pages import go, page
from portal.ui.sheets import Table, Unreadable, keeping
from portal.ui.toasts import toast

TEMPLATE = "people/import_columns.html"


@never_cache
@require_http_methods(["GET", "POST"])
@connected(needs=Users.create)
def tell(request: PortalRequest, upload: str) -> HttpResponse:
    """Asks what each column means, then begins the job that makes the plan."""
    found = service.find(request.connection, upload)
    if found is None:
        return _is_gone(request, upload)
    kept, table = found
    names = recognised(table.headers)
    if request.method == "GET":
        form = MappingForm(headings=table.headers, names=names)
        return _ask(request, kept, table, form)
    form = MappingForm(request.POST, headings=table.headers, names=names)
    if form.is_valid():
        _check_passwords(form, table)
    if not form.is_valid():
        return _ask(request, kept, table, form)
    sending = once.send(request.user, _ticket(upload))
    if sending.earlier:
        return _is_gone(request, upload)
    known = seats.known(request.connection, request.api)
    totals = {each.licence.value: each.total for each in known if each.total is not None}
    job = service.start(origin_of(request), request.connection, kept, form.mapping(), totals)
    sending.done(job.key)
    return go(request, reverse("jobs:job", args=[request.connection.key, job.key]))


@require_POST
@connected(needs=Users.create)
def read_again(request: PortalRequest, upload: str) -> HttpResponse:
    """Reads the file in another encoding, or another sheet of it."""
    found = service.find(request.connection, upload)
    if found is None:
        return _is_gone(request, upload)
    kept, table = found
    reading = ReadingForm(request.POST, sheets=table.sheets)
    if reading.is_valid():
        try:
            keeping.read_again(kept, **reading.cleaned_data)
        except (Unreadable, TokenUnreadable) as problem:
            toast(request, "bad", str(problem))
    return go(request, reverse("people:import-columns", args=[request.connection.key, upload]))


def _ticket(upload: str) -> str:
    return f"import-{upload}"


def _is_gone(request: PortalRequest, upload: str) -> HttpResponse:
    """To the job that was begun with this table, or to where another one can be sent."""
    key = once.result_of(request.user, _ticket(upload))
    if key:
        return go(request, reverse("jobs:job", args=[request.connection.key, key]))
    toast(request, "warning", "This table is not kept any more. Send it again.")
    return go(request, reverse("people:import", args=[request.connection.key]))


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
    parts = service.parts(table, names)
    rows = [row for row in table.rows if row.problem]
    context: dict[str, Any] = {
        "kept": kept,
        "table": table,
        "form": form,
        "columns": list(zip(parts, form.columns(), strict=True)),
        "ignored": names.count(""),
        "lost": list(service.lost(table, names)),
        "unreadable": rows[:5],
        "unreadable_count": len(rows),
        "reading": ReadingForm(
            initial={"encoding": table.encoding, "sheet": table.sheet}, sheets=table.sheets
        ),
    }
    return page(request, TEMPLATE, context, status=422 if form.errors else 200)
