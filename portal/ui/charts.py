"""Values over time: drawn where scripts run, described in a sentence, and always there as a table.

    chart = Chart(
        "latency", "Latency", moments, [Series("Received", [23.0, None, 41.5])], unit="ms",
        bands=rising(150, 400),
    )

`{% include "ui/chart.html" with chart=chart %}` shows it; static/js/lazy/charts.js draws it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import pairwise
from math import isfinite
from typing import Literal

from django.utils import timezone
from django.utils.dateformat import format as formatted

from portal.config import clock
from portal.translation import gettext as _, gettext_lazy, number
from portal.ui.times import aware

Level = Literal["good", "fair", "poor"]
_NONE = "\N{EN DASH}"
_SHADED = 62  # days: among more of them weekends would only flicker
_WIDTH, _HEIGHT = 240, 36  # of a small curve, in its own units
_FEWEST = 5  # points of one: fewer say nothing
WORDS: dict[Level, str] = {
    "good": gettext_lazy("Good"),
    "fair": gettext_lazy("Fair"),
    "poor": gettext_lazy("Poor"),
}


@dataclass(frozen=True)
class Series:
    """One line or row of bars. A value for each moment, `None` where there is none: a gap, never a
    zero. `texts` are the same values as the table shows them, if that differs."""

    label: str
    values: Sequence[float | None]
    texts: Sequence[str] = ()
    shape: Literal["line", "bars", "steps"] = "line"


@dataclass(frozen=True)
class Band:
    """Values from `lower` up to, but without, `upper`; `None` is without end."""

    level: Level
    lower: float | None = None
    upper: float | None = None

    def holds(self, value: float) -> bool:
        return (self.lower is None or value >= self.lower) and (
            self.upper is None or value < self.upper
        )


def rising(fair: float, poor: float) -> tuple[Band, ...]:
    """Bands of what is worse the higher it is, such as latency."""
    return (Band("good", None, fair), Band("fair", fair, poor), Band("poor", poor, None))


def falling(fair: float, poor: float) -> tuple[Band, ...]:
    """Bands of what is worse the lower it is, such as a frame rate."""
    return (Band("good", fair, None), Band("fair", poor, fair), Band("poor", None, poor))


def level_of(bands: Sequence[Band], value: float | None) -> Level | None:
    """Returns the band that a value lies in; None for no band."""
    if value is None:
        return None
    return next((band.level for band in bands if band.holds(value)), None)


@dataclass(frozen=True)
class ChartCell:
    """A value in the table: as text, and in which band it lies."""

    text: str
    level: Level | None
    word: str


@dataclass(frozen=True)
class ChartRow:
    """A moment in the table; `url` is the page that the chart leads to from it."""

    moment: datetime
    text: str
    cells: list[ChartCell]
    url: str


@dataclass
class Chart:
    """Series over the same moments, which rise.

    `name` is unlike that of any other chart on the page. `by` says what a moment stands for; of
    days it is any moment of the day in its own zone, which need not be the viewer's.
    `period` is what is shown; else from the first moment to the last. If two moments are more
    than twice `every` apart, lines break. `sentence` says what the chart shows; else its extremes.
    Charts of one `group` share their crosshair. `follow` is an address with `{at}` in it, that a
    moment leads to. `figure` is what it comes to, with how that changed (`trend`).
    """

    name: str
    title: str
    moments: Sequence[datetime]
    series: Sequence[Series]
    unit: str = ""
    bands: Sequence[Band] = ()
    by: Literal["minute", "day"] = "minute"
    period: tuple[datetime, datetime] | None = None
    every: timedelta | None = None
    sentence: str = ""
    group: str = "page"
    follow: str = ""
    open_table: bool = False
    figure: str = ""
    trend: str = ""
    words: dict[Level, str] = field(default_factory=lambda: dict(WORDS))

    @property
    def zone(self) -> str:
        """Returns the name of the zone of the times, or days, that are shown."""
        own = self.moments[0].tzinfo if self.by == "day" and self.moments else None
        if own is None:
            return timezone.get_current_timezone_name()
        return "GMT" if own == UTC else str(own)

    @property
    def has_values(self) -> bool:
        return any(_read(value) is not None for one in self.series for value in one.values)

    @property
    def element(self) -> str:
        return f"chart-{self.name}"

    @cached_property
    def data(self) -> dict[str, object]:
        """Returns the data from which the script draws."""
        moments = [self._drawn(moment) for moment in self.moments]
        shown = [self._drawn(moment) for moment in self.period or ()] or moments
        columns = [[_read(value) for value in one.values] for one in self.series]
        seconds, columns = self._with_breaks([each.timestamp() for each in moments], columns)
        return {
            "zone": "UTC" if self.by == "day" else self.zone,
            "moments": seconds,
            "from": shown[0].timestamp() if shown else 0,
            "to": shown[-1].timestamp() if shown else 0,
            "by": self.by,
            "named": self._changes_clocks,
            "unit": self.unit,
            "whole": all(value is None or value == int(value) for one in columns for value in one),
            "shaded": [
                one.timestamp()
                for one in moments
                if self.by == "day" and one.weekday() > 4 and len(moments) <= _SHADED
            ],
            "open": self._today(),
            "series": [
                {"label": one.label, "values": values, "shape": one.shape}
                for one, values in zip(self.series, columns, strict=True)
            ],
            "bands": [
                {
                    "level": band.level,
                    "word": str(self.words[band.level]),
                    "from": band.lower,
                    "to": band.upper,
                }
                for band in self.bands
            ],
            "group": self.group,
            "follow": self.follow,
        }

    @cached_property
    def rows(self) -> list[ChartRow]:
        """Returns the figures for the table."""
        return [
            ChartRow(moment, self.named(moment), list(self._cells(at)), self._url(moment))
            for at, moment in enumerate(self.moments)
        ]

    @cached_property
    def description(self) -> str:
        """Returns a description of the chart, in a sentence for people who do not see it."""
        return self.sentence or " ".join(self._extremes())

    def named(self, moment: datetime) -> str:
        """Returns a moment in the viewer's zone, with the zone's own name for the time if that
        changes within the chart."""
        local = moment if self.by == "day" else timezone.localtime(aware(moment))
        shape = _("D j M") if self.by == "day" else _("j M, H:i")
        return formatted(local, f"{shape} T" if self._changes_clocks else shape)

    def _drawn(self, moment: datetime) -> datetime:
        """Returns the moment's place in the plot: days at midnight in UTC, all equally wide."""
        if self.by == "day":
            return datetime(moment.year, moment.month, moment.day, tzinfo=UTC)
        return aware(moment)

    def _today(self) -> float | None:
        """Returns the place of the day that is not over, if days are shown."""
        if self.by != "day" or not self.moments:
            return None
        return self._drawn(clock.now().astimezone(self.moments[0].tzinfo)).timestamp()

    @cached_property
    def _changes_clocks(self) -> bool:
        if self.by != "minute":
            return False
        return len({timezone.localtime(aware(moment)).utcoffset() for moment in self.moments}) > 1

    def _with_breaks(
        self, seconds: list[float], columns: list[list[float | None]]
    ) -> tuple[list[float], list[list[float | None]]]:
        """Adds a moment without values in the middle of each stretch without measurements."""
        if not self.every:
            return seconds, columns
        most = 2 * self.every.total_seconds()
        after = [at for at, (one, other) in enumerate(pairwise(seconds)) if other - one > most]
        for at in reversed(after):
            seconds.insert(at + 1, (seconds[at] + seconds[at + 1]) / 2)
            for column in columns:
                column.insert(at + 1, None)
        return seconds, columns

    def _cells(self, at: int) -> Iterator[ChartCell]:
        for one in self.series:
            value = _read(one.values[at])
            text = one.texts[at] if one.texts else self.shown(value)
            level = level_of(self.bands, value)
            yield ChartCell(text or _NONE, level, self.words[level] if level else "")

    def shown(self, value: float | None) -> str:
        if value is None:
            return ""
        digits = number(value, 2).rstrip("0").rstrip(".,")
        return f"{digits} {self.unit}".strip()

    def _url(self, moment: datetime) -> str:
        at = aware(moment).astimezone(timezone.get_fixed_timezone(0))
        return self.follow.replace("{at}", f"{at:%Y-%m-%dT%H:%M:%S}Z") if self.follow else ""

    def _extremes(self) -> Iterator[str]:
        if not self.has_values:
            yield _("There are no values.")
            return
        places = [at for at in range(len(self.moments)) if self._has_value(at)]
        first, last = self.moments[places[0]], self.moments[places[-1]]
        span = self.named(first)
        if first != last:
            span = _("%(first)s to %(last)s") % {"first": span, "last": self.named(last)}
        yield f"{span} ({self.zone})."
        for one in self.series:
            yield self._extremes_of(one)

    def _has_value(self, at: int) -> bool:
        return any(_read(one.values[at]) is not None for one in self.series)

    def _extremes_of(self, one: Series) -> str:
        values = [value for value in map(_read, one.values) if value is not None]
        if not values:
            return _("%(label)s: no values.") % {"label": one.label}
        low, high = min(values), max(values)
        text = f"{one.label}: {self.shown(low)}"
        if low != high:
            text = _("%(label)s: %(low)s to %(high)s, last %(last)s") % {
                "label": one.label,
                "low": self.shown(low),
                "high": self.shown(high),
                "last": self.shown(values[-1]),
            }
        levels = [level_of(self.bands, value) for value in values]
        for level in ("fair", "poor"):
            if count := levels.count(level):
                figures = {"count": count, "total": len(values), "level": self.words[level].lower()}
                text += ", " + _("%(level)s %(count)s of %(total)s") % figures
        return f"{text}."


def _read(value: float | None) -> float | None:
    """No chart shows what is not a number."""
    return value if value is not None and isfinite(value) else None


@dataclass(frozen=True)
class Sparkline:
    """A small curve without axes: values at equal distances, from the lowest of them to the
    highest; `from_zero` instead, with some room above, if their changes would look too large."""

    values: Sequence[float]
    from_zero: bool = False

    @property
    def line(self) -> str:
        """Returns the points of an SVG line; empty if there are too few."""
        if len(self.values) < _FEWEST:
            return ""
        low, high = min(self.values), max(self.values)
        if self.from_zero:
            low, high = 0, high * 1.2
        step, scale = _WIDTH / (len(self.values) - 1), (_HEIGHT - 4) / ((high - low) or 1)
        return " ".join(
            f"{number * step:.1f},{_HEIGHT - 2 - (value - low) * scale:.1f}"
            for number, value in enumerate(self.values)
        )

    @property
    def area(self) -> str:
        """Returns the area below the line, as the points of an SVG polygon."""
        return f"0,{_HEIGHT} {self.line} {_WIDTH},{_HEIGHT}"
