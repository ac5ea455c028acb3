"""The base of every table: cheap cells, headings that sort by a link, cards on a phone."""

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, partial
from operator import methodcaller
from typing import Any, ClassVar

import django_tables2 as tables
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model
from django.http import HttpRequest, QueryDict
from django.utils.html import format_html, strip_tags
from django.utils.safestring import SafeString, mark_safe
from django_tables2.columns import BoundColumn
from django_tables2.utils import Accessor

from portal.access.models import Connection
from portal.translation import gettext as _
from portal.ui import exports
from portal.ui.html import shown
from portal.ui.selection import CHOSEN, FORM
from portal.ui.times import relative

Cell = Callable[[Any], Any]
_LONG, _LONG_IN_WIDE = 24, 40  # letters; a script adds the title if a cell is cut all the same
_NEVER_LABELLED = {"cell-state", "cell-plain", "cell-select"}  # on a phone
_BOX = (
    '<td class="cell-select"><label class="sb-tick"><input class="form-check-input" type="checkbox"'
    ' name="{}" value="{}" form="{}" aria-label="{}"></label></td>'
)
_NO_BOX = '<td class="cell-select"></td>'  # untranslated: HTML
_SORTED = {"asc": ("ascending", "arrow-up"), "desc": ("descending", "arrow-down")}


def row_link(url: str, words: object) -> SafeString:
    """Returns the link of a cell to the page of the whole row."""
    return format_html('<a class="row-link" href="{}">{}</a>', url, words)


def linked(url: str, words: object) -> str:
    """Returns a link of the row to an address; plain words without an address."""
    return row_link(url, words) if url else str(words)


def cells_of(table: object, column: BoundColumn, sample: object) -> Cell:
    """From a record to what its cell holds; `column.default` where the record has no value.

    As django-tables2 does it: the value by the column's accessor, a choice by its label, shown by
    `render_<column>` of the table, which takes `value`, `record`, or both, or else as the column
    draws it, or in its words; a moment by how long ago it was. `sample` is a record.
    """
    path = str(column.accessor)
    accessor = Accessor(path)
    value_of: Cell
    if isinstance(sample, Model) and _has_choices(type(sample), path):
        value_of = methodcaller(f"get_{path}_display")
    elif len(accessor.bits) > 1 or isinstance(sample, Mapping):
        value_of = partial(accessor.resolve, quiet=True)
    else:

        def value_of(record: Any) -> Any:
            value = getattr(record, path, None)
            return value() if callable(value) else value

    render = getattr(table, f"render_{column.name}", None)
    words = getattr(column.column, "cell", None) or getattr(column.column, "words", None)
    if words is None and getattr(column.column, "is_moment", False):
        words = _moment
    draw = _drawing(render) if render else words and _once_each(words)
    empty, default = column.column.empty_values, column.default

    def cell(record: object) -> object:
        value = value_of(record)
        if value in empty:
            return default
        return draw(value, record) if draw else value

    return cell


def _once_each(words: Cell) -> Callable[[Any, Any], Any]:
    """Draws by the value alone, once for each that the rows have, such as a licence or a state."""
    drawn: dict[Any, Any] = {}

    def draw(value: Any, _record: object) -> Any:
        if not isinstance(value, str | int):
            return words(value)
        if value not in drawn:
            drawn[value] = words(value)
        return drawn[value]

    return draw


def _moment(value: object) -> object:
    return relative(value) if isinstance(value, datetime) else value


def _drawing(render: Callable[..., object]) -> Callable[[Any, Any], Any]:
    """`render` as a function of the value and the record, whichever of them it takes."""
    takes = set(inspect.signature(render).parameters)
    if takes == {"value"}:
        return lambda value, _record: render(value=value)
    if takes == {"record"}:
        return lambda _value, record: render(record=record)
    return lambda value, record: render(value=value, record=record)


@cache
def _has_choices(model: type[Model], name: str) -> bool:
    try:
        return bool(getattr(model._meta.get_field(name), "choices", None))
    except FieldDoesNotExist:
        return False


@dataclass(frozen=True)
class Heading:
    """The head of a column; `url` sorts by it."""

    title: str
    attributes: SafeString
    url: str
    icon: str


