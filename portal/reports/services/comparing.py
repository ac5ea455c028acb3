"""Compares a period with the one before: totals, and the change in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from portal.translation import gettext as _
from portal.translation import number
from portal.ui.numbers import size_in_words

Unit = Literal["", "minutes", "GB", "money"]


@dataclass(frozen=True)
class Total:
    """A total; None where it is unknown."""

    label: str
    value: float | None
    unit: Unit = ""


@dataclass(frozen=True)
class Figure:
    """A total as the page shows it, with how it compares, where that was asked for."""

    label: str
    text: str
    earlier: str = ""
    change: str = ""
    trend: str = ""

    @property
    def beside(self) -> str:
        """Returns how it compares, in short: "▲ 25 %, before: 48"."""
        before = _("before: %(earlier)s") % {"earlier": self.earlier} if self.change else ""
        return ", ".join(filter(None, [self.trend, before]))


def figures(totals: Sequence[Total], before: Sequence[Total] | None = None) -> list[Figure]:
    """Totals in words, each beside what it was in the period before."""
    earlier = {total.label: total for total in before or ()}
    return [_figure(total, earlier.get(total.label), before is not None) for total in totals]


def shown(value: float | None, unit: Unit) -> str:
    """A number with its unit, as people write it."""
    if value is None:
        return _("Unknown")
    if unit == "minutes":
        hours, minutes = divmod(round(value), 60)
        return f"{number(hours)} h {minutes:02} min" if hours else f"{minutes} min"
    if unit == "GB":
        return size_in_words(value * 1e9)
    return number(value, 2 if unit == "money" else 0)


def _figure(total: Total, earlier: Total | None, is_compared: bool) -> Figure:
    text = shown(total.value, total.unit)
    if not is_compared:
        return Figure(total.label, text)
    before = earlier.value if earlier else None
    change = change_in_words(total, before)
    return Figure(total.label, text, shown(before, total.unit), change, _trend(total, before))


def _trend(total: Total, before: float | None) -> str:
    """As in "▲ 25 %"; empty where there is no change that can be said so."""
    if total.value is None or not before or not round((total.value / before - 1) * 100):
        return ""
    percent = round((total.value / before - 1) * 100)
    return f"{'▲' if percent > 0 else '▼'} {number(abs(percent))} %"


def change_in_words(total: Total, before: float | None) -> str:
    """As in "12 more (25 %)"; of an unknown number nothing can be said."""
    if total.value is None or before is None:
        return _("Cannot be compared")
    change = total.value - before
    if not change:
        return _("No change")
    words = _("%(amount)s more") if change > 0 else _("%(amount)s less")
    said = words % {"amount": shown(abs(change), total.unit)}
    if not before:
        return said
    percent = abs(change) * 100 / abs(before)
    if percent < 1:
        return _("%(change)s (under 1 %%)") % {"change": said}
    return f"{said} ({number(percent)} %)"
