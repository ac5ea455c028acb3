"""One participant's quality as charts: small ones, for each medium and measure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from portal.dashboards.services.session.measures import (
    MEDIA,
    Measure,
    MeasuredMedium,
    Thresholds,
    bands,
)
from portal.dashboards.services.session.quality import Sample
from portal.ui.charts import Chart, Series

_EVERY = timedelta(minutes=1)


@dataclass(frozen=True)
class MediumCharts:
    """The charts of a medium; `missing` are the measures of which nothing was measured."""

    title: str
    charts: list[Chart]
    missing: list[str]


def charts_of(samples: Sequence[Sample], thresholds: Thresholds, follow: str) -> list[MediumCharts]:
    """All media; the charts share their period and their crosshair."""
    found = []
    for medium in MEDIA:
        made = [_chart(medium, each, samples, thresholds, follow) for each in medium.measures]
        known = [one for one in made if one.has_values]
        missing = [one.title for one in made if not one.has_values]
        found.append(MediumCharts(medium.title, known, missing))
    return found


def _chart(
    medium: MeasuredMedium,
    measure: Measure,
    samples: Sequence[Sample],
    thresholds: Thresholds,
    follow: str,
) -> Chart:
    series = [
        Series(
            line.label,
            [measure.value(one.content, line) for one in samples],
            [measure.text(one.content, line) for one in samples],
        )
        for line in measure.lines
    ]
    known = [one for one in series if any(value is not None for value in one.values)]
    return Chart(
        f"{medium.name}-{measure.name}",
        measure.title,
        [one.at for one in samples],
        known or series,
        measure.unit,
        bands(thresholds, measure),
        period=(samples[0].at, samples[-1].at) if samples else None,
        every=_EVERY,
        group="quality",
        follow=follow,
    )
