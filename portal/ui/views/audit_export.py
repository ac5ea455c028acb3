"""The audit trail as a file: a table as those of lists, and JSON lines for programs."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from django.http import Http404, HttpResponseBase, QueryDict, StreamingHttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from portal.access.form_fields import choices_of
from portal.access.http import PortalRequest, origin_of
from portal.audit.acts import Act
from portal.audit.changes import COLUMNS, as_json_lines, row
from portal.audit.forms import AuditFilterForm
from portal.audit.models import AuditEntry
from portal.audit.trail import record
from portal.audit.views import filters, matching_entries
from portal.translation import gettext as _, number
from portal.ui import exports
from portal.ui.pages import toast
from portal.ui.ranges import Range

_JSON_LINES = "jsonl"
_MOST = 1_048_575  # rows of a sheet, below its headings
_TOGETHER = 1000


@require_safe
def export(request: PortalRequest, kind: str) -> HttpResponseBase:
    """Returns all that the page's filters leave, as it was when the file was asked for."""
    if kind not in (*exports.KINDS, _JSON_LINES):
        raise Http404
    form = filters(request)
    count = matching_entries(request, form).count() if kind == "xlsx" else 0
    if count > _MOST:
        return _refused(request, count)
    own = record(origin_of(request), Act.AUDIT_EXPORTED, sent=_filter_facts(form, kind))
    entries = matching_entries(request, form).filter(sequence__lt=own.sequence)
    name = exports.file_name(_("Audit trail"), exports.day_of(own.time))
    rows = entries.iterator(chunk_size=_TOGETHER)
    if kind == _JSON_LINES:
        return StreamingHttpResponse(
            as_json_lines(rows),
            content_type="application/jsonl; charset=utf-8",  # untranslated: a type of content
            headers={
                "Content-Disposition": content_disposition_header(True, f"{name}.{kind}") or "",
                "Cache-Control": "no-store",
            },
        )
    made = _export(form, name, own, count, map(row, rows))
    account = choices_of(form, "connection")[form.cleaned_data.get("connection") or ""]
    facts = exports.facts_of(str(account), str(request.user), made)
    return exports.answer(kind, made, facts)


def _export(
    form: AuditFilterForm, name: str, own: AuditEntry, count: int, rows: Iterable[dict[str, Any]]
) -> exports.Export:
    since, until = (form.cleaned_data.get(each) for each in ("since", "until"))
    zone = timezone.get_current_timezone()
    last = until or timezone.localdate(own.time)
    return exports.Export(
        title=_("Audit trail"),
        name=name,
        what="audit trail",  # untranslated: stored
        columns=[
            exports.ExportColumn(each, _cell_of(each), str(title), is_moment=each == "time")
            for each, title in COLUMNS.items()
        ],
        rows=rows,
        count=count,
        narrowed=form.in_words,
        days=Range(min(since, last), last, zone) if since else None,
        read_at=own.time,
    )


def _cell_of(name: str) -> Callable[[dict[str, Any]], Any]:
    """Returns a function that writes the values of an entry as JSON in one cell."""

    def cell(line: dict[str, object]) -> object:
        value = line[name]
        return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value

    return cell


def _refused(request: PortalRequest, count: int) -> HttpResponseBase:
    words = _("%(count)s entries are more than a sheet holds. Narrow them, or save them as CSV.")
    toast(request, "bad", words % {"count": number(count)})
    query: QueryDict = request.GET
    return redirect(f"{reverse('audit:trail')}?{query.urlencode()}")


def _filter_facts(form: AuditFilterForm, kind: str) -> dict[str, Any]:
    return {"format": kind} | {
        name: str(value) for name, value in form.cleaned_data.items() if value
    }
