"""Names and lines that `bench/` takes from the portal exist: benchmarks run seldom."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from bench.planted_faults import FAULTS, ROOT

BENCH = Path(__file__).resolve().parents[2] / "bench"


def imported(source: Path) -> Iterator[tuple[str, str]]:
    """The modules of the portal that a benchmark imports from, within functions too, and names."""
    for node in ast.walk(ast.parse(source.read_text())):
        module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
        # What starts the program would set it up once more.
        if module.startswith("portal.") and module != "portal.config.wsgi":
            names = (alias.name for alias in node.names if alias.name != "*")
            yield from ((module, name) for name in names)


@pytest.mark.parametrize("source", sorted(BENCH.glob("*.py")), ids=lambda path: path.stem)
def test_what_a_benchmark_imports_is_there(source: Path):
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
