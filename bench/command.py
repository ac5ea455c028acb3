"""What all benches have in common: options with a smoke form, aims, and a last line of JSON."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NoReturn

UNAVAILABLE = 75  # the exit code of a bench that lacks what it needs on this machine


@dataclass(frozen=True)
class Aim:
    """A figure and the value that it is to reach, or with `at_most` not to pass.

    `figure` is a path in the figures of the bench; `*` in it stands for each, the worst of which
    counts.
    """

    title: str
    figure: str
    value: float
    at_most: bool = False

    def verdict(self, figures: Mapping[str, Any]) -> "Verdict":
        values = [float(one) for one in _at(figures, self.figure.split("/")) if one is not None]
        if not values:
            return Verdict(self.title, None, self.value, None, "not measured")
        measured = max(values) if self.at_most else min(values)
        is_met = measured <= self.value if self.at_most else measured >= self.value
        ratio = round(measured / self.value, 2) if self.value else None
        return Verdict(self.title, measured, self.value, ratio, "met" if is_met else "missed")


@dataclass(frozen=True)
class Verdict:
    """An aim beside what was measured; `ratio` is measured to aim."""

    title: str
    measured: float | None
    aim: float
    ratio: float | None
    verdict: str


class Options(argparse.ArgumentParser):
    """The options of a bench. With `--smoke` those that are not named have the values of `smoke`:
    it takes seconds, and shows that the bench works, not how fast anything is."""

    def __init__(self, name: str, description: str | None, **smoke: object) -> None:
        super().__init__(prog=f"make bench-{name}", description=description)
        self._smoke = smoke
        self.add_argument("--smoke", action="store_true", help="in seconds, to see that it works")

    def given(self) -> argparse.Namespace:
        if "--smoke" in sys.argv:
            self.set_defaults(**self._smoke)
        return self.parse_args()


def say(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)  # noqa: T201


def finish(figures: Mapping[str, Any], aims: Sequence[Aim] = ()) -> None:
    """Prints the figures and the verdicts as one line of JSON, the last of the bench's output."""
    say(json.dumps({**figures, "verdicts": [asdict(aim.verdict(figures)) for aim in aims]}))


def unavailable(why: str) -> NoReturn:
    """Ends a bench that lacks what it needs on this machine."""
    print(why, file=sys.stderr, flush=True)  # noqa: T201
    raise SystemExit(UNAVAILABLE)


def _at(figures: Any, path: Sequence[str]) -> Iterator[Any]:
    if not path:
        yield figures
        return
    first, *rest = path
    if isinstance(figures, Mapping):
        for name in figures if first == "*" else [first] if first in figures else ():
            yield from _at(figures[name], rest)
