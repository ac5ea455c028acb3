"""The figures as a table for people, and as data."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median

from bench.load import Figures, Workload
from bench.workloads import AIMS

STARTUP_AIM = 2.0
MEMORY_AIM = 250.0


@dataclass(frozen=True)
class Measured:
    """The best round of each workload; a workload that a server has not got is not there."""

    figures: Mapping[str, Figures]
    startups: Sequence[float]
    pss_mb: float
    rss_mb: float


def best(rounds: Sequence[Figures]) -> Figures:
    """The round that other programs on the machine disturbed least."""
    return max(rounds, key=lambda each: each.rps)


def lines(
    workloads: Sequence[Workload], sandbox: Measured, prism: Measured | None
) -> Iterator[str]:
    columns = ("", "req/s", "p50 ms", "p99 ms", "Prism req/s", "p50 ms", "p99 ms", "ratio", "aim")
    yield _row(columns)
    for each in workloads:
        yield _row((each.title, *_compared(each.name, sandbox, prism)))
    yield ""
    yield _line("Start on existing data", _seconds(sandbox), f"aim {STARTUP_AIM} s")
    shared = f"{sandbox.pss_mb} MB ({sandbox.rss_mb} MB with shared pages counted each time)"
    yield _line("Memory of all processes", shared, f"aim {MEMORY_AIM:.0f} MB")
    if prism:
        yield _line("Prism", f"starts in {_seconds(prism)}", f"{prism.pss_mb} MB")
    yield ""


def figures_of(
    workloads: Sequence[Workload], sandbox: Measured, prism: Measured | None
) -> dict[str, object]:
    """Returns the figures by workload, those of the processes, and the ratios to the mock."""
    data: dict[str, object] = {**_figures(workloads, sandbox), **_process("server_mb", sandbox)}
    if prism:
        data["prism"] = {**_figures(workloads, prism), **_process("server_mb", prism)}
    ratios = {name: _ratio(name, sandbox, prism) for name in AIMS}
    return {**data, "ratios": {name: ratio for name, ratio in ratios.items() if ratio is not None}}


def _ratio(name: str, sandbox: Measured, prism: Measured | None) -> float | None:
    aim = AIMS.get(name)
    mine = sandbox.figures.get(name)
    against = prism.figures.get(aim.of if aim else name) if prism else None
    return mine.rps / against.rps if mine and against else None


def _compared(name: str, sandbox: Measured, prism: Measured | None) -> Iterator[str]:
    mine = sandbox.figures.get(name)
    mocked = prism.figures.get(name) if prism else None
    yield from _cells(mine)
    yield from _cells(mocked)
    aim = AIMS.get(name)
    ratio = _ratio(name, sandbox, prism)
    if ratio is None:
        yield from ("-", f"{aim.share:g}" if aim else "")
        return
    yield f"{ratio:.2f}"
    yield f"{aim.share:g} {'met' if ratio >= aim.share else 'missed'}" if aim else ""


def _cells(figures: Figures | None) -> tuple[str, str, str]:
    if figures is None:
        return "-", "-", "-"
    return f"{figures.rps:.0f}", f"{figures.p50_ms:.1f}", f"{figures.p99_ms:.1f}"


def _row(cells: Sequence[str]) -> str:
    first, *others = cells
    return f"{first:<28}" + "".join(f"{each:>12}" for each in others)


def _line(*parts: str) -> str:
    first, *others = parts
    return f"{first:<28}" + ", ".join(others)


def _seconds(measured: Measured) -> str:
    return f"{median(measured.startups)} s"


def _figures(workloads: Sequence[Workload], measured: Measured) -> dict[str, object]:
    found = measured.figures
    return {one.name: asdict(found[one.name]) if one.name in found else None for one in workloads}


def _process(name: str, measured: Measured) -> dict[str, float]:
    return {
        name: measured.pss_mb,
        "server_rss_mb": measured.rss_mb,
        "startup_seconds": median(measured.startups),
    }
