"""The page of a job: its plan, its progress, its counts, and its rows on the page and as files."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.paginator import Paginator
from django.db.models import Count, Min
from django.http import Http404, HttpResponse, HttpResponseBase, QueryDict
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from portal.access.http import PortalRequest, origin_of
from portal.approvals.forms import ConfirmForm
from portal.approvals.home import waiting_for
from portal.audit.changes import ChangeLine
from portal.audit.reading import entries_for
from portal.config import clock
from portal.connections.connected import connected
from portal.jobs import export, second_approval, services, steps, undoing
from portal.jobs.cost import cost_of
from portal.jobs.counts import JobCounts, counts_of
from portal.jobs.export import TO_HAND_OUT
from portal.jobs.filters import jobs_of
from portal.jobs.item_filter import ItemFilter, rows_tabs
from portal.jobs.items_table import ItemsTable, in_order
from portal.jobs.job_summary import JobSummary
from portal.jobs.models import UNDOES, UNRESOLVED_ITEMS, ItemState, Job, JobItem, JobState
from portal.jobs.services import JobRefused
from portal.jobs.views.drafting import OF_THE_JOB, job_of
from portal.translation import gettext as _
from portal.ui import exports, idempotency
from portal.ui.pages import go, page, toast
from portal.ui.selection import Button, SelectionBar
from portal.ui.views.action import ReasonForm

_REASONS = 5
_UNKNOWN = 20
_PAGE = 50
_HISTORY = 10


@dataclass(frozen=True)
class FailureReason:
    """Reason of failed items, in the service's words; `message` is what is stored of it, `example`
    the first item."""

    words: str
    message: str
    count: int
    example: str


def reasons(job: Job) -> tuple[list[FailureReason], int]:
    """Returns the most frequent reasons of failures, and the count of items with other reasons."""
    failed = job.items.filter(state=ItemState.FAILED)
    groups = failed.values("message").annotate(count=Count("pk"), first=Min("pk"))
    most = list(groups.order_by("-count", "first")[:_REASONS])
    firsts = job.items.in_bulk([one["first"] for one in most])
    results = [
        FailureReason(first.shown_message, first.message, one["count"], first.shown_label)
        for one in most
        for first in [firsts[one["first"]]]
    ]
    rest = failed.count() - sum(reason.count for reason in results) if len(most) == _REASONS else 0
    return results, rest


def unresolved(job: Job) -> tuple[Sequence[JobItem], int]:
    """Returns the first items of unknown outcome, and the count of the others."""
    unknown = job.items.filter(UNRESOLVED_ITEMS)
    first = list(unknown[: _UNKNOWN + 1])
    if len(first) <= _UNKNOWN:
        return first, 0
    return first[:_UNKNOWN], unknown.count() - _UNKNOWN


@require_GET
@connected(needs=OF_THE_JOB)
def show(request: PortalRequest, job_key: str) -> HttpResponse:
    """Shows the job's state, its items and its history; the page refreshes while the job moves."""
    return answer(request, job_of(request, job_key), request.GET)


def answer(
    request: PortalRequest,
    job: Job,
    query: QueryDict,
    reason_form: ReasonForm | None = None,
) -> HttpResponse:
    """Returns the page or its fragment; `reason_form` is set if it was sent and is not valid."""
    summary = JobSummary(job, counts_of(job))
    may_run = summary.is_supported and services.may_run(job, request.user)
    may_leave_out = may_run and job.state == JobState.PLANNED
    filters = ItemFilter(query, summary)
    url = job.get_absolute_url()
    undos = undoing.JobUndos(job)
    goes_on = job.state == JobState.PAUSED or summary.failed or summary.unknown
    context = {
        "job": job,
        "summary": summary,
        "filters": filters,
        "rows_tabs": rows_tabs(summary, filters, query),
        "here": f"{url}?{query.urlencode()}" if query else url,
        "may_run": may_run,
        "may_leave_out": may_leave_out,
        **_items(
            request,
            summary,
            filters,
            query,
            may_leave_out=may_leave_out,
            undos=undos if may_run else None,
        ),
        **_context(request, job, summary, undos, may_run=may_run, reason_form=reason_form),
    }
    if may_run:  # whether to continue or to undo the job waits for another administrator
        context["asks_again"] = bool(goes_on) and second_approval.is_required_again(job)
        can_undo = undos.can_begin
        context["asks_to_undo"] = can_undo and second_approval.is_expected_of_undo(job)
        context["undo_words"] = undos.in_words(summary.done) if can_undo else ""
    status = 422 if reason_form is not None and reason_form.errors else 200
    return page(request, "jobs/job.html", context, status=status)


def _items(
    request: PortalRequest,
    summary: JobSummary,
    filters: ItemFilter,
    query: QueryDict,
    *,
    may_leave_out: bool,
    undos: undoing.JobUndos | None,
) -> dict[str, object]:
    job = summary.job
    items = filters.of(job)
    items = items if summary.has_steps else in_order(items)
    paginator = Paginator(items, _PAGE)
    if not filters.search:
        # They are counted already, and to count 50,000 rows takes time.
        paginator.count = summary.counts.narrowed(filters.chosen_state, filters.chosen_action)
    shown = paginator.get_page(query.get("page"))
    rows = steps.numbered(job, list(shown)) if summary.has_steps else list(shown)
    left, undoable = 0, None
    if undos and summary.did_run and not job.is_open and undos.can_begin:
        free = undos.free_rows(items)
        left = free.values("number").distinct().count()
        own = free.filter(pk__in=[one.pk for one in rows])
        undoable = frozenset(own.values_list("pk", flat=True)) if left else None
    table = ItemsTable(rows, summary=summary, may_leave_out=may_leave_out, undoable=undoable)
    bar = _undo_bar(request, job, filters, left) if left else None
    return {"page": shown, "table": table, "rows_bar": bar}


