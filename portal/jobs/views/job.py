"""The page of one job, from its plan to its report, under one address."""

from typing import Any
from urllib.parse import urlsplit

from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.utils import timezone
from django.views.decorators.http import require_GET

from portal.access.audit.changes import Line
from portal.access.audit.reading import entries_for
from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.jobs import services, taking_out, trouble
from portal.jobs.bell import TO_HAND_OUT
from portal.jobs.filters import ItemFilter
from portal.jobs.models import TAKES_BACK, ItemState, Job, JobState
from portal.jobs.standing import Standing
from portal.jobs.tables import ItemsTable
from portal.jobs.tally import tally_of
from portal.jobs.tiles import tiles
from portal.jobs.views.found import job_of, job_url, jobs_of
from portal.ui import once
from portal.ui.pages import page

_PAGE = 50
_HISTORY = 10


@require_GET
@connected
def show(request: PortalRequest, job_key: str) -> HttpResponse:
    """Where the job stands, its items, and its history; asked again and again while it moves."""
    return answer(request, job_of(request, job_key), request.GET)


def after_an_act(request: PortalRequest, job: Job) -> HttpResponse:
    """The same as a fragment, for a script that posted from the page of the job."""
    shown = QueryDict(urlsplit(request.htmx.current_url or "").query)
    job.refresh_from_db()
    return answer(request, job, shown)


def answer(request: PortalRequest, job: Job, query: QueryDict) -> HttpResponse:
    standing = Standing(job, tally_of(job))
    may_run = standing.is_known and services.may_run(job, request.user)
    may_leave_out = may_run and job.state == JobState.PLANNED
    filters = ItemFilter(query, standing.kind, standing.tally)
    url = job_url(job)
    context = {
        "job": job,
        "standing": standing,
        "filters": filters,
        "tiles": tiles(standing, filters, query),
        "here": f"{url}?{query.urlencode()}" if query else url,
        "may_run": may_run,
        "may_leave_out": may_leave_out,
        **_items(job, standing, filters, query, may_leave_out=may_leave_out),
        **_told(job, standing, may_run=may_run),
    }
    return page(request, "jobs/job.html", context)


def _items(
    job: Job, standing: Standing, filters: ItemFilter, query: QueryDict, *, may_leave_out: bool
) -> dict[str, Any]:
    items = filters.of(job)
    paginator = Paginator(items, _PAGE)
    if not filters.search:
        # They are counted already; a count of 50,000 rows is not for nothing.
        paginator.count = standing.tally.narrowed(filters.chosen_state, filters.chosen_action)
    shown = paginator.get_page(query.get("page"))
    return {
        "page": shown,
        "table": ItemsTable(list(shown), standing=standing, may_leave_out=may_leave_out),
    }


def _told(job: Job, standing: Standing, *, may_run: bool) -> dict[str, Any]:
    """What is told beside the items: what is irreversible, what went wrong, what people did."""
    told: dict[str, Any] = {}
    if job.state == JobState.PLANNED and standing.is_known:
        told["irreversible"] = services.irreversible(job)
        told["seen"] = services.plan_version(job)
    if standing.done and standing.is_known and not job.is_open:
        told["taken_back"] = services.taken_back_by(job)
        if services.can_take_back(job):
            told["ticket"] = once.new_ticket()
    if TAKES_BACK in job.parameters:
        told["takes_back"] = jobs_of(job.connection).filter(key=job.parameters[TAKES_BACK]).first()
    if standing.sending:
        told["at_row"] = job.items.filter(state=ItemState.SENDING).order_by("-number").first()
    if standing.failed:
        told["reasons"], told["other_reasons"] = trouble.reasons(job)
    if standing.unknown:
        told["unsettled"], told["more_unsettled"] = trouble.unsettled(job)
    if may_run and (given := taking_out.waiting(job).count()):
        told["given"] = given
        told["kept_until"] = (job.finished_at or timezone.now()) + TO_HAND_OUT
    if not job.is_worked_on:
        told["pointers"] = standing.kind.pointers(job)
    entries = entries_for(job.connection, "job", job.key)[:_HISTORY]
    told["history"] = [Line(entry) for entry in entries]
    return told
