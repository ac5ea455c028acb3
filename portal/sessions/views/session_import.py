"""Scheduling and changing many sessions from a table: it is taken in, its columns are told, and a
job makes the plan."""

from django.http import Http404, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.contract.tracking_fields import TrackingFieldDetails
from portal.jobs import services as jobs
from portal.jobs.models import Job
from portal.jobs.views import uploads
from portal.sessions.forms.session_import import SessionColumnsForm, SessionTableForm
from portal.sessions.imports.columns import LIMITS
from portal.sessions.imports.session_columns import SECRETS, TRACKING, choices_of, columns_for
from portal.sessions.jobs.session_import import name_of
from portal.sessions.kinds import Kind
from portal.sessions.services.planning import tracking_fields
from portal.sessions.views.kinds import kind_page, kind_url, of_kind
from portal.ui.exports import KINDS
from portal.ui.pages import go
from portal.ui.sheets import Table, keeping
from portal.ui.sheets import template as template_of


@require_http_methods(["GET", "POST"])
@of_kind(needs="create")
def take(request: PortalRequest, kind: Kind) -> HttpResponse:
    """Asks for a table, and takes one in."""
    if request.method == "GET":
        return _ask(request, kind, SessionTableForm())
    form = SessionTableForm(request.POST, request.FILES)
    kept = uploads.taken(request, form, name_of(kind))
    if kept is None:
        return _ask(request, kind, form, status=uploads.refusal(request))
    return go(request, kind_url(request, kind, "import-columns", kept.key))


@never_cache
@require_http_methods(["GET", "POST"])
@of_kind(needs="create")
def columns(request: PortalRequest, kind: Kind, upload: str) -> HttpResponse:
    """Asks what each column means, then begins the job that makes the plan."""
    start = kind_url(request, kind, "import")
    found = keeping.find(request.connection, name_of(kind), upload)
    if found is None:
        return uploads.gone(request, upload, start)
    kept, table = found
    tracked = [one.field for one in tracking_fields(request.api, request.connection) if one.field]
    sent = request.POST if request.method == "POST" else None
    form = SessionColumnsForm(sent, table=table, kind=kind, tracked=tracked)
    if form.is_valid():
        return uploads.begin(
            request, kept, lambda: _draft(request, kind, table, form.names, kept.name)
        )
    context = uploads.columns_context(kept, table, form, SECRETS)
    status = 422 if form.is_bound else 200
    return kind_page(request, kind, "sessions/import_columns.html", context, status=status)


@require_POST
@of_kind(needs="create")
def read_again(request: PortalRequest, kind: Kind, upload: str) -> HttpResponse:
    """Reads the file in another encoding, or another sheet of it."""
    found = keeping.find(request.connection, name_of(kind), upload)
    if found is None:
        return uploads.gone(request, upload, kind_url(request, kind, "import"))
    uploads.read_again(request, *found, LIMITS)
    return go(request, kind_url(request, kind, "import-columns", upload))


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


def _draft(
    request: PortalRequest, kind: Kind, table: Table, names: tuple[str, ...], file_name: str
) -> Job:
    count = len(table.rows)
    return jobs.draft(
        origin_of(request),
        request.connection,
        name_of(kind),
        f"Import {count:,} {kind.noun if count == 1 else kind.plural}",
        parameters={"names": names},
        file=table.dump(),
        file_name=file_name,
    )


def _ask(
    request: PortalRequest, kind: Kind, form: SessionTableForm, status: int = 200
) -> HttpResponse:
    known = [(column, choices_of(column, kind)) for column in columns_for(kind)]
    context = {"form": form, "columns": known}
    return kind_page(request, kind, "sessions/import.html", context, status=status)
