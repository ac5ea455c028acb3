"""The rows of a job as a table, which is the same from the plan to the result."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial

from django.db.models import Case, IntegerField, QuerySet, Value, When
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from portal.config import clock
from portal.jobs import export, labels
from portal.jobs.job_summary import JobSummary
from portal.jobs.models import ItemState, JobItem, JobState
from portal.jobs.undo import CHANGED_SINCE
from portal.translation import (
    gettext as _,
    gettext_lazy,
    ngettext,
    number as shown_number,
    pgettext,
)
from portal.ui.html import icon
from portal.ui.states import State, colour
from portal.ui.tables import Table, TableColumn

_MOST, _FIRST = 6, 5  # fields that have columns: all of a few, or the first of many
_NONE = SafeString("")
_TROUBLED = (ItemState.INVALID, ItemState.FAILED, ItemState.UNKNOWN)
_PLANNED = (JobState.PLANNED, JobState.AWAITING)
LEAVE_OUT, PUT_BACK = "row-leave-out", "row-put-back"  # the HTML ids of their forms
Change = tuple[str, str, str]


def in_order(items: QuerySet[JobItem]) -> QuerySet[JobItem]:
    """Orders rows: errors, changes, what is created, what stays, each as in the file."""
    rank = Case(
        When(state__in=_TROUBLED, then=Value(0)),
        When(state=ItemState.UNCHANGED, then=Value(3)),
        When(action="create", then=Value(2)),
        default=Value(1),
        output_field=IntegerField(),
    )
    return items.order_by(rank, "number", "pk")


class ItemsTable(Table):
    """Table of a job's rows: what each is called, its values before and after, and its result.

    Columns are those of the file, or the fields that the rows change; others are folded. If rows
    may be left out, each has a button of a form beside the table. Rows that are `undoable`, by
    their primary keys, can be selected, if any of the job can. Steps, which change a value each,
    have one column for it.
    """

    key_field, name_field = "number", "shown_label"

    caption = gettext_lazy("Rows of this job")

    number = TableColumn(gettext_lazy("Row"), css="cell-number job-number")
    state = TableColumn(gettext_lazy("State"), css="cell-state job-state")
    person = TableColumn(gettext_lazy("Person"), accessor="label", css="job-person")
    label = TableColumn(gettext_lazy("Item"), css="cell-main job-label")
    result = TableColumn(
        gettext_lazy("Result"), empty_values=(), accessor="pk", css="cell-plain job-result"
    )

    class Meta(Table.Meta):
        row_attrs = {"id": lambda record: f"item-{record.pk}"}

    def __init__(
        self,
        rows: Sequence[JobItem],
        *,
        summary: JobSummary,
        may_leave_out: bool = False,
        undoable: Collection[int] | None = None,
    ) -> None:
        self._job, self._kind = summary.job, summary.kind
        self._has_steps = summary.has_steps
        self._may_leave_out, self._undoable = may_leave_out, undoable or ()
        self.selects = undoable is not None
        self._cells = {} if self._has_steps else self._kind.cells_of(self._job)
        self._fields = [] if self._has_steps else self._fields_of(rows)
        titles = [pgettext("noun", "Change")] if self._has_steps else self._fields
        super().__init__(
            rows,
            extra_columns=[
                (
                    f"field{at}",
                    TableColumn(accessor="pk", verbose_name=title, default="", css="job-field"),
                )
                for at, title in enumerate(titles)
            ],
            sequence=("number", "state", "person", "label", "...", "result"),
        )
        for at, title in enumerate(titles):
            setattr(self, f"render_field{at}", partial(self._field, title))
        self.columns["label"].column.verbose_name = capfirst(self._kind.noun[0])
        if not self._has_steps or len({row.number for row in rows}) < 2:
            self.columns.hide("person")

    def _fields_of(self, rows: Sequence[JobItem]) -> list[str]:
        """Returns the titles of columns, without those that only repeat what rows are called."""
        by_number = sorted(rows, key=lambda row: row.number)
        changed = dict.fromkeys(title for row in by_number for title, *_v in row.shown_changes)
        titles = [
            title
            for title in dict.fromkeys(self._cells.values()) or changed
            if any(set(self._texts(title, row)) - {"", row.label.strip()} for row in rows)
        ]
        return titles if len(titles) <= _MOST else titles[:_FIRST]

    def _texts(self, title: str, item: JobItem) -> Iterator[str]:
        """Yields the values of a field before and after, and its cells of the file."""
        for changed, before, after in item.shown_changes:
            if changed == title:
                yield from (before, after)
        for name, of_cell in self._cells.items():
            if of_cell == title:
                yield _cell(item, name)

    def render_number(self, value: int, record: JobItem) -> str:
        return getattr(record, "place", "") or shown_number(value)

    def can_select(self, record: JobItem) -> bool:
        return record.pk in self._undoable

    def render_state(self, record: JobItem) -> SafeString:
        state = ItemState(record.state)
        if state == ItemState.PENDING and self._job.state in _PLANNED:
            name, tone = labels.icon_of(record.action)
            words = labels.verb_of(self._kind, record.action) or str(state.label)
        else:
            name, tone = labels.ITEM_ICONS[state], labels.tone_of_item(self._job, state)
            words = self._state(record)
        span = '<span class="text-{}" title="{}">{}<span class="visually-hidden">{}</span></span>'
        return format_html(span, colour(tone), words, icon(name, 16), words)

    def render_person(self, record: JobItem) -> str:
        return record.shown_label

    def render_label(self, record: JobItem) -> SafeString:
        url, title = self._kind.page_of(self._job, record), self._kind.title_of(record)
        label = format_html("{}", title)
        if url:
            label = format_html('<a class="row-link" href="{}">{}</a>', url, title)
        texts = (text for field in self._fields for text in self._texts(field, record))
        told = {word for text in texts for word in text.split()}  # by cells, as those of a name
        data = [each for each in self._kind.about(record) if not told.issuperset(each.split())]
        if not data:
            return label
        spans = format_html_join(" ", "<span>{}</span>", ((each,) for each in data))
        about = '<span class="job-about small text-secondary" title="{}">{}</span>'
        return label + format_html(about, ", ".join(data), spans)

    def _field(self, title: str, record: JobItem) -> SafeString:
        if self._has_steps:
            return _values(record.shown_changes[:1])
        mine = [change for change in record.shown_changes if change[0] == title]
        if mine:
            return _values(mine)
        return format_html("{}", next(self._texts(title, record), ""))

    def render_result(self, record: JobItem) -> SafeString:
        words, tone, whole = self._result(record)
        css = "text-secondary" if tone in ("neutral", "good") else f"text-{colour(tone)}"
        span = '<span class="job-words {}" title="{}">{}</span>'
        return (
            format_html(span, css, whole, words) + self._folded(record) + self._left_out_by(record)
        )

    def _result(self, item: JobItem) -> tuple[str, State, str]:
        """Returns what will be, or was, done with a row, its tone, and all that is told of it."""
        state, problem = ItemState(item.state), export.problem_of(item)
        words, tone = self._state(item), labels.tone_of_item(self._job, state)
        if state == ItemState.PENDING:
            if self._job.state in _PLANNED and not self._has_steps:  # steps say it themselves
                words = labels.planned_words(self._kind, item.action) or words
            if item.due_at and item.due_at >= clock.now():
                again = _("Continues at %(time)s.") % {"time": labels.clock(item.due_at)}
                problem = f"{problem} {again}".strip()
        elif state == ItemState.DONE:
            words = capfirst(labels.done_word(item.action))
            problem = f"{words}. {problem}" if problem else ""
        elif len(item.problems) == 1 and not item.message:  # its cell says which column it is
            return item.shown_problems[0][1], tone, problem
        return problem or words, tone, problem or words

    def _state(self, item: JobItem) -> str:
        if item.data.get(CHANGED_SINCE):
            return _("Left: changed since")
        return labels.state_of_item(self._job, ItemState(item.state))

    def _folded(self, item: JobItem) -> SafeString:
        """Returns the changes that have no column, unfolded by the reader."""
        changes = item.shown_changes
        rest = (
            changes[1:]
            if self._has_steps
            else [change for change in changes if change[0] not in self._fields]
        )
        if not rest:
            return _NONE
        more = ngettext("%(count)s more", "%(count)s more", len(rest)) % {"count": len(rest)}
        lines = format_html_join(
            "",
            '<div><span class="text-secondary">{}</span> {}</div>',
            ((title, _values([(title, before, after)])) for title, before, after in rest),
        )
        return format_html(
            ' <details class="job-more" id="changes-{}"><summary>{}</summary>{}</details>',
            item.pk,
            more,
            lines,
        )

    def _left_out_by(self, item: JobItem) -> SafeString:
        """Returns the button that excludes a row, or includes it again."""
        if not self._may_leave_out or item.state not in (ItemState.PENDING, ItemState.LEFT_OUT):
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
            self._kind.title_of(item),
        )


def _cell(item: JobItem, name: str) -> str:
    """Returns a cell of the file, as it was uploaded."""
    return str(item.data.get("row", {}).get(name, "")).strip()


def _values(changes: Iterable[Change]) -> SafeString:
    """Returns values after a change, each behind that of before, if there was one."""
    shown = [(before, after or _("Empty")) for _title, before, after in changes]
    if not shown:
        return _NONE
    title = ", ".join(f"{before} → {after}" if before else after for before, after in shown)
    words = format_html_join(", ", "{}", ((_value(*each),) for each in shown))
    return format_html('<span class="sb-change" title="{}">{}</span>', title, words)


def _value(before: str, after: str) -> SafeString:
    if not before:
        return format_html("{}", after)
    return format_html(
        '<del>{}</del> {}<span class="visually-hidden"> {} </span> <ins>{}</ins>',
        before,
        icon("arrow-right", 14),
        _("becomes"),
        after,
    )