class TableColumn(tables.Column):
    """A column of a list, and what of it stands in a file of the list.

    `export` names the field of the interface that is exported, or says the columns of the file, of
    which there may be none; without it the column is exported under its own name. `words` are those
    of a value, on the page and in files; `cell` draws a value on the page alone. One of times
    `is_moment`. `css` are the classes of its
    cells. Columns are sorted by a `SortedColumn`.
    """

    def __init__(
        self,
        *args: object,
        export: str | Sequence[exports.ExportColumn] = "",
        orderable: bool = False,
        is_moment: bool = False,
        words: Callable[[Any], str] | None = None,
        cell: Cell | None = None,
        css: str = "",
        **options: object,
    ) -> None:
        if css:
            options["attrs"] = {"td": {"class": css}}
        super().__init__(*args, orderable=orderable, **options)
        self.export, self.is_moment, self.words, self.cell = export, is_moment, words, cell

    def exported(self, name: str) -> Sequence[exports.ExportColumn]:
        """Returns the columns of a file for this one, which is called `name` in its table."""
        title = str(self.verbose_name or name)
        if not isinstance(self.export, str):
            # One that stands for all of this column is called as it is.
            return [
                one if one.title else replace(one, title=title, is_moment=self.is_moment)
                for one in self.export
            ]
        read = partial(Accessor(str(self.accessor or name)).resolve, quiet=True)
        value = partial(_in_words, self.words, read) if self.words else read
        return [exports.ExportColumn(str(self.export or name), value, title, self.is_moment)]


def _in_words(words: Callable[[Any], str], read: Callable[[object], object], row: object) -> str:
    value = read(row)
    return "" if value in (None, "") else words(value)


class SortedColumn(TableColumn):
    """A column by which the rows come sorted already, because the query did it."""

    def __init__(self, *args: object, **options: Any) -> None:
        super().__init__(*args, orderable=True, **options)

    def order(self, queryset: object, is_descending: bool) -> tuple[Any, bool]:  # noqa: ARG002
        return queryset, True


class Table(tables.Table):
    """A table in the house's look.

    A column's `attrs` for `td` and `th` are constants, `row_attrs` functions of a record. Classes
    of cells: `cell-main` (what the row is called by), `cell-name` (of another person), `cell-rest`
    (the room that others leave), `cell-state`, `cell-number`, `cell-time` (a moment with its day),
    `cell-moment`, `cell-length` (of time), `cell-answer` (below a whole question), `cell-wide`,
    `cell-some` (a few words), `cell-kind`, `cell-brief`, `cell-narrow`, `cell-tiny`,
    `cell-wrap`, and `cell-plain` for what needs no label on a phone. A link of the class `row-link`
    is where the whole row leads.

    If `selects` is set, rows that `can_select` have checkboxes: `key_field` identifies a row, and
    `name_field` is what screen readers call it by. `optional` columns are there for those who
    choose them; `fixed` ones, and the first, are always there. Those of `later` stand under the
    first one if a window has no room for them. Files have the columns of `exported_first` and
    `exported_last` around those that are shown.
    """

    caption: str = ""
    key_field: ClassVar[str] = "id"
    name_field: ClassVar[str] = "name"
    optional: tuple[str, ...] = ()
    fixed: ClassVar[tuple[str, ...]] = ()
    later: ClassVar[tuple[str, ...]] = ()
    exported_first: ClassVar[tuple[exports.ExportColumn, ...]] = ()
    exported_last: tuple[exports.ExportColumn, ...] = ()
    selects = False

    class Meta:
        template_name = "ui/table.html"

    def show(self, names: Collection[str]) -> None:
        """Leaves these columns alone."""
        for name in self.columns.names():
            if name not in names:
                self.columns.hide(name)

    def exported(self, names: Collection[str] | None) -> list[exports.ExportColumn]:
        """Returns the columns of a file for these of the table, or for all of them."""
        results = [
            *self.exported_first,
            *(
                column
                for name, own in self.columns.columns.items()
                if names is None or name in names
                for column in own.column.exported(name)
            ),
            *self.exported_last,
        ]
        return list({column.name: column for column in results}.values())

    def before_render(self, request: HttpRequest) -> None:
        self.request = request

    def headings(self) -> Iterator[Heading]:
        for column in self.columns:
            own = column.column.attrs
            # The head of a column is as wide and aligned as its cells.
            classes = [own.get(part, {}).get("class", "") for part in ("td", "th")]
            classes += ["cell-later"] if column.name in self.later else []
            attributes = {"class": " ".join(dict.fromkeys(" ".join(classes).split()))}
            icon = "arrow-up-down"
            if column.is_ordered:
                sort, icon = _SORTED["desc" if column.order_by_alias.is_descending else "asc"]
                attributes["aria-sort"] = sort
            url = self._sorted_by(column) if column.orderable else ""
            yield Heading(title_of(column), _html(attributes), url, icon)

    @property
    def body(self) -> SafeString:
        """Returns the rows as HTML; empty if there are none."""
        return mark_safe("".join(self._rows()))  # noqa: S308 - each value is escaped

    def _rows(self) -> Iterator[str]:
        columns: list[tuple[Cell, str, str, Any]] = []
        later = [at for at, column in enumerate(self.columns) if column.name in self.later]
        box = self._box()
        for row in self.paginated_rows:
            record = row.record
            columns = columns or [
                (cells_of(self, column, record), *_cell_attributes(column, self.later))
                for column in self.columns
            ]
            own = _html({name: value(record) for name, value in self.row_attrs.items()})
            values = [cell_of(record) for cell_of, *_rest in columns]
            cells = [_cell(value, *rest) for value, (_, *rest) in zip(values, columns, strict=True)]
            if later:
                under = " · ".join(filter(None, (_plain(values[at]) for at in later)))
                marked = f'<td data-under="{under}"'  # untranslated: HTML
                cells[0] = cells[0].replace("<td", marked, 1)
            yield f"<tr{own}>{box(record)}{''.join(cells)}</tr>"

    def _box(self) -> Callable[[Any], str]:
        """From a record to the cell with its checkbox, where rows can be selected."""
        if not self.selects:
            return lambda _record: ""
        key_of, name_of = Accessor(self.key_field).resolve, Accessor(self.name_field).resolve

        select = shown(_("Select %(name)s"))

        def box(record: object) -> str:
            if not self.can_select(record):
                return _NO_BOX
            key = key_of(record)
            words = select % {"name": shown(name_of(record) or key)}
            return _BOX.format(CHOSEN, shown(key), FORM, words)

        return box

    def can_select(self, record: Any) -> bool:  # noqa: ARG002 - a table's own
        return True

    def _sorted_by(self, column: Any) -> str:
        query = self.request.GET.copy() if hasattr(self, "request") else QueryDict(mutable=True)
        query.pop(self.prefixed_page_field, None)
        alias = column.order_by_alias
        is_figure = "cell-number" in column.column.attrs.get("td", {}).get("class", "").split()
        # The largest figures are asked for first.
        first = alias.next if column.is_ordered or not is_figure else f"-{alias.bare}"
        query[self.prefixed_order_by_field] = str(first)
        return f"?{query.urlencode()}"


