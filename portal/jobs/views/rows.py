"""Rows of a job as a file."""

from django.http import Http404, HttpResponseBase
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.jobs import export, secret_export
from portal.jobs.services import JobRefused
from portal.jobs.views.drafting import OF_THE_JOB, job_of, job_url
from portal.translation import gettext as _
from portal.ui import exports
from portal.ui.pages import go
from portal.ui.toasts import toast


@require_GET
@connected(needs=OF_THE_JOB)
def rows(request: PortalRequest, job_key: str, which: str, kind: str) -> HttpResponseBase:
    """The failed, the not valid, or all rows, with what was wrong with each."""
    job = job_of(request, job_key)
    if which not in export.STATES or kind not in exports.KINDS:
        raise Http404
    columns = export.columns(job, which)
    count = job.items.filter(state__in=export.STATES[which]).count()
    what = f"rows of “{job.title}”"  # untranslated: as the audit trail keeps it
    taken = exports.Export(
        title=job.title,
        name=exports.file_name(job.title or job.key, f"({export.TITLES[which]})"),
        what=what,
        columns=columns,
        rows=export.rows(job, which),
        count=count,
        by=which,
    )
    return exports.send(request, kind, taken)


@never_cache
@require_POST
@connected(needs=OF_THE_JOB)
def take_out(request: PortalRequest, job_key: str) -> HttpResponseBase:
    """The passwords that the job gave, as a file, once: they are erased with this answer.

    Always CSV, which is made in memory: a workbook would be written to a disk in clear.
    """
    job = job_of(request, job_key)
    try:
        given = secret_export.export_secrets(job, origin_of(request))
    except JobRefused as problem:
        toast(request, "warning", str(problem))
        return go(request, job_url(job))
    name = exports.file_name(job.title or job.key, _("(passwords)"))
    layout = exports.Layout(job.title, timezone.get_current_timezone())
    return exports.answer("csv", name, secret_export.columns(job), given, layout=layout, facts={})
