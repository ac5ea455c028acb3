"""A form says what is wanted, and asks the service for nothing: plans read what is true then."""

import ast
import inspect
from importlib import import_module
from types import ModuleType

from tests.support.promises import ROOT

_ASKING = {"api", "api_for"}


def _modules():
    for path in (ROOT / "portal").rglob("*.py"):
        text = path.read_text()
        if "Form" in text and not {"sandbox", "migrations"} & set(path.parts):
            name = path.relative_to(ROOT).with_suffix("").as_posix()
            yield name.replace("/", ".").removesuffix(".__init__"), ast.parse(text)


def _asks(tree):
    names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    names |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return bool(names & _ASKING)


def _forms(tree):
    """Yields the forms of a module, and the functions of its views that make jobs of them."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        bases = [ast.unparse(base).partition("[")[0] for base in node.bases]
        if node.name.endswith("Form") or any(base.endswith("Form") for base in bases):
            yield node.name, node
        for each in node.body:
            returns = each.returns if isinstance(each, ast.FunctionDef) else None
            if returns and ast.unparse(returns).partition(" ")[0] in ("Draft", "Job"):
                yield f"{node.name}.{each.name}", each


def _takes_api(function):
    if not inspect.isfunction(function):
        return False
    taken = inspect.signature(function).parameters.values()
    return any("Api" in str(each.annotation) for each in taken)


def _called(name, tree):
    """Yields the functions that a module imports, or calls of a module, and that take an `Api`."""
    module = import_module(name)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for each in node.names:
                if _takes_api(getattr(module, each.asname or each.name, None)):
                    yield each.name
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            of = getattr(module, node.value.id, None)
            if isinstance(of, ModuleType) and _takes_api(getattr(of, node.attr, None)):
                yield f"{node.value.id}.{node.attr}"


def test_forms_and_drafts_of_jobs_make_no_call():
    found = {
        f"{name}: {form}" for name, tree in _modules() for form, node in _forms(tree) if _asks(node)
    }
    assert found == set()


def test_modules_of_forms_know_no_function_that_asks_the_service():
    found = {
        f"{name}: {function}"
        for name, tree in _modules()
        if {"forms", "chosen"} & set(name.split("."))
        for function in _called(name, tree)
    }
    assert found == set()