class ConnectedTable(Table):
    """A table with links to pages of a connection."""

    def __init__(self, rows: object, *, connection: Connection, **options: object) -> None:
        super().__init__(rows, **options)
        self.connection = connection


def title_of(column: Any) -> str:
    """Returns the title of a column: a name of its own, or that of its field as words."""
    return _(str(column.header))


def _cell_attributes(column: Any, later: Collection[str]) -> tuple[str, str, Any]:
    """Returns the attributes of a column's cells, those of a cell without a value, and its content
    then."""
    given = column.column.attrs.get("td", {})
    own = dict(given)
    if _NEVER_LABELLED.isdisjoint(given.get("class", "").split()):
        own["data-label"] = title_of(column)
    if column.name in later:
        own["class"] = f"{given.get('class', '')} cell-later".strip()
    unset = {**own, "class": f"{own.get('class', '')} cell-unset".strip()}
    return _html(own), _html(unset), column.default


def _cell(value: object, attributes: str, attributes_if_unset: str, default: object) -> str:
    text = shown(value)
    if value == default:
        return f"<td{attributes_if_unset}>{text}</td>"
    if type(value) is str and len(value) > (
        _LONG_IN_WIDE if '"cell-wide"' in attributes else _LONG
    ):
        return f'<td{attributes} title="{text}">{text}</td>'
    return f"<td{attributes}>{text}</td>"


def _plain(value: object) -> str:
    """Returns a cell's text, as the value of an attribute."""
    return strip_tags(shown(value)).strip().replace('"', "&quot;")


def _html(attributes: dict[str, Any]) -> SafeString:
    given = (
        f' {shown(name)}="{shown(value)}"'
        for name, value in attributes.items()
        if value not in (None, "")
    )
    return mark_safe("".join(given))  # noqa: S308 - each value is escaped
