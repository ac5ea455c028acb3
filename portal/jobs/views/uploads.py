"""From a table that somebody sends to the job that imports it: what these pages share.

A page takes the table in, the next asks what its columns mean, and the job makes a plan of it.
"""

from collections.abc import Callable, Collection
from typing import Any

from django.db import transaction
from django.http import HttpResponse

from portal.access.http import PortalRequest
from portal.access.tokens import TokenUnreadable
from portal.jobs.models import Job
from portal.jobs.views.drafting import draft_once
from portal.jobs.views.found import job_page
from portal.ui import once
from portal.ui.forms.tables import ColumnsForm, ReadingForm, TableForm
from portal.ui.models import KeptTable
from portal.ui.pages import go
from portal.ui.sheets import Limits, Table, Unreadable, keeping
from portal.ui.sheets.samples import parts
from portal.ui.toasts import toast
from portal.ui.uploads import is_too_large

_TOLD = 5  # rows that cannot be read


def taken(request: PortalRequest, form: TableForm, purpose: str) -> KeptTable | None:
    """Keeps the table that came with a form; None where it is refused, as the form then says."""
    if is_too_large(request):
        form.refuse_size()
    if not form.is_valid():
        return None
    content, name = form.content()
    try:
        return keeping.keep(
            request.connection,
            purpose,
            content,
            name=name,
            encoding=form.cleaned_data["encoding"],
            limits=form.limits,
        )
    except Unreadable as problem:
        form.refuse(str(problem))
    return None


def refusal(request: PortalRequest) -> int:
    """The status of the page that says why a table was not taken in."""
    return 413 if is_too_large(request) else 422


def read_again(request: PortalRequest, kept: KeptTable, table: Table, limits: Limits) -> None:
    """Reads what was kept in the encoding, or the sheet of it, that was asked for."""
    reading = ReadingForm(request.POST, sheets=table.sheets)
    if reading.is_valid():
        try:
            keeping.read_again(kept, **reading.cleaned_data, limits=limits)
        except (Unreadable, TokenUnreadable) as problem:
            toast(request, "bad", str(problem))


def columns_context(
    kept: KeptTable, table: Table, form: ColumnsForm, secrets: Collection[str]
) -> dict[str, Any]:
    """What `ui/import_reading.html` and `ui/import_mapping.html` show."""
    names = [bound.value() or "" for bound in form.columns()]
    unreadable = [row for row in table.rows if row.problem]
    read_as = {"encoding": table.encoding, "sheet": table.sheet}
    return {
        "kept": kept,
        "table": table,
        "form": form,
        "columns": list(zip(parts(table, names, secrets), form.columns(), strict=True)),
        "ignored": names.count(""),
        "unreadable": unreadable[:_TOLD],
        "unreadable_count": len(unreadable),
        "reading": ReadingForm(initial=read_as, sheets=table.sheets),
    }


def begin(request: PortalRequest, kept: KeptTable, draft: Callable[[], Job]) -> HttpResponse:
    """Begins the job, once however often it is asked for; what was kept is erased."""

    def draft_and_erase() -> Job:
        with transaction.atomic():
            job = draft()
            kept.delete()
        return job

    return draft_once(request, draft_and_erase, _ticket(kept.key))


def gone(request: PortalRequest, upload: str, start: str) -> HttpResponse:
    """To the job that was begun with this table, or to `start`, where another can be sent."""
    key = once.result_of(request.user, _ticket(upload))
    if key:
        return go(request, job_page(request, key))
    toast(request, "warning", "This table has expired. Upload it again.")
    return go(request, start)


def _ticket(upload: str) -> str:
    return f"import-{upload}"
