"""The items of a job as a table."""

from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from portal.config import clock
from portal.jobs import labels
from portal.jobs.job_summary import JobSummary
from portal.jobs.models import ItemState, JobItem
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.translation import number as said_number
from portal.ui.icons import icon
from portal.ui.states import pill
from portal.ui.tables import Table, TableColumn

_SHOWN = 3  # changes of an item that are shown unfolded
_NONE = SafeString("")


LEAVE_OUT, PUT_BACK = "row-leave-out", "row-put-back"  # the HTML ids of their forms


class ItemsTable(Table):
    """Rows of the work: what is done to each, what it was before, and what became of it.

    Where rows may be left out, each has a button of a form that stands beside the table.
    """

    caption = gettext_lazy("Rows of this job")

    number = TableColumn(
        verbose_name=gettext_lazy("Row"), attrs={"td": {"class": "cell-number job-number"}}
    )
    label = TableColumn(
        verbose_name=gettext_lazy("Item"),
        attrs={"td": {"class": "cell-main cell-wrap job-label"}},
    )
    action = TableColumn(
        verbose_name=gettext_lazy("Action"), attrs={"td": {"class": "cell-narrow"}}
    )
    details = TableColumn(
        verbose_name=gettext_lazy("Details"),
        empty_values=(),
        attrs={"td": {"class": "cell-wrap job-details"}},
    )
    state = TableColumn(
        verbose_name=gettext_lazy("State"), attrs={"td": {"class": "cell-state job-state"}}
    )

    class Meta(Table.Meta):
        row_attrs = {"id": lambda record: f"item-{record.pk}"}

    def __init__(
        self, rows: Any, *, summary: JobSummary, may_leave_out: bool = False, **options: Any
    ) -> None:
        super().__init__(rows, **options)
        self._may_leave_out = may_leave_out
        self._job = summary.job
        self._kind = summary.kind
        self.columns["label"].column.verbose_name = capfirst(summary.kind.noun[0])
        if not any(summary.tally.actions()):
            self.columns.hide("action")

    def render_number(self, value: int, record: JobItem) -> str:
        return getattr(record, "place", "") or said_number(value)

    def render_label(self, record: JobItem) -> SafeString:
        url = self._kind.page_of(self._job, record)
        label = format_html("{}", record.label)
        if url:
            label = format_html('<a class="row-link" href="{}">{}</a>', url, record.label)
        data = self._kind.about(record)
        if not data:
            return label
        spans = format_html_join(" ", "<span>{}</span>", ((each,) for each in data))
        return label + format_html(
            '<div class="d-flex flex-wrap gap-2 fw-normal small text-secondary">{}</div>', spans
        )

    def render_action(self, value: str) -> str:
        return labels.verb_of(self._kind, value)

    def render_details(self, record: JobItem) -> SafeString:
        return _changes(record) + _message(record) + _problems(record)

    def render_state(self, record: JobItem) -> SafeString:
        state = ItemState(record.state)
        data = pill(labels.ITEM_TONES[state], labels.state_of_item(self._job, state))
        return data + _button(record) if self._may_leave_out else data


def _button(item: JobItem) -> SafeString:
    """Leaves the row out of the plan, or puts it back."""
    if item.state not in (ItemState.PENDING, ItemState.LEFT_OUT):
        return _NONE
    is_out = item.state == ItemState.LEFT_OUT
    return format_html(
        ' <button class="btn btn-sm btn-ghost-secondary job-row-act" type="submit" form="{}"'
        ' name="item" value="{}" id="row-act-{}">{}'
        '<span class="visually-hidden"> {}</span></button>',
        PUT_BACK if is_out else LEAVE_OUT,
        item.pk,
        item.pk,
        _("Include") if is_out else _("Exclude"),
        item.label,
    )


def _changes(item: JobItem) -> SafeString:
    """Each field with its value before and after; those beyond the first few are folded."""
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


def _message(item: JobItem) -> SafeString:
    if not item.message:
        return _NONE
    said = f"{item.message} {_again(item)}".strip()
    return format_html('<div class="job-message">{}</div>', said)


def _again(item: JobItem) -> str:
    """Returns the time at which a row continues that the service refused for now; mostly empty."""
    if item.state != ItemState.PENDING or item.due_at is None or item.due_at < clock.now():
        return ""
    return _("Continues at %(time)s.") % {"time": labels.clock(item.due_at)}


def _problems(item: JobItem) -> SafeString:
    return format_html_join(
        "",
        '<div class="text-danger">{}{}</div>',
        ((f"{column}: " if column else "", said) for column, said in item.problems),
    )
