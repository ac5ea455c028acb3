"""Names and lines that `bench/` takes from the portal exist: benches run seldom. They are listed,
take turns in CI, and hold their figures against their aims."""

import ast
import re
from datetime import date, timedelta
from importlib import import_module
from pathlib import Path

import pytest

from bench.__main__ import BENCHES
from bench.command import Aim, Options
from bench.planted_faults import FAULTS, ROOT
from tests.rotation import benches_of
from tests.support.cases import for_each

BENCH = Path(__file__).resolve().parents[2] / "bench"


def imported(source):
    """The modules of the portal that a benchmark imports from, within functions too, and names."""
    for node in ast.walk(ast.parse(source.read_text())):
        module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
        # What starts the program would set it up once more.
        if module.startswith("portal.") and module != "portal.config.wsgi":
            names = (alias.name for alias in node.names if alias.name != "*")
            yield from ((module, name) for name in names)


@for_each("source", sorted(BENCH.glob("*.py")), ids=lambda path: path.stem)
def test_what_a_benchmark_imports_is_there(source):
    missing = []
    for module, name in imported(source):
        found = import_module(module)
        if not hasattr(found, name):
            try:
                import_module(f"{module}.{name}")
            except ModuleNotFoundError:
                missing.append(f"{module}.{name}")
    assert missing == []


def test_each_planted_fault_has_its_place_in_the_code():
    missing = [one.what for one in FAULTS if one.before not in (ROOT / one.path).read_text()]
    assert missing == []


def test_make_bench_runs_every_bench_of_the_makefile():
    targets = re.findall(r"^bench-([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(targets) - {"smoke"} == BENCHES.keys()


def test_each_bench_has_its_smoke_form_once_a_week():
    days = [date(2026, 12, 28) + timedelta(days=number) for number in range(7)]
    turns = [benches_of(day, []) for day in days]
    assert sorted(name for turn in turns for name in turn) == sorted(BENCHES)
    assert max(map(len, turns)) <= 3


def test_changed_bench_has_its_smoke_form_on_that_day():
    for day in (date(2026, 12, 28), date(2026, 12, 29)):
        assert "webhooks" in benches_of(day, [Path("bench/webhooks.py")])


def test_smoke_form_has_its_own_values_unless_they_are_named(monkeypatch):
    monkeypatch.setattr("sys.argv", ["bench", "--smoke", "--rows=7"])
    options = Options("lists", None, rows=1, times=2)
    options.add_argument("--rows", type=int, default=50_000)
    options.add_argument("--times", type=int, default=40)
    given = options.given()
    assert (given.rows, given.times) == (7, 2)


@pytest.mark.parametrize(
    ("aim", "measured", "verdict"),
    [
        (Aim("p95", "pages/*/ms", 100, at_most=True), 120, "missed"),
        (Aim("p95", "pages/people/ms", 100, at_most=True), 80, "met"),
        (Aim("ratio", "ratio", 15), 16, "met"),
        (Aim("ratio", "elsewhere", 15), None, "not measured"),
    ],
)
def test_worst_figure_is_held_against_the_aim(aim, measured, verdict):
    figures = {"pages": {"people": {"ms": 80}, "audit": {"ms": 120}}, "ratio": 16}
    result = aim.verdict(figures)
    assert (result.measured, result.verdict) == (measured, verdict)
