"""Jobs as a table, and the items of one."""

from collections.abc import Sequence
from functools import partial

from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from portal.config import clock
from portal.jobs import export, labels
from portal.jobs.job_summary import JobSummary
from portal.jobs.models import ItemState, JobItem, JobState
from portal.translation import gettext as _, gettext_lazy, number as shown_number
from portal.ui.html import icon
from portal.ui.states import pill
from portal.ui.tables import Table, TableColumn

_SHOWN = 3  # changes of an item that are shown unfolded
_COLUMNS = 8  # fields that a plan has columns for; more of them are shown in each row's details
_NONE = SafeString("")

_PLANNED = ("number", "label", "action", "state", "...", "details")  # fields before details
LEAVE_OUT, PUT_BACK = "row-leave-out", "row-put-back"  # the HTML ids of their forms


class JobsTable(Table):
    """Table of jobs with their results; running jobs have a bar instead."""

    caption = gettext_lazy("Jobs")

    title = TableColumn(
        gettext_lazy("Job"), accessor="job__title", css="cell-main job-label cell-wrap"
    )
    results = TableColumn(
        gettext_lazy("Results"), accessor="summary", css="job-results cell-plain cell-wrap"
    )
    by = TableColumn(gettext_lazy("By"), accessor="job__owner", css="job-by", cell=str)
    began = TableColumn(
        gettext_lazy("When"), accessor="job__created_at", css="cell-narrow", is_moment=True
    )
    state = TableColumn(gettext_lazy("State"), accessor="word", css="cell-state")

    class Meta(Table.Meta):
        row_attrs = {"id": lambda record: f"job-{record.job.key}"}

    def render_title(self, record: JobSummary) -> SafeString:
        job = record.job
        link = '<a class="row-link" href="{0}" title="{1}">{1}</a>'
        return format_html(link, job.get_absolute_url(), job.title)

    def render_results(self, record: JobSummary) -> str | SafeString:
        if record.job.state in {JobState.PAUSED, JobState.UNPLANNABLE}:
            return format_html('<span title="{0}">{0}</span>', record.awaited)
        if record.job.is_worked_on or (record.did_run and record.job.is_open):
            return render_to_string("jobs/list_progress.html", {"one": record})
        return record.summary if record.did_run else record.plan

    def render_state(self, record: JobSummary) -> SafeString:
        return pill(record.tone, record.word)


