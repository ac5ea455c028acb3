"""The programs that tests hold as text, for processes of their own, import what exists.

Most of them run in deep tests, so that a renamed class would be noticed days later.
"""

import ast
import re
from functools import cache
from textwrap import dedent

from tests.support.promises import ROOT

_OURS = {"portal", "tests", "bench"}
# Few files hold a program: the others need no parsing.
_HOLDS_ONE = re.compile(
    r'(?s)[=(,\[{:]\s*[rf]*"(?:""(?:(?!""").)*?\n)?\s*(?:from|import) (?:portal|tests|bench)\b'
)


def _programs():
    for path in sorted((*ROOT.glob("tests/**/*.py"), *ROOT.glob("bench/*.py"))):
        text = path.read_text()
        if not _HOLDS_ONE.search(text):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and "import" in str(node.value):
                try:
                    yield path, ast.parse(dedent(str(node.value)))
                except SyntaxError:  # a sentence, a shell's line or a template
                    continue


@cache
def _names_of(module):
    """Returns the names that a module binds, and the modules of a package."""
    path = ROOT.joinpath(*module.split("."))
    source = path.with_suffix(".py")
    names: set[str] = set()
    if not source.exists():
        source = path / "__init__.py"
        names = {one.stem for one in path.glob("*")}
    for node in ast.walk(ast.parse(source.read_text())) if source.exists() else ():
        match node:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                names.add(node.name)
            case ast.Name(ctx=ast.Store()):
                names.add(node.id)
            case ast.Import() | ast.ImportFrom():
                names |= {alias.asname or alias.name.split(".")[0] for alias in node.names}
    return names


def _missing(program):
    for node in ast.walk(program):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in _OURS:
            names = _names_of(str(node.module))
            yield from (f"{node.module}.{one.name}" for one in node.names if one.name not in names)


def test_programs_of_tests_import_names_that_exist():
    programs = list(_programs())
    assert len(programs) > 20
    missing = [(path.name, name) for path, program in programs for name in _missing(program)]
    assert missing == []
