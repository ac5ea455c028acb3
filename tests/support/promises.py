"""The promises of the product, and the tests that show them.

    pytest --promises        # prints the table, and runs nothing

`docs/security.md` has the promises of reliability and security in its table; those of the README
are phrases that stand there, by `tests/promises.toml`. A test is named by its file below `tests/`,
or by `file::test`; `make lint` is what the linters show.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_ROW = re.compile(r"^\| (?P<number>\d+) \| (?P<words>[^|]+) \| (?P<tests>[^|]+) \|$", re.MULTILINE)
_NAMED = re.compile(r"`([^`]+)`")
LINTED = "make lint"


@dataclass(frozen=True)
class Promise:
    """`tests` are files below `tests/`, folders, `file::test`, or `make lint`."""

    source: str
    words: str
    tests: tuple[str, ...]

    @property
    def shallow(self) -> tuple[str, ...]:
        """The tests that the default run has."""
        return tuple(name for name in self.tests if is_in_the_default_run(name))


def promises() -> list[Promise]:
    return [*_of_security(), *_of_readme()]


def is_in_the_default_run(name: str) -> bool:
    """Tells of a name in the table; one that is not there raises `LookupError`."""
    if name == LINTED:
        return True
    file, _, test = name.partition("::")
    path = ROOT / "tests" / file
    if path.is_dir():
        return any(is_in_the_default_run(each) for each in _files_in(path))
    shallow, deep = _tests_of(path)
    if not shallow | deep or (test and test not in shallow | deep):
        raise LookupError(f"There is no test {name}.")
    return test in shallow if test else bool(shallow)


def _files_in(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("**/test_*.py")):
        yield path.relative_to(ROOT / "tests").as_posix()


@cache
def _tests_of(path: Path) -> tuple[frozenset[str], frozenset[str]]:
    """The names of a module's tests: those of the default run, and the deep ones."""
    shallow: set[str] = set()
    deep: set[str] = set()
    is_deep = False
    for node in ast.parse(path.read_text()).body if path.exists() else ():
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            marks = {ast.unparse(each) for each in node.decorator_list}
            (deep if "pytest.mark.deep" in marks else shallow).add(node.name)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
            is_deep = "pytest.mark.deep" in ast.unparse(node.value)
    everything = frozenset(shallow | deep)
    return (frozenset(), everything) if is_deep else (frozenset(shallow), frozenset(deep))


def _of_security() -> Iterator[Promise]:
    table = (ROOT / "docs" / "security.md").read_text().split("\n## ")[0]
    for row in _ROW.finditer(table):
        words, named = row["words"].strip(), tuple(_NAMED.findall(row["tests"]))
        if named:
            tests = tuple(name for name in named if ".py" in name or name in (LINTED, "approvals/"))
            yield Promise(f"security {row['number']}", words, tests)


def _of_readme() -> Iterator[Promise]:
    table = tomllib.loads((ROOT / "tests" / "promises.toml").read_text())
    for section, rows in table.items():
        for words, tests in rows.items():
            yield Promise(f"README: {section}", words, tuple(tests))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--promises", action="store_true", help="print promises and their tests")


def pytest_cmdline_main(config: pytest.Config) -> int | None:
    if not config.getoption("--promises"):
        return None
    for promise in promises():
        print(f"{promise.source}: {promise.words}")  # noqa: T201
        for name in promise.tests:
            depth = "" if name in promise.shallow else "   (deep)"
            print(f"    {name}{depth}")  # noqa: T201
    return 0