class ItemsTable(Table):
    """Table of a job's rows: the action of each, its values before and after, and its outcome.

    A plan has a column for each field that it changes, if these are few. If rows may be left out,
    each has a button of a form beside the table.
    """

    caption = gettext_lazy("Rows of this job")

    number = TableColumn(gettext_lazy("Row"), css="cell-number job-number")
    label = TableColumn(gettext_lazy("Item"), css="cell-main cell-wrap job-label")
    action = TableColumn(gettext_lazy("Action"), css="cell-narrow")
    details = TableColumn(gettext_lazy("Details"), empty_values=(), css="cell-wrap job-details")
    state = TableColumn(gettext_lazy("State"), css="cell-state job-state")

    class Meta(Table.Meta):
        row_attrs = {"id": lambda record: f"item-{record.pk}"}

    def __init__(
        self, rows: Sequence[JobItem], *, summary: JobSummary, may_leave_out: bool = False
    ) -> None:
        # The fields that the rows change, in their order; none if they are too many.
        changed = dict.fromkeys(field for item in rows for field, *_ in item.changes)
        fields = [] if summary.did_run or len(changed) > _COLUMNS else list(changed)
        cell = {"td": {"class": "job-field"}}
        columns = [
            (f"field{at}", TableColumn(accessor="pk", verbose_name=field, default="", attrs=cell))
            for at, field in enumerate(fields)
        ]
        super().__init__(
            rows,
            extra_columns=columns,
            sequence=_PLANNED if fields else ("...",),
        )
        for at, field in enumerate(fields):
            setattr(self, f"render_field{at}", partial(_field, field, not at))
        self._is_plan = bool(fields)
        self._may_leave_out = may_leave_out
        self._job = summary.job
        self._kind = summary.kind
        self.columns["label"].column.verbose_name = capfirst(summary.kind.noun[0])
        if self._is_plan or not any(summary.counts.actions()):
            self.columns.hide("action")
        if fields and not any(item.changes and export.problem_of(item) for item in rows):
            self.columns.hide("details")

    def render_number(self, value: int, record: JobItem) -> str:
        return getattr(record, "place", "") or shown_number(value)

    def render_label(self, record: JobItem) -> SafeString:
        url = self._kind.page_of(self._job, record)
        label = format_html("{}", record.label)
        if url:
            label = format_html('<a class="row-link" href="{}">{}</a>', url, record.label)
        data = self._kind.about(record)
        if not data:
            return label
        css = "job-about" if self._is_plan else "d-flex flex-wrap gap-2"
        spans = format_html_join(" ", "<span>{}</span>", ((each,) for each in data))
        about = '<div class="{} fw-normal small text-secondary" title="{}">{}</div>'
        return label + format_html(about, css, ", ".join(data), spans)

    def render_action(self, value: str) -> str:
        return labels.verb_of(self._kind, value)

    def render_details(self, record: JobItem) -> SafeString:
        if self._is_plan:
            return _problem(record)
        again = ""  # the time at which a row continues that the service has postponed
        if record.state == ItemState.PENDING and record.due_at and record.due_at >= clock.now():
            again = _("Continues at %(time)s.") % {"time": labels.clock(record.due_at)}
        message = _NONE
        if record.message:
            words = f"{record.message} {again}".strip()
            message = format_html('<div class="job-message">{}</div>', words)
        problems = format_html_join(
            "",
            '<div class="text-danger">{}{}</div>',
            ((f"{column}: " if column else "", problem) for column, problem in record.problems),
        )
        return _changes(record) + message + problems

    def render_state(self, record: JobItem) -> SafeString:
        state = ItemState(record.state)
        if self._is_plan and state == ItemState.PENDING:
            data = format_html("<span>{}</span>", self.render_action(record.action))
        else:
            data = pill(labels.ITEM_TONES[state], labels.state_of_item(self._job, state))
        if not self._may_leave_out or state not in (ItemState.PENDING, ItemState.LEFT_OUT):
            return data
        is_out = state == ItemState.LEFT_OUT
        return data + format_html(
            ' <button class="btn btn-sm btn-ghost-secondary job-row-act" type="submit" form="{}"'
            ' name="item" value="{}" id="row-act-{}">{}'
            '<span class="visually-hidden"> {}</span></button>',
            PUT_BACK if is_out else LEAVE_OUT,
            record.pk,
            record.pk,
            _("Include") if is_out else _("Exclude"),
            record.label,
        )


def _problem(item: JobItem) -> SafeString:
    words = export.problem_of(item)
    if not words:
        return _NONE
    return format_html('<span class="job-problem text-danger" title="{0}">{0}</span>', words)


def _field(field: str, is_first: bool, record: JobItem) -> SafeString:
    """Returns one field of a row; the first field of a row without changes shows its problem."""
    if is_first and not record.changes:
        return _problem(record)
    changes = [
        (before, after or _("Empty")) for name, before, after in record.changes if name == field
    ]
    title = ", ".join(f"{before} → {after}" if before else after for before, after in changes)
    words = format_html_join(
        ", ", "{}<ins>{}</ins>", ((_before(before), after) for before, after in changes)
    )
    return (
        format_html('<span class="sb-change" title="{}">{}</span>', title, words)
        if title
        else _NONE
    )


def _changes(item: JobItem) -> SafeString:
    """Returns each field with its value before and after; fields beyond the first few are
    folded."""
    shown = _lines(item.changes[:_SHOWN])
    rest = item.changes[_SHOWN:]
    if not rest:
        return shown
    if len(rest) == 1:
        return shown + _lines(rest)
    folded = format_html(
        '<details id="changes-{}"><summary>{}</summary>{}</details>',
        item.pk,
        _("%(count)s more changes") % {"count": len(rest)},
        _lines(rest),
    )
    return shown + folded


def _lines(changes: list[tuple[str, str, str]]) -> SafeString:
    return format_html_join(
        "",
        '<div class="sb-change small"><span class="text-secondary">{}</span> {}<ins>{}</ins></div>',
        ((field, _before(before), after or _("Empty")) for field, before, after in changes),
    )


def _before(value: str) -> SafeString:
    if not value:
        return _NONE
    return format_html(
        '<del>{}</del> {}<span class="visually-hidden"> {} </span> ',
        value,
        icon("arrow-right", 14),
        _("becomes"),
    )
