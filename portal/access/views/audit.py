"""The audit trail: search, one entry, and files of it."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from portal.access.audit import Act, record
from portal.access.audit.acts import FAMILIES
from portal.access.audit.changes import Line, changes
from portal.access.audit.export import as_csv, as_json_lines
from portal.access.audit.reading import narrowed, visible_to
from portal.access.forms import AuditFilterForm
from portal.access.http import PortalRequest
from portal.access.models import AuditEntry, Connection, Outcome, User
from portal.access.origin import origin_of

_PAGE = 50
_FORMATS = {"csv": (as_csv, "text/csv"), "jsonl": (as_json_lines, "application/jsonl")}


@require_safe
def listing(request: PortalRequest) -> HttpResponse:
    form = filters(request)
    entries = found(request, form)
    page = Paginator(entries, _PAGE).get_page(request.GET.get("page"))
    context = {
        "filters": form,
        "page": page,
        "lines": [Line(entry) for entry in page],
        "is_filtered": any(request.GET.get(name) for name in form.fields),
    }
    return render(request, "access/audit.html", context)


@require_safe
def entry(request: PortalRequest, sequence: int) -> HttpResponse:
    shown = get_object_or_404(visible_to(request.user), sequence=sequence)
    context = {"line": Line(shown), "changes": changes(shown)}
    return render(request, "access/audit_entry.html", context)


@require_safe
def export(request: PortalRequest, kind: str) -> HttpResponseBase:
    if kind not in _FORMATS:
        raise Http404
    write, content_type = _FORMATS[kind]
    form = filters(request)
    own = record(origin_of(request), Act.AUDIT_EXPORTED, sent=_audit_data(form, kind))
    entries = found(request, form).filter(sequence__lt=own.sequence)
    return StreamingHttpResponse(
        write(entries.iterator(chunk_size=1000)),
        content_type=f"{content_type}; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="audit.{kind}"',
            "Cache-Control": "no-store",
        },
    )


def filters(request: PortalRequest) -> AuditFilterForm:
    """The form, with the choices that this person has."""
    form = AuditFilterForm(request.GET)
    for name, every, choices in (
        ("connection", "All connections", _connections(request.user)),
        ("family", "All actions", FAMILIES.items()),
        ("outcome", "All outcomes", _outcomes()),
    ):
        form.fields[name].choices = [("", every), *choices]  # type: ignore[attr-defined]
    if not request.user.is_administrator:
        del form.fields["person"]
    form.is_valid()
    return form


def found(request: PortalRequest, form: AuditFilterForm) -> QuerySet[AuditEntry]:
    """What the filters leave; a filter that makes no sense counts as none and says so itself."""
    return narrowed(visible_to(request.user), form.cleaned_data)


def _connections(user: User) -> list[tuple[str, str]]:
    if not user.is_administrator:
        return [(one.key, one.name) for one in Connection.objects.filter(owner=user)]
    everybodys = Connection.objects.select_related("owner")
    return [(one.key, f"{one.name}, {one.owner}") for one in everybodys]


def _outcomes() -> list[tuple[str, str]]:
    return [(choice.value, choice.label) for choice in Outcome if choice is not Outcome.BEGUN]


def _audit_data(form: AuditFilterForm, kind: str) -> dict[str, Any]:
    return {"format": kind} | {
        name: str(value) for name, value in form.cleaned_data.items() if value
    }
