"""Definition of a report over days."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, ClassVar

from django.db.models import BigIntegerField, Count, F, FloatField, QuerySet, Sum
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast, Lower
from django.utils.text import capfirst

from portal.access.scope import Scope
from portal.directory.scope_rules import visible_people
from portal.reports.filters import ReportFilter
from portal.reports.models import StoredRow
from portal.reports.services.fetching import ReportWindow
from portal.reports.services.rows import Total, Unit, rows_of, span_of
from portal.reports.services.sources import ReportSource
from portal.translation import gettext_lazy
from portal.ui.charts import Chart
from portal.ui.filters import search_field
from portal.ui.ranges import Range
from portal.ui.tables import ConnectedTable, SortedColumn
from portal.ui.views.ranged import Sorted, sort_rows

Rows = QuerySet[StoredRow, StoredRow] | Sorted


@dataclass(frozen=True)
class RankedBar:
    """A bar of a report, by what it is called; `width` is a percentage as SVG takes it."""

    name: str
    text: str
    width: str


class Report:
    """A report over days, declared once for its page, its files and its schedule.

    `source` gives its slug, its title and the operation that it needs. `about` describes it, `icon`
    stands beside it, `one` and `many` name its rows. `search` is the label of its search field; a
    report without one has no search. `sums` are a field of a row, a label and a unit each. With
    `has_subject` it is about the person whose id is the `subject`. `nothing` are the title and text
    of the page if all days are loaded and none has rows.
    """

    source: ClassVar[ReportSource]
    about: ClassVar[str]
    icon: ClassVar[str]
    one: ClassVar[str]
    many: ClassVar[str]
    table_class: ClassVar[type[ConnectedTable]]
    usual_sort: ClassVar[str]
    search: ClassVar[str] = ""
    in_gmt: ClassVar[bool] = False
    sums: ClassVar[Sequence[tuple[str, str, Unit]]] = ()
    has_subject: ClassVar[bool] = False
    nothing: ClassVar[tuple[str, str]] = (
        gettext_lazy("Nothing on these days"),
        gettext_lazy("The service reports nothing for these days. Choose others."),
    )

    @property
    def slug(self) -> str:
        return self.source.name

    @property
    def title(self) -> str:
        return self.source.title

    @cached_property
    def sorts(self) -> tuple[str, ...]:
        """Returns the names of the columns by which rows can be sorted."""
        columns = self.table_class.base_columns.items()
        return tuple(name for name, column in columns if isinstance(column, SortedColumn))

    @cached_property
    def filter_class(self) -> type[ReportFilter]:
        """Returns the class of the report's filter bar."""
        own = {"sorts": self.sorts, "usual_sort": self.usual_sort, "in_gmt": self.in_gmt}
        search = {"q": search_field(self.search)} if self.search else {}
        return type("ReportFilter", (ReportFilter,), {**own, **search})

    def wanted(self, chosen: Range, subject: str = "") -> list[ReportWindow]:
        """Returns the windows of the service's reports that these days need."""
        return [ReportWindow(self.source, span_of(chosen), subject)]

    def rows(self, scope: Scope, filters: ReportFilter, chosen: Range, subject: str = "") -> Rows:
        """Returns the stored rows of these days that pass the filters."""
        raise NotImplementedError

    def totals(
        self, scope: Scope, filters: ReportFilter, chosen: Range, subject: str = ""
    ) -> list[Total]:
        raise NotImplementedError

    def charts(self, rows: Rows, chosen: Range) -> list[Chart]:
        return []

    def bars(self, rows: Iterable[Any]) -> list[RankedBar]:
        """Returns bars of the rows with the highest values, for reports that draw such bars."""
        return []


class ListedReport(Report):
    """A report whose rows are those of the service, which the database searches, sorts and adds up.

    `keys` are expressions by the names of its sorted columns. A limited share shows rows with
    the email of one of its people in the field `host`.
    """

    keys: ClassVar[Mapping[str, Any]]
    host: ClassVar[str] = ""

    def _stored_rows(
        self, scope: Scope, chosen: Range, search: str, subject: str
    ) -> QuerySet[StoredRow, StoredRow]:
        [wanted] = self.wanted(chosen, subject)
        rows = rows_of(scope, wanted, chosen, search)
        if not (self.host and scope.is_narrow):
            return rows
        hosts = visible_people(scope).values(lower=Lower("email"))
        return rows.annotate(host=words(self.host)).filter(host__in=hosts)

    def rows(
        self, scope: Scope, filters: ReportFilter, chosen: Range, subject: str = ""
    ) -> QuerySet[StoredRow, StoredRow]:
        rows = self._stored_rows(scope, chosen, filters.search, subject)
        key = self.keys[filters.order.removeprefix("-")]
        order = key.desc if filters.order[0] == "-" else key.asc
        return rows.order_by(order(nulls_last=True), "pk")

    def totals(
        self, scope: Scope, filters: ReportFilter, chosen: Range, subject: str = ""
    ) -> list[Total]:
        rows = self._stored_rows(scope, chosen, filters.search, subject)
        wanted = {f"sum_{name}": Sum(summed(name)) for name, _, _ in self.sums}
        sums = rows.aggregate(count=Count("pk"), **wanted)
        return [
            Total(capfirst(self.many), sums["count"]),
            *(Total(label, sums[f"sum_{name}"] or 0, unit) for name, label, unit in self.sums),
        ]


class SummedReport(Report):
    """A report whose rows are computed from the stored ones; they are few enough for memory."""

    def made(self, scope: Scope, chosen: Range, search: str) -> Iterable[object]:
        """Returns the rows of these days that match a search, in any order."""
        raise NotImplementedError

    def added_up(self, made: Sequence[Any]) -> list[Total]:
        """Returns the totals of these rows. A total is unknown if no row has a value."""
        return [
            Total(label, added(getattr(row, name) for row in made), unit)
            for name, label, unit in self.sums
        ]

    def rows(self, scope: Scope, filters: ReportFilter, chosen: Range, subject: str = "") -> Sorted:
        made = self.made(scope, chosen, filters.search)
        return Sorted(sort_rows(made, filters.order, {key: attrgetter(key) for key in self.sorts}))

    def totals(
        self, scope: Scope, filters: ReportFilter, chosen: Range, subject: str = ""
    ) -> list[Total]:
        return self.added_up(list(self.made(scope, chosen, filters.search)))


def number(name: str) -> KeyTransform:
    """Returns a number of a row's data, to sort by."""
    return KeyTransform(name, "data")


def words(name: str) -> Lower:
    """Returns a text of a row's data, to sort by."""
    return Lower(KeyTextTransform(name, "data"))


def summed(name: str) -> Cast:
    """Returns a number of a row's data, to add up."""
    kind = FloatField() if name in _AMOUNTS else BigIntegerField()
    return Cast(KeyTextTransform(name, "data"), kind)


_AMOUNTS = frozenset({"total"})  # numbers that are not whole
MOMENT = F("moment")


def added(values: Iterable[float | None]) -> float | None:
    """Returns the sum of the known values; None if there is none."""
    numbers = [value for value in values if value is not None]
    return sum(numbers) if numbers else None
