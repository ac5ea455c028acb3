"""A small curve without axes, whose points the server writes as SVG takes them."""

from collections.abc import Sequence
from dataclasses import dataclass

_WIDTH, _HEIGHT = 240, 36  # in its own units
_FEWEST = 5  # points: fewer say nothing


@dataclass(frozen=True)
class Sparkline:
    """Values at equal distances, from the lowest of them to the highest; `from_zero` instead, with
    some room above, where their changes would look larger than they are."""

    values: Sequence[float]
    from_zero: bool = False

    @property
    def line(self) -> str:
        """The points of an SVG line; empty where there are too few."""
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
