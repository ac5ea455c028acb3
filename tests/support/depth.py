"""Which tests a run has: the default ones keep each promise once, at the least cost.

    pytest                                  # the default run
    pytest --all                            # that and the deep tests
    pytest tests/jobs/test_crashes.py       # a file that is named runs, deep or not
    pytest --also="tests/jobs/test_crashes.py …"    # these beside the default ones

A module is deep that says `pytestmark = pytest.mark.deep`, and a single test under
`@pytest.mark.deep`: it shows what the default run has shown already, over more cases, in more
processes or in a browser.
"""

import re
from pathlib import Path

import pytest

_IS_DEEP = re.compile(r"^pytestmark = .*\bpytest\.mark\.deep\b", re.MULTILINE)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run the deep tests too")
    parser.addoption("--also", default="", metavar="FILES", help="run these deep files too")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves out modules that are deep as a whole: importing them costs each process seconds."""
    if collection_path.suffix != ".py" or config.getoption("--all"):
        return None
    if collection_path in _named_files(config):
        return None
    return bool(_IS_DEEP.search(collection_path.read_text())) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--all"):
        return
    named = _named_files(config)
    deep = [item for item in items if item.get_closest_marker("deep") and item.path not in named]
    if deep:
        config.hook.pytest_deselected(items=deep)
        items[:] = [item for item in items if item not in set(deep)]


def _named_files(config: pytest.Config) -> set[Path]:
    """The files that the command names, by themselves or by one of their tests."""
    names = [arg.partition("::")[0] for arg in config.args] + config.getoption("--also").split()
    paths = (Path(config.invocation_params.dir, name) for name in names)
    return {path.resolve() for path in paths if path.is_file()}
