"""Streams of past sessions grouped by what their participants have in common: one query."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import (
    Case,
    Count,
    ExpressionWrapper,
    F,
    FloatField,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextField,
    Value,
    When,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce, Trim

from portal.access.models import Connection
from portal.dashboards.models import MeasuredStay, MeasuredStream
from portal.dashboards.services.session.measures import Thresholds
from portal.dashboards.services.streams.judging import judged
from portal.directory.models import MirroredUser
from portal.translation import any_form, gettext_lazy

# By the names of fields of a stay, but for the department, which is looked up.
DIMENSIONS = {
    "network": gettext_lazy("Network"),
    "location": gettext_lazy("Location"),
    "version": gettext_lazy("Client version"),
    "device": gettext_lazy("Device"),
    "department": gettext_lazy("Department"),
}
FEW = 10  # streams; the share of so few says little


_DEPARTMENT = "department"


def of_person(connection: Connection, field: str, user_id: str) -> Combinable:
    """Returns an expression for the field of the person with this `user_id`, a column, as the list
    of people has it now; empty for guests."""
    people = MirroredUser.objects.filter(connection=connection, user_id=OuterRef(user_id))
    found = Subquery(people.values(field)[:1], output_field=TextField())
    return Trim(Coalesce(found, Value(""), output_field=TextField()))


@dataclass(frozen=True)
class StreamFilter:
    """Which streams are meant; empty values narrow nothing. `common` has values of `DIMENSIONS`,
    of which an empty one is that nothing is known."""

    begin: datetime
    end: datetime
    family: str = ""
    medium: str = ""
    search: str = ""
    common: Mapping[str, str] = field(default_factory=dict)

    def sessions(self, connection: Connection, path: str) -> Q:
        found = {"connection": connection, "start__gte": self.begin, "start__lt": self.end}
        if self.family:
            found["family"] = self.family
        return Q(**{f"{path}{name}": value for name, value in found.items()})

    def stays(self, path: str) -> Q:
        return Q(
            **{
                name if name == _DEPARTMENT else f"{path}{name}": value
                for name, value in self.common.items()
            }
        )


def groups(
    connection: Connection,
    wanted: StreamFilter,
    dimension: str,
    thresholds: Thresholds,
    order: str = "-share",
) -> QuerySet[MeasuredStream, Any]:
    """One row for each value of the dimension, with its streams, those that were poor or fair, and
    the people and sessions of the poor ones."""
    by = judged(thresholds)
    rows = _streams(connection, wanted, dimension)
    name = _DEPARTMENT if dimension == _DEPARTMENT else f"stay__{dimension}"
    found = rows.values(name=F(name)).annotate(
        streams=Count("pk"),
        poor=Count("pk", filter=by.poor),
        fair=Count("pk", filter=by.fair),
        people=Count("stay__person", distinct=True, filter=by.poor),
        sessions=Count("stay__session", distinct=True, filter=by.poor),
        share=ExpressionWrapper(F("poor") * 100.0 / F("streams"), FloatField()),
        is_few=Case(When(streams__lt=FEW, then=1), default=0, output_field=IntegerField()),
    )
    first = ["is_few"] if order.removeprefix("-") == "share" else []
    return found.order_by(*first, order, "-poor", "name")


@dataclass(frozen=True)
class StreamTotals:
    streams: int
    poor: int
    fair: int
    people: int
    sessions: int


def totals(connection: Connection, wanted: StreamFilter, thresholds: Thresholds) -> StreamTotals:
    """Returns the totals of all groups; nobody counts twice."""
    by = judged(thresholds)
    return StreamTotals(
        **_streams(connection, wanted).aggregate(
            streams=Count("pk"),
            poor=Count("pk", filter=by.poor),
            fair=Count("pk", filter=by.fair),
            people=Count("stay__person", distinct=True, filter=by.poor),
            sessions=Count("stay__session", distinct=True),
        )
    )


def unplaced(connection: Connection, wanted: StreamFilter) -> int:
    """Of how many streams the department is not known."""
    return _streams(connection, wanted, _DEPARTMENT).filter(Q(department="")).count()


def _streams(
    connection: Connection, wanted: StreamFilter, dimension: str = ""
) -> QuerySet[MeasuredStream, Any]:
    rows = MeasuredStream.objects.all()
    if _DEPARTMENT in (dimension, *wanted.common):
        rows = rows.alias(department=of_person(connection, "dept", "stay__user_id"))
    rows = rows.filter(wanted.sessions(connection, "stay__session__"), wanted.stays("stay__"))
    return rows.filter(medium=wanted.medium) if wanted.medium else rows


def stays(
    connection: Connection, wanted: StreamFilter, thresholds: Thresholds, which: str = "poor"
) -> QuerySet[MeasuredStay]:
    """The stays of these streams, with how many of them were `poor` and `fair`.

    `which` are those with poor streams, with `fair` ones, or `all`.
    """
    by = judged(thresholds, "streams__")
    medium = Q(streams__medium=wanted.medium) if wanted.medium else Q()
    placed = MeasuredStay.objects.annotate(
        department=of_person(connection, "dept", "user_id"),
        account_id=of_person(connection, "user_id", "user_id"),
    )
    found = placed.filter(wanted.sessions(connection, "session__"), wanted.stays(""))
    for word in wanted.search.split():
        form = any_form(word)
        found = found.filter(Q(name__iregex=form) | Q(session__topic__iregex=form))
    counted = found.annotate(
        measured=Count("streams", filter=medium) if wanted.medium else Count("streams"),
        poor=Count("streams", filter=by.poor & medium),
        fair=Count("streams", filter=by.fair & medium),
    )
    if which == "all":
        return counted.filter(measured__gt=0)
    return counted.filter(Q(poor__gt=0) | Q(fair__gt=0) if which == "fair" else Q(poor__gt=0))
