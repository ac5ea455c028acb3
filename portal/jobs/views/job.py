"""The page of a job: its plan, its progress, its counts, and its rows on the page and as files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.core.paginator import Paginator
from django.db.models import Count, Min
from django.http import Http404, HttpResponse, HttpResponseBase, QueryDict
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from portal.access.audit.changes import ChangeLine
from portal.access.audit.reading import entries_for
from portal.access.connected import connected
from portal.access.http import PortalRequest, origin_of
from portal.approvals.forms import ConfirmForm
from portal.approvals.home import waiting_for
from portal.config import clock
from portal.jobs import export, labels, second_approval, services, steps
from portal.jobs.cost import cost_of
from portal.jobs.counts import JobCounts, counts_of
from portal.jobs.export import TO_HAND_OUT
from portal.jobs.filters import ItemFilter, jobs_of
from portal.jobs.job_summary import JobSummary
from portal.jobs.models import UNDOES, UNRESOLVED_ITEMS, ItemState, Job, JobItem, JobState
from portal.jobs.services import JobRefused
from portal.jobs.tables import ItemsTable
from portal.jobs.views.drafting import OF_THE_JOB, job_of
from portal.translation import gettext as _
from portal.ui import exports, idempotency
from portal.ui.pages import go, page, toast
from portal.ui.states import State
from portal.ui.views.action import ReasonForm

_ORDER = (
    ItemState.DONE,
    ItemState.FAILED,
    ItemState.UNKNOWN,
    ItemState.SENDING,
    ItemState.PENDING,
    ItemState.UNCHANGED,
    ItemState.INVALID,
    ItemState.LEFT_OUT,
)
_REASONS = 5
_UNKNOWN = 20
_PAGE = 50
_HISTORY = 10


@dataclass(frozen=True)
class Tile:
    """A count with its words and tone, and the address that shows what it counts."""

    name: str
    label: str
    count: int
    tone: State
    url: str
    is_current: bool


def tiles(summary: JobSummary, filters: ItemFilter, query: QueryDict) -> list[Tile]:
    """Returns the counts by state; before the job has run those by action, since all items wait."""
    if not summary.counts.total:
        return []
    chosen = (filters.chosen_state, filters.chosen_action)
    result = []
    for name, label, count, tone, mine in _counts(summary):
        own = query.copy()
        own.pop("page", None)
        for field, value in zip(("state", "action"), mine, strict=True):
            own.pop(field, None)
            if value:
                own[field] = value
        result.append(Tile(name, label, count, tone, f"?{own.urlencode()}", mine == chosen))
    return result


def _counts(summary: JobSummary) -> Iterator[tuple[str, str, int, State, tuple[str, str]]]:
    """Yields name, label, count and tone of each tile, with its state and action."""
    counts = summary.counts
    yield "all", _("All"), counts.total, "neutral", ("", "")
    for state in _ORDER:
        if state == ItemState.PENDING and not summary.did_run:
            for action, count in counts.actions(state).items():
                label = labels.verb_of(summary.kind, action) or _("To apply")
                yield f"plan-{action}", label, count, "running", (state.value, action)
        elif count := counts.of(state):
            label = labels.state_of_item(summary.job, state)
            yield state.value, label, count, labels.ITEM_TONES[state], (state.value, "")


@dataclass(frozen=True)
class FailureReason:
    """Reason of failed items, in the service's words; `example` is the first item."""

    words: str
    count: int
    example: str


def reasons(job: Job) -> tuple[list[FailureReason], int]:
    """Returns the most frequent reasons of failures, and the count of items with other reasons."""
    failed = job.items.filter(state=ItemState.FAILED)
    groups = failed.values("message").annotate(count=Count("pk"), first=Min("pk"))
    most = list(groups.order_by("-count", "first")[:_REASONS])
    labels = dict(
        JobItem.objects.filter(pk__in=[one["first"] for one in most]).values_list("pk", "label")
    )
    results = [FailureReason(one["message"], one["count"], labels[one["first"]]) for one in most]
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
    filters = ItemFilter(query, summary.kind, summary.counts)
    url = job.get_absolute_url()
    goes_on = job.state == JobState.PAUSED or summary.failed or summary.unknown
    context = {
        "job": job,
        "summary": summary,
        "filters": filters,
        "tiles": tiles(summary, filters, query),
        "here": f"{url}?{query.urlencode()}" if query else url,
        "may_run": may_run,
        "may_leave_out": may_leave_out,
        **_items(job, summary, filters, query, may_leave_out=may_leave_out),
        **_context(request, job, summary, may_run=may_run, reason_form=reason_form),
    }
    if may_run:  # whether to continue or to undo the job waits for another administrator
        context["asks_again"] = bool(goes_on) and second_approval.is_required_again(job)
        can_undo = services.can_undo(job)
        context["asks_to_undo"] = can_undo and second_approval.is_expected_of_undo(job)
    status = 422 if reason_form is not None and reason_form.errors else 200
    return page(request, "jobs/job.html", context, status=status)


def _items(
    job: Job, summary: JobSummary, filters: ItemFilter, query: QueryDict, *, may_leave_out: bool
) -> dict[str, object]:
    items = filters.of(job)
    paginator = Paginator(items, _PAGE)
    if not filters.search:
        # They are counted already, and to count 50,000 rows takes time.
        paginator.count = summary.counts.narrowed(filters.chosen_state, filters.chosen_action)
    shown = paginator.get_page(query.get("page"))
    rows = steps.numbered(job, list(shown)) if summary.has_steps else list(shown)
    return {
        "page": shown,
        "table": ItemsTable(rows, summary=summary, may_leave_out=may_leave_out),
    }


def _context(
    request: PortalRequest,
    job: Job,
    summary: JobSummary,
    *,
    may_run: bool,
    reason_form: ReasonForm | None,
) -> dict[str, object]:
    """Returns the context beside the items: irreversible actions, trouble, acts of users."""
    data: dict[str, object] = {}
    if summary.is_supported:
        data |= _to_approve(request, job, summary.counts, reason_form)
    if summary.done and summary.is_supported and not job.is_open:
        data["undone_by"] = services.undone_by(job)
        if services.can_undo(job):
            data["idempotency_key"] = idempotency.new_key()
    if UNDOES in job.parameters:
        earlier = jobs_of(request.scope).select_related("connection")
        data["undoes"] = earlier.filter(key=job.parameters[UNDOES]).first()
    if summary.sending:
        data["at_row"] = job.items.filter(state=ItemState.SENDING).order_by("-number").first()
    if summary.failed:
        data["reasons"], data["other_reasons"] = reasons(job)
    if summary.unknown:
        data["unresolved"], data["more_unresolved"] = unresolved(job)
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
