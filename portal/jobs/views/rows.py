"""Rows of a job as a file."""

from django.http import Http404, HttpResponseBase
from django.utils.text import slugify
from django.views.decorators.http import require_GET

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.jobs import export
from portal.jobs.views.found import job_of
from portal.ui import exports


@require_GET
@connected
def rows(request: PortalRequest, job_key: str, which: str, kind: str) -> HttpResponseBase:
    """The failed, the not valid, or all rows, with what was wrong with each."""
    job = job_of(request, job_key)
    if which not in export.STATES or kind not in exports.KINDS:
        raise Http404
    columns = export.columns(job, which)
    count = job.items.filter(state__in=export.STATES[which]).count()
    what = f"rows of “{job.title}”"
    exports.note(request, what, kind, columns, count=count, by=which)
    name = f"{slugify(job.title)[:60] or job.key}-{which}"
    return exports.answer(kind, name, columns, export.rows(job, which))