def _undo_bar(request: PortalRequest, job: Job, filters: ItemFilter, count: int) -> SelectionBar:
    """Returns the bar that undoes selected rows, of `count` that match the filters."""
    url = reverse("jobs:take-back", args=[request.connection.key, job.key])
    undo = Button(_("Undo selected rows"), "undo-2", url, whole=True)
    noun = _("row"), _("rows")
    return SelectionBar([undo], *noun, count, filters.query, idempotency.new_key())


def _called(summary: JobSummary, item: JobItem) -> JobItem:
    """Sets what a row is called, for a template."""
    item.called = summary.kind.title_of(item)  # type: ignore[attr-defined]
    return item


def _context(
    request: PortalRequest,
    job: Job,
    summary: JobSummary,
    undos: undoing.JobUndos,
    *,
    may_run: bool,
    reason_form: ReasonForm | None,
) -> dict[str, object]:
    """Returns the context beside the items: irreversible actions, trouble, acts of users."""
    data: dict[str, object] = {}
    if summary.is_supported:
        data |= _to_approve(request, job, summary.counts, reason_form)
    if summary.done and summary.is_supported and not job.is_open:
        data["undoings"] = undos.jobs
        data["is_undone"] = undos.are_whole
        if undos.can_begin:
            data["idempotency_key"] = idempotency.new_key()
    if UNDOES in job.parameters:
        earlier = jobs_of(request.scope).select_related("connection")
        data["undoes"] = earlier.filter(key=job.parameters[UNDOES]).first()
    if summary.sending:
        under_way = job.items.filter(state=ItemState.SENDING).order_by("-number").first()
        data["at_row"] = under_way and _called(summary, under_way)
    if summary.failed:
        data["reasons"], data["other_reasons"] = reasons(job)
    if summary.unknown:
        first, data["more_unresolved"] = unresolved(job)
        data["unresolved"] = [_called(summary, item) for item in first]
    if may_run and (given := export.waiting(job).count()):
        data["given"] = given
        data["kept_until"] = (job.finished_at or clock.now()) + TO_HAND_OUT
    if not job.is_worked_on:
        data["pointers"] = summary.kind.pointers(job)
    entries = entries_for(job.scope, "job", job.key)[:_HISTORY]
    data["history"] = [ChangeLine(entry) for entry in entries]
    return data


def _to_approve(
    request: PortalRequest, job: Job, counts: JobCounts, reason_form: ReasonForm | None
) -> dict[str, object]:
    """Returns the context for the approval of a plan, by its owner and by another administrator."""
    if job.state not in (JobState.PLANNED, JobState.AWAITING):
        return {}
    data = {
        "irreversible": services.irreversible(job),
        "without_undo": services.without_undo(job),
        "seen": services.plan_version(job),
        "cost": cost_of(job, counts),
    }
    if job.state == JobState.PLANNED:
        needs_second = services.needs_reason(job, request.user)
        return {
            **data,
            "needs_second": needs_second,
            "reason_form": reason_form or ReasonForm(),
        }
    asked = second_approval.request_for(job)
    may_decide = asked in waiting_for(request.user, request.connection)
    confirm_form = ConfirmForm() if data["irreversible"] else None
    return {**data, "asked": asked, "may_decide": may_decide, "confirm_form": confirm_form}


@require_GET
@connected(needs=OF_THE_JOB)
def rows(request: PortalRequest, job_key: str, which: str, kind: str) -> HttpResponseBase:
    """Exports the failed, the invalid, or all rows, with their problems."""
    job = job_of(request, job_key)
    if which not in export.STATES or kind not in exports.KINDS:
        raise Http404
    columns = export.columns(job, which)
    count = job.items.filter(state__in=export.STATES[which]).count()
    what = f"rows of “{job.title}”"  # untranslated: as the audit trail keeps it
    table = exports.Export(
        title=job.title,
        name=exports.file_name(job.title or job.key, f"({export.TITLES[which]})"),
        what=what,
        columns=columns,
        rows=export.rows(job, which),
        count=count,
        by=which,
    )
    return exports.send(request, kind, table)


@never_cache
@require_POST
@connected(needs=OF_THE_JOB)
def export_secrets(request: PortalRequest, job_key: str) -> HttpResponseBase:
    """Exports the passwords that the job gave, once: they are erased with this answer.

    The file is always CSV, which is made in memory: a workbook would be written to a disk in clear.
    """
    job = job_of(request, job_key)
    try:
        given = export.export_secrets(job, origin_of(request))
    except JobRefused as problem:
        toast(request, "warning", str(problem))
        return go(request, job.get_absolute_url())
    name = exports.file_name(job.title or job.key, _("(passwords)"))
    columns = export.secret_columns(job)
    table = exports.Export(
        title=job.title, name=name, what="", columns=columns, rows=given, count=len(given)
    )
    return exports.answer("csv", table, facts={})
