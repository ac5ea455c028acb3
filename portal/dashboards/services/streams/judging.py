"""Rates streams as good, fair or poor by the current thresholds: as conditions of a
query, and in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from portal.dashboards.models import MeasuredStream
from portal.dashboards.models import Medium as MediumName
from portal.dashboards.services.session.measures import Measure, Thresholds, bands
from portal.dashboards.services.streams.storing import STREAMS
from portal.translation import gettext as _
from portal.translation import number, within
from portal.ui.charts import Level, level_of

RISING = frozenset({"latency", "jitter", "loss"})  # the higher, the worse
_NONE = Q(pk__in=[])
_RANK: dict[Level, int] = {"good": 0, "fair": 1, "poor": 2}


@dataclass(frozen=True)
class Judged:
    """Conditions on streams; `fair` ones are not poor."""

    poor: Q
    fair: Q


def judged(thresholds: Thresholds, path: str = "") -> Judged:
    """By these thresholds; `path` leads from the rows of the query to streams."""
    poor = _worse_than(thresholds, "poor", path)
    return Judged(poor, _worse_than(thresholds, "fair", path) & ~poor)


def _worse_than(thresholds: Thresholds, level: Level, path: str) -> Q:
    """That some figure of a stream is at least as bad as that."""
    found = _NONE
    for medium in STREAMS:
        for measure in medium.measures:
            for band in bands(thresholds, measure):
                if _RANK[band.level] < _RANK[level]:
                    continue
                edges = {
                    f"{path}{measure.name}__{lookup}": edge
                    for lookup, edge in (("gte", band.lower), ("lt", band.upper))
                    if edge is not None
                }
                found |= Q(**{f"{path}medium": medium.name}, **edges)
    return found


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
    level = max((one for one in levels.values() if one), key=_RANK.__getitem__, default=None)
    figures = {
        measure: getattr(stream, measure.name)
        for measure in medium.measures
        if level in ("fair", "poor") and levels[measure.name] == level
    }
    return StreamVerdict(level, stream, figures)


def summed_up(verdicts: Sequence[StreamVerdict]) -> str:
    """The worst figures by medium, as in "Audio: latency 713 ms, jitter 90 ms; video: bitrate 87
    kbps"."""
    worst: dict[str, dict[str, tuple[Measure, float]]] = {}
    for each in verdicts:
        of_medium = worst.setdefault(each.stream.medium, {})
        for measure, value in each.figures.items():
            known = of_medium.get(measure.name)
            choose = max if measure.name in RISING else min
            of_medium[measure.name] = (measure, choose(value, known[1]) if known else value)
    said = [
        f"{within(str(MediumName(medium).label))}: {_in_words(dict(figures.values()))}"
        for medium, figures in worst.items()
        if figures
    ]
    summed = "; ".join(said)
    return f"{summed[:1].upper()}{summed[1:]}"


def _in_words(figures: Mapping[Measure, float]) -> str:
    said = []
    for measure, value in figures.items():
        figure = number(value, 0 if round(value, 1) == int(value) else 1)
        said.append(f"{within(measure.title)} {figure}\N{NO-BREAK SPACE}{measure.unit}")
    return ", ".join(said)
