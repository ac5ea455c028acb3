"""Measures of a connection, stream by stream, and their thresholds of good, fair and poor."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from portal.dashboards.services.measurements import Quantity, read
from portal.mirror.values import text
from portal.translation import gettext_lazy, within
from portal.ui.charts import WORDS, Band, Level, falling, level_of, rising

Content = Mapping[str, Mapping[str, str]]  # the parts of a sample, by the interface's names
RECEIVED, SENT = gettext_lazy("Received"), gettext_lazy("Sent")


@dataclass(frozen=True)
class MeasureLimit:
    """The values at which a measure stops being good, and at which it is poor; `is_worse_up` is the
    direction.

    `fair` and `poor` are in `unit`, as the page shows them.
    """

    name: str
    title: str
    unit: str
    fair: float
    poor: float
    is_worse_up: bool = True


LIMITS = (
    MeasureLimit("latency", gettext_lazy("Latency"), "ms", 150, 300),
    MeasureLimit("jitter", gettext_lazy("Jitter"), "ms", 20, 40),
    MeasureLimit("loss", gettext_lazy("Packet loss"), "%", 1, 3),
    MeasureLimit("audio_bitrate", gettext_lazy("Audio bitrate"), "kbps", 20, 12, is_worse_up=False),
    MeasureLimit(
        "video_bitrate", gettext_lazy("Video bitrate"), "kbps", 300, 150, is_worse_up=False
    ),
    MeasureLimit(
        "video_frame_rate", gettext_lazy("Video frame rate"), "fps", 15, 8, is_worse_up=False
    ),
    MeasureLimit(
        "video_resolution",
        gettext_lazy("Video resolution"),
        gettext_lazy("lines"),
        360,
        180,
        is_worse_up=False,
    ),
    MeasureLimit(
        "sharing_frame_rate", gettext_lazy("Sharing frame rate"), "fps", 3, 1, is_worse_up=False
    ),
    MeasureLimit("cpu", gettext_lazy("Processor use"), "%", 80, 95),
)
# The begin of fair and of poor, by the name of a limit. A measure that is left out is not judged.
Thresholds = Mapping[str, tuple[float, float]]
DEFAULTS: Thresholds = {one.name: (one.fair, one.poor) for one in LIMITS}
_BY_NAME = {one.name: one for one in LIMITS}


@dataclass(frozen=True)
class MeasureLine:
    """One series of a measure, by its place in a sample. Not all of them are judged."""

    label: str
    section: str
    field: str
    is_judged: bool = True


@dataclass(frozen=True)
class Measure:
    """A measure of one medium; `divisor` converts the base unit to the shown one."""

    name: str
    title: str
    quantity: Quantity
    unit: str
    limit: str
    lines: Sequence[MeasureLine]
    divisor: float = 1

    @property
    def is_worse_up(self) -> bool:
        return bool(self.limit) and _BY_NAME[self.limit].is_worse_up

    def value(self, content: Content, line: MeasureLine) -> float | None:
        number = read(self.quantity, _text(content, line))
        return None if number is None else number / self.divisor

    def text(self, content: Content, line: MeasureLine) -> str:
        """Returns the text that the service wrote; a size with a sign of multiplication."""
        words = _text(content, line)
        return (
            words.replace("*", " \N{MULTIPLICATION SIGN} ")
            if self.quantity is Quantity.SIZE
            else words
        )


def _text(content: Content, line: MeasureLine) -> str:
    return (content.get(line.section) or {}).get(line.field) or ""


@dataclass(frozen=True)
class MeasuredMedium:
    name: str
    title: str
    measures: Sequence[Measure]


def _both(prefix: str, field: str) -> tuple[MeasureLine, MeasureLine]:
    return MeasureLine(RECEIVED, f"{prefix}_input", field), MeasureLine(
        SENT, f"{prefix}_output", field
    )


def _loss(prefix: str) -> tuple[MeasureLine, ...]:
    into, out = f"{prefix}_input", f"{prefix}_output"
    return (
        MeasureLine(gettext_lazy("Received, average"), into, "avg_loss"),
        MeasureLine(gettext_lazy("Sent, average"), out, "avg_loss"),
        MeasureLine(gettext_lazy("Received, greatest"), into, "max_loss", is_judged=False),
        MeasureLine(gettext_lazy("Sent, greatest"), out, "max_loss", is_judged=False),
    )


def _medium(name: str, title: str, prefix: str, *, has_picture: bool = True) -> MeasuredMedium:
    def of(
        measure: str,
        title: str,
        quantity: Quantity,
        unit: str,
        *,
        lines: Sequence[MeasureLine] = (),
        divisor: float = 1,
    ) -> Measure:
        # The limit of a measure is its own for a medium, or that of all media, or there is none.
        limit = next((one for one in (f"{name}_{measure}", measure) if one in _BY_NAME), "")
        both = lines or _both(prefix, measure)
        return Measure(measure, title, quantity, unit, limit, both, divisor)

    measures = [
        of("latency", gettext_lazy("Latency"), Quantity.TIME, "ms"),
        of("jitter", gettext_lazy("Jitter"), Quantity.TIME, "ms"),
        of("loss", gettext_lazy("Packet loss"), Quantity.SHARE, "%", lines=_loss(prefix)),
        of("bitrate", gettext_lazy("Bitrate"), Quantity.BITRATE, "kbps", divisor=1000),
    ]
    if has_picture:
        measures += [
            of("frame_rate", gettext_lazy("Frame rate"), Quantity.RATE, "fps"),
            of("resolution", gettext_lazy("Resolution"), Quantity.SIZE, gettext_lazy("lines")),
        ]
    return MeasuredMedium(name, title, measures)


_CPU = Measure(
    "cpu",
    gettext_lazy("Processor use"),
    Quantity.SHARE,
    "%",
    "cpu",
    (
        MeasureLine(
            gettext_lazy("Client, average"), "cpu_usage", "conf_avg_cpu_usage", is_judged=False
        ),
        MeasureLine(
            gettext_lazy("Client, most"), "cpu_usage", "conf_max_cpu_usage", is_judged=False
        ),
        MeasureLine(gettext_lazy("Computer, most"), "cpu_usage", "system_max_cpu_usage"),
        MeasureLine(
            gettext_lazy("Client, least"), "cpu_usage", "conf_min_cpu_usage", is_judged=False
        ),
    ),
)
MEDIA = (
    _medium("audio", gettext_lazy("Audio"), "audio", has_picture=False),
    _medium("video", gettext_lazy("Video"), "video"),
    _medium("sharing", gettext_lazy("Screen sharing"), "as"),
    MeasuredMedium("computer", gettext_lazy("Computer"), (_CPU,)),
)
SECTIONS = tuple(
    dict.fromkeys(line.section for each in MEDIA for one in each.measures for line in one.lines)
)
_OF_MEDIUM = frozenset({"bitrate", "frame_rate", "resolution"})
RANK: dict[Level, int] = {"good": 0, "fair": 1, "poor": 2}


def bands(thresholds: Thresholds, measure: Measure) -> tuple[Band, ...]:
    """Returns the bands of a measure; none if it is not judged."""
    if measure.limit not in thresholds:
        return ()
    fair, poor = thresholds[measure.limit]
    return rising(fair, poor) if measure.is_worse_up else falling(fair, poor)


@dataclass(frozen=True)
class Worst:
    """The worst value of a measure in a sample, as the service wrote it; with the title of its
    medium if the measure is given by medium."""

    text: str
    level: Level | None
    medium: str = ""

    @property
    def word(self) -> str:
        return within(WORDS[self.level]) if self.level else ""


def worst_of(content: Content, name: str, thresholds: Thresholds) -> list[Worst]:
    """Returns the worst of sent and received; empty if no value of the measure is readable.

    For latency, jitter and loss it is the worst of all media. A bitrate that is low for video is
    high for audio, so bitrate and the like are given by medium.
    """
    by_title: dict[str, tuple[int, float, Worst]] = {}
    for medium in MEDIA:
        for measure in medium.measures:
            if measure.name != name:
                continue
            title = medium.title if name in _OF_MEDIUM else ""
            for worst in _judged(content, measure, thresholds, title):
                before = by_title.get(title)
                by_title[title] = max(before, worst, key=lambda one: one[:2]) if before else worst
    return [worst for _, _, worst in by_title.values()]


def _judged(
    content: Content, measure: Measure, thresholds: Thresholds, title: str
) -> Iterator[tuple[int, float, Worst]]:
    """Yields the worst values of a measure with two ranks: of the level, then of the value."""
    own = bands(thresholds, measure)
    for line in measure.lines:
        value = measure.value(content, line) if line.is_judged else None
        if value is not None:
            level = level_of(own, value)
            worst = Worst(measure.text(content, line), level, title)
            yield RANK[level] if level else -1, value if measure.is_worse_up else -value, worst


def level(content: Content, thresholds: Thresholds) -> Level | None:
    """Returns the level of a sample, which is that of its worst measure."""
    return worst_level(
        level_of(bands(thresholds, measure), measure.value(content, line))
        for measure in every_measure()
        for line in measure.lines
        if line.is_judged
    )


def worst_level(levels: Iterable[Level | None]) -> Level | None:
    """Returns the worst of some levels; None if there is none."""
    return max((one for one in levels if one), key=RANK.__getitem__, default=None)


def every_measure() -> Iterator[Measure]:
    return (measure for medium in MEDIA for measure in medium.measures)


def as_content(sample: object) -> dict[str, dict[str, str]]:
    """Returns a sample of the interface as it is stored: the texts of its sections."""
    content = {}
    for section in SECTIONS:
        values = getattr(sample, section, None)
        if values is not None:
            given = values.model_dump(include=set(type(values).model_fields), warnings=False)
            content[section] = {
                name: text(value, 40)
                for name, value in given.items()
                if isinstance(value, str) and value.strip()
            }
    return {section: values for section, values in content.items() if values}
