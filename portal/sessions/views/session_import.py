"""Scheduling and changing many sessions from a table: it is taken in, and a job makes the plan."""

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.contract.tracking_fields import TrackingFieldDetails
from portal.jobs import services as jobs
from portal.sessions.forms.tables import TableForm
from portal.sessions.imports.columns import LIMITS
from portal.sessions.imports.session_columns import TRACKING, choices_of, columns_for
from portal.sessions.jobs.session_import import name_of
from portal.sessions.kinds import Kind
from portal.sessions.services.planning import tracking_fields
from portal.sessions.views.kinds import kind_page, of_kind
from portal.ui import once
from portal.ui.exports import KINDS
from portal.ui.pages import go
from portal.ui.sheets import Table
from portal.ui.sheets import template as template_of
from portal.ui.uploads import is_too_large

TEMPLATE = "sessions/import.html"


@require_http_methods(["GET", "POST"])
@of_kind(needs="create")
def take(request: PortalRequest, kind: Kind) -> HttpResponse:
    """Asks for a table, and takes one in."""
    if request.method == "GET":
        return _ask(request, kind, TableForm(initial={"ticket": once.new_ticket()}))
    form = TableForm(request.POST, request.FILES)
    if is_too_large(request):
        return _too_large(request, kind)
    if not form.is_valid() or form.table is None:
        return _ask(request, kind, form, status=422)
    sending = once.send(request.user, form.cleaned_data["ticket"])
    if sending.earlier:
        return go(request, _job_url(request, sending.earlier.result))
    key = _draft(request, kind, form.table, form.file_name)
    sending.done(key)
    return go(request, _job_url(request, key))


@require_GET
@of_kind(needs="create")
def template(request: PortalRequest, kind: Kind, file: str) -> HttpResponse:
    """A file to fill in: every column, those of the account too, and a row that shows how."""
    if file not in KINDS:
        raise Http404
    asked = tracking_fields(request.api, request.connection)
    shown = {one.name: one.example for one in columns_for(kind) if one.name != "tracking_fields"}
    shown |= {f"{TRACKING}{one.field}": _example(one) for one in asked if one.field}
    content = template_of(file, list(shown), list(shown.values()))
    response = HttpResponse(content, content_type=KINDS[file])
    response["Content-Disposition"] = f'attachment; filename="{kind.family}-template.{file}"'
    return response


def _example(field: TrackingFieldDetails) -> str:
    return next(iter(field.recommended_values or ()), "4711" if field.required else "")


def _draft(request: PortalRequest, kind: Kind, table: Table, file_name: str) -> str:
    count = len(table.rows)
    job = jobs.draft(
        origin_of(request),
        request.connection,
        name_of(kind),
        f"Import {count:,} {kind.noun if count == 1 else kind.plural}",
        parameters={},
        file=table.dump(),
        file_name=file_name,
    )
    return job.key


def _job_url(request: PortalRequest, key: str) -> str:
    name, more = ("jobs:job", [key]) if key else ("jobs:list", [])
    return reverse(name, args=[request.connection.key, *more])


def _too_large(request: PortalRequest, kind: Kind) -> HttpResponse:
    form = TableForm({})
    form.errors.clear()
    form.add_error("file", LIMITS.too_large)
    return _ask(request, kind, form, status=413)


def _ask(request: PortalRequest, kind: Kind, form: TableForm, status: int = 200) -> HttpResponse:
    columns = [(column, choices_of(column, kind)) for column in columns_for(kind)]
    return kind_page(request, kind, TEMPLATE, {"form": form, "columns": columns}, status=status)
