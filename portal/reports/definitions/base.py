"""Definition of a report over days."""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, ClassVar

from django.db.models import BigIntegerField, Count, F, FloatField, QuerySet, Sum
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast, Lower
from django.http import QueryDict
from django.utils.text import capfirst

from portal.access.scope import Scope
from portal.contract.operation import AnyOperation
from portal.reports.filters import ReportFilter
from portal.reports.models import StoredRow
from portal.reports.services.fetching import ReportWindow
from portal.reports.services.rows import Total, rows_of, span_of
from portal.reports.services.sources import ReportSource
from portal.reports.tables import ReportTable
from portal.translation import gettext_lazy
from portal.ui.charts import Chart
from portal.ui.ranges import Range
from portal.ui.views.ranged import Sorted, sort_rows

Rows = QuerySet[StoredRow, StoredRow] | Sorted


class Report:
    """A report: `about` is what it shows, `icon` stands beside it, `one` and `many` are its rows.

    `subject` is the id of whom it is about, where it is about somebody. `nothing` says what it
    means that there are no rows, where all days are known.
    """

    slug: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    icon: ClassVar[str]
    one: ClassVar[str]
    many: ClassVar[str]
    operation: ClassVar[Any]
    filter_class: ClassVar[type[ReportFilter]]
    table_class: ClassVar[type[ReportTable]]
    has_subject: ClassVar[bool] = False
    nothing: ClassVar[tuple[str, str]] = (
        gettext_lazy("Nothing on these days"),
        gettext_lazy("The service reports nothing for these days. Choose others."),
    )

    def needed(self) -> AnyOperation:
        """Returns the operation that the role has to allow."""
        operation: AnyOperation = type(self).operation
        return operation

    def filters(self, data: QueryDict) -> ReportFilter:
        return self.filter_class(data)

    def wanted(self, chosen: Range, subject: str = "") -> list[ReportWindow]:
        """Returns the windows of the service's reports that these days need."""
        raise NotImplementedError

    def rows(self, scope: Scope, filters: ReportFilter, chosen: Range, subject: str = "") -> Rows:
        """Returns the stored rows of these days that pass the filters."""
        raise NotImplementedError

    def totals(
        self, scope: Scope, filters: ReportFilter, chosen: Range, subject: str = ""
    ) -> list[Total]:
        raise NotImplementedError

    def charts(self, rows: Rows, chosen: Range) -> list[Chart]:
        return []


class ListedReport(Report):
    """A report whose rows are those of the service, in the database."""

    source: ClassVar[ReportSource]
    sorts: ClassVar[Mapping[str, Any]]
    sums: ClassVar[Sequence[tuple[str, str, Any]]] = ()

    def wanted(self, chosen: Range, subject: str = "") -> list[ReportWindow]:
        return [ReportWindow(self.source, span_of(chosen), subject)]

    def stored_rows(
        self, scope: Scope, wanted: ReportWindow, chosen: Range, search: str
    ) -> QuerySet[StoredRow, StoredRow]:
        """The rows that are shown, within the part of the people that a connection is limited
        to."""
        return rows_of(scope, wanted, chosen, search)

    def rows(
        self, scope: Scope, filters: ReportFilter, chosen: Range, subject: str = ""
    ) -> QuerySet[StoredRow, StoredRow]:
        [wanted] = self.wanted(chosen, subject)
        rows = self.stored_rows(scope, wanted, chosen, filters.search)
        by = self.sorts[filters.order.removeprefix("-")]
        if filters.order[0] == "-":
            return rows.order_by(by.desc(nulls_last=True), "pk")
        return rows.order_by(by.asc(nulls_last=True), "pk")

    def totals(
        self, scope: Scope, filters: ReportFilter, chosen: Range, subject: str = ""
    ) -> list[Total]:
        [wanted] = self.wanted(chosen, subject)
        rows = self.stored_rows(scope, wanted, chosen, filters.search)
        asked = {f"sum_{name}": Sum(summed(name)) for name, _, _ in self.sums}
        sums = rows.aggregate(count=Count("pk"), **asked)
        return [
            Total(capfirst(self.many), sums["count"]),
            *(Total(label, sums[f"sum_{name}"] or 0, unit) for name, label, unit in self.sums),
        ]


class SummedReport(Report):
    """A report whose rows are made of what is kept; they are few enough to be held in memory.

    `sorts` are the fields of such a row that it can be sorted by.
    """

    sorts: ClassVar[Sequence[str]]

    def made(self, scope: Scope, chosen: Range, search: str) -> Iterable[object]:
        """The rows of these days that a search finds, in any order."""
        raise NotImplementedError

    def added_up(self, made: Sequence[object]) -> list[Total]:
        raise NotImplementedError

    def rows(self, scope: Scope, filters: ReportFilter, chosen: Range, subject: str = "") -> Sorted:
        made = self.made(scope, chosen, filters.search)
        return Sorted(sort_rows(made, filters.order, {key: attrgetter(key) for key in self.sorts}))

    def totals(
        self, scope: Scope, filters: ReportFilter, chosen: Range, subject: str = ""
    ) -> list[Total]:
        return self.added_up(list(self.made(scope, chosen, filters.search)))


def number(name: str) -> KeyTransform:
    """A number of a row's data, to sort by."""
    return KeyTransform(name, "data")


def words(name: str) -> Lower:
    """A text of a row's data, to sort by."""
    return Lower(KeyTextTransform(name, "data"))


def summed(name: str) -> Cast:
    """A number of a row's data, to add up."""
    kind = FloatField() if name in AMOUNTS else BigIntegerField()
    return Cast(KeyTextTransform(name, "data"), kind)


AMOUNTS = frozenset({"total"})  # what is no whole number
MOMENT = F("moment")


def added(values: Iterable[int | float | None]) -> float | None:
    """The sum of what is known; None where nothing is."""
    numbers = [value for value in values if value is not None]
    return sum(numbers) if numbers else None
