"""The figures of one participant's streams, of all that was measured of them in a session."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean

from portal.dashboards.models import MeasuredStream
from portal.dashboards.services.session.measures import (
    MEDIA,
    RECEIVED,
    SENT,
    Content,
    MeasuredMedium,
)

COMPUTER = "computer"
FIGURES = ("latency", "jitter", "loss", "bitrate", "frame_rate", "resolution")
STREAMS = tuple(one for one in MEDIA if one.name != COMPUTER)
_PROCESSOR = next(one for one in MEDIA if one.name == COMPUTER).measures[0]


@dataclass(frozen=True)
class Figures:
    """`values` are averages over what was measured, by the names of `FIGURES`."""

    medium: str
    is_sent: bool
    values: Mapping[str, float | None]

    def row(self) -> MeasuredStream:
        return MeasuredStream(medium=self.medium, is_sent=self.is_sent, **self.values)


def figures_of(contents: Iterable[Content]) -> list[Figures]:
    """A stream for each medium of which something can be read, sent and received."""
    samples = list(contents)
    return [
        Figures(medium.name, side == SENT, values)
        for medium in STREAMS
        for side in (RECEIVED, SENT)
        for values in [dict(_values(medium, side, samples))]
        if any(value is not None for value in values.values())
    ]


def processor_of(contents: Iterable[Content]) -> float | None:
    """Returns the load of the computer, in per cent."""
    samples = list(contents)
    lines = [line for line in _PROCESSOR.lines if line.is_judged]
    return _average(_PROCESSOR.value(one, line) for one in samples for line in lines)


def _values(
    medium: MeasuredMedium, side: str, samples: list[Content]
) -> Iterator[tuple[str, float | None]]:
    for measure in medium.measures:
        line = next(
            line
            for line in measure.lines
            if line.is_judged and line.label.partition(",")[0] == side
        )
        yield measure.name, _average(measure.value(one, line) for one in samples)


def _average(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
