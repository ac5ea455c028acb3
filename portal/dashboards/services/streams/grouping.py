"""Streams of past sessions grouped by what their participants have in common: one query."""

from collections.abc import Mapping, Sequence
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
from portal.dashboards.models import MeasuredStay, MeasuredStream, Medium as MediumName
from portal.dashboards.services.session.measures import (
    RANK,
    Measure,
    Thresholds,
    bands,
    worst_level,
)
from portal.dashboards.services.streams.storing import STREAMS
from portal.directory.models import MirroredUser
from portal.translation import any_form, gettext as _, gettext_lazy, number, within
from portal.ui.charts import Level, level_of

_NONE = Q(pk__in=[])
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


@dataclass(frozen=True)
class LevelConditions:
    """Conditions on streams; `fair` ones are not poor."""

    poor: Q
    fair: Q


def judged(thresholds: Thresholds, path: str = "") -> LevelConditions:
    """Returns the conditions of these thresholds; `path` leads from a query's rows to streams."""
    poor = _worse_than(thresholds, "poor", path)
    return LevelConditions(poor, _worse_than(thresholds, "fair", path) & ~poor)


def _worse_than(thresholds: Thresholds, level: Level, path: str) -> Q:
    """Returns the condition that some figure of a stream is at least as bad as a level."""
    condition = _NONE
    for medium in STREAMS:
        for measure in medium.measures:
            for band in bands(thresholds, measure):
                if RANK[band.level] < RANK[level]:
                    continue
                edges = {
                    f"{path}{measure.name}__{lookup}": edge
                    for lookup, edge in (("gte", band.lower), ("lt", band.upper))
                    if edge is not None
                }
                condition |= Q(**{f"{path}medium": medium.name}, **edges)
    return condition


@dataclass(frozen=True)
class StreamVerdict:
    """The verdict on one stream; `figures` are those that made it worse than good."""

    level: Level | None
    stream: MeasuredStream
    figures: Mapping[Measure, float]

    def __str__(self) -> str:
        medium = {"medium": MediumName(self.stream.medium).label}
        words = _("%(medium)s sent") if self.stream.is_sent else _("%(medium)s received")
        name = words % medium
        return f"{name}: {_in_words(self.figures)}" if self.figures else name


def verdict(stream: MeasuredStream, thresholds: Thresholds) -> StreamVerdict:
    medium = next(one for one in STREAMS if one.name == stream.medium)
    levels = {
        measure.name: level_of(bands(thresholds, measure), getattr(stream, measure.name))
        for measure in medium.measures
    }
    level = worst_level(levels.values())
    figures = {
        measure: getattr(stream, measure.name)
        for measure in medium.measures
        if level in ("fair", "poor") and levels[measure.name] == level
    }
    return StreamVerdict(level, stream, figures)


def summed_up(verdicts: Sequence[StreamVerdict]) -> str:
    """Returns the worst figures by medium, as in "Audio: latency 713 ms, jitter 90 ms; video:
    bitrate 87 kbps"."""
    worst: dict[str, dict[str, tuple[Measure, float]]] = {}
    for each in verdicts:
        of_medium = worst.setdefault(each.stream.medium, {})
        for measure, value in each.figures.items():
            figure = of_medium.get(measure.name)
            choose = max if measure.is_worse_up else min
            of_medium[measure.name] = (measure, choose(value, figure[1]) if figure else value)
    phrases = [
        f"{within(str(MediumName(medium).label))}: {_in_words(dict(figures.values()))}"
        for medium, figures in worst.items()
        if figures
    ]
    summed = "; ".join(phrases)
    return f"{summed[:1].upper()}{summed[1:]}"


def _in_words(figures: Mapping[Measure, float]) -> str:
    phrases = []
    for measure, value in figures.items():
        figure = number(value, 0 if round(value, 1) == int(value) else 1)
        phrases.append(f"{within(measure.title)} {figure}\N{NO-BREAK SPACE}{measure.unit}")
    return ", ".join(phrases)


def of_person(connection: Connection, field: str, user_id: str) -> Combinable:
    """Returns an expression for the field of the person with this `user_id`, a column, as the list
    of people has it now; empty for guests."""
    people = MirroredUser.objects.filter(connection=connection, user_id=OuterRef(user_id))
    value = Subquery(people.values(field)[:1], output_field=TextField())
    return Trim(Coalesce(value, Value(""), output_field=TextField()))


@dataclass(frozen=True)
class StreamFilter:
    """A selection of streams; empty values narrow nothing. `common` has values of `DIMENSIONS`; an
    empty one selects streams without a value."""

    begin: datetime
    end: datetime
    family: str = ""
    medium: str = ""
    search: str = ""
    common: Mapping[str, str] = field(default_factory=dict)

    def sessions(self, connection: Connection, path: str) -> Q:
        conditions = {"connection": connection, "start__gte": self.begin, "start__lt": self.end}
        if self.family:
            conditions["family"] = self.family
        return Q(**{f"{path}{name}": value for name, value in conditions.items()})

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
    """Returns one row for each value of the dimension, with the numbers of its streams, of poor and
    fair ones, and of the people and sessions of the poor ones."""
    by = judged(thresholds)
    rows = _streams(connection, wanted, dimension)
    name = _DEPARTMENT if dimension == _DEPARTMENT else f"stay__{dimension}"
    grouped = rows.values(name=F(name)).annotate(
        streams=Count("pk"),
        poor=Count("pk", filter=by.poor),
        fair=Count("pk", filter=by.fair),
        people=Count("stay__person", distinct=True, filter=by.poor),
        sessions=Count("stay__session", distinct=True, filter=by.poor),
        share=ExpressionWrapper(F("poor") * 100.0 / F("streams"), FloatField()),
        is_few=Case(When(streams__lt=FEW, then=1), default=0, output_field=IntegerField()),
    )
    first = ["is_few"] if order.removeprefix("-") == "share" else []
    return grouped.order_by(*first, order, "-poor", "name")


@dataclass(frozen=True)
class StreamTotals:
    streams: int
    poor: int
    fair: int
    people: int
    sessions: int


def totals(connection: Connection, wanted: StreamFilter, thresholds: Thresholds) -> StreamTotals:
    """Returns the totals of all groups, with each person counted once."""
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
    """Returns the number of streams without a known department."""
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
    """Returns the stays of these streams, with the numbers of `poor` and `fair` ones.

    `which` selects stays with `poor` streams, those with `fair` ones too, or `all`.
    """
    by = judged(thresholds, "streams__")
    medium = Q(streams__medium=wanted.medium) if wanted.medium else Q()
    placed = MeasuredStay.objects.annotate(
        department=of_person(connection, "dept", "user_id"),
        account_id=of_person(connection, "user_id", "user_id"),
    )
    matching = placed.filter(wanted.sessions(connection, "session__"), wanted.stays(""))
    for word in wanted.search.split():
        form = any_form(word)
        matching = matching.filter(Q(name__iregex=form) | Q(session__topic__iregex=form))
    counted = matching.annotate(
        measured=Count("streams", filter=medium) if wanted.medium else Count("streams"),
        poor=Count("streams", filter=by.poor & medium),
        fair=Count("streams", filter=by.fair & medium),
    )
    if which == "all":
        return counted.filter(measured__gt=0)
    return counted.filter(Q(poor__gt=0) | Q(fair__gt=0) if which == "fair" else Q(poor__gt=0))
