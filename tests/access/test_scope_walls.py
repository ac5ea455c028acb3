"""Records of an account are asked for within a scope, and code that takes all of them says why."""

import ast
import re
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest

from portal.access.http import Origin
from portal.access.scope import NotWhole
from portal.connections.api import api_for
from portal.jobs import services
from portal.jobs.models import JobState
from portal.reports.models import StoredRow
from portal.reports.services import fetching
from portal.reports.services.fetching import JOB, ReportWindow
from portal.reports.services.sources import HOSTS
from portal.reports.windows import Span
from tests.support.scopes import narrow
from tests.support.shares import share_with

ROOT = Path(__file__).parents[2]
# What belongs to an account and is kept here.
KEPT = {
    "AuditEntry",
    "Job",
    "StoredReport",
    "StoredRow",
    "StoredWindow",
    "Membership",
    "MirroredGroup",
    "MirroredRecording",
    "MirroredSession",
    "MirroredUser",
    "SavedReport",
}
# Functions that take limits of other things: of a service's pace, and of a file.
OTHER_LIMITS = {
    "portal/connections/rate_limits.py": ["__init__"],
    "portal/imports/sheets/__init__.py": ["read"],
}
# What takes the whole, and what asks without a scope: each place with its reason.
_LISTED = (ROOT / "docs/scope.md").read_text().partition("## Places that ask without a scope")
_ROW = re.compile(r"(?m)^\| `([^`]+)` \| (.+) \|$")
WHOLE, WITHOUT = {*_ROW.findall(_LISTED[0])}, dict(_ROW.findall(_LISTED[2]))


@cache
def _trees():
    """Returns the syntax of each module, by its path."""
    return {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text())
        for path in sorted((ROOT / "portal").rglob("*.py"))
        if not {"sandbox", "migrations"} & set(path.parts)
    }


def _defaults(tree):
    """Yields the functions that go on without a scope where none is given, or without limits."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            taken = node.args
            last = [*taken.posonlyargs, *taken.args][::-1]
            given = [*zip(last, taken.defaults[::-1], strict=False)]
            given += zip(taken.kwonlyargs, taken.kw_defaults, strict=True)
            for each, default in given:
                said = ast.unparse(each.annotation) if each.annotation else ""
                if default is not None and ("Scope" in said.split(" | ") or each.arg == "limits"):
                    yield node.name


def _whole(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Scope.whole":
            reason = node.args[1] if len(node.args) > 1 else None
            yield reason.value if isinstance(reason, ast.Constant) else ""


def _without(tree):
    """The functions that ask for such rows, and neither take a scope nor have one."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            asked = {
                node.value.id
                for node in ast.walk(function)
                if isinstance(node, ast.Attribute)
                and node.attr == "objects"
                and isinstance(node.value, ast.Name)
            }
            names = {each.id for each in ast.walk(function) if isinstance(each, ast.Name)}
            names |= {each.attr for each in ast.walk(function) if isinstance(each, ast.Attribute)}
            names |= {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}
            if asked & KEPT and not names & {"scope", "scopes", "_scope", "scope_of"}:
                yield function.name


def test_what_takes_whole_of_account_is_listed_with_its_reason():
    assert WHOLE
    assert {(name, why) for name, tree in _trees().items() for why in _whole(tree)} == WHOLE


def test_what_is_kept_of_an_account_is_asked_for_within_a_scope():
    """A module that has come to take one leaves the list of those without."""
    found = {name: list(_without(tree)) for name, tree in _trees().items()}
    without = {name: functions for name, functions in found.items() if functions}
    assert {name: each for name, each in without.items() if name not in WITHOUT} == {}
    assert WITHOUT.keys() - without.keys() == set()


@pytest.mark.django_db
def test_nothing_narrowed_is_kept_for_all(connection, operator, work):
    today = datetime.now(UTC).date()
    wanted = ReportWindow(HOSTS, Span(today, today))
    api = api_for(narrow(connection, departments=frozenset({"Sales"})))
    with pytest.raises(NotWhole):
        fetching.read_window(connection, api, wanted, "a test")
    share_with(connection, operator, departments=["Sales"])
    data = {"about": wanted.about, "wanted": [wanted.dumped()]}
    job = work(services.draft(Origin(operator), connection, JOB, "Read", parameters=data))
    assert job.state == JobState.UNPLANNABLE
    assert not StoredRow.objects.exists()


def test_no_function_has_a_scope_or_limits_by_default():
    found = {name: [*_defaults(tree)] for name, tree in _trees().items()}
    assert {name: some for name, some in found.items() if some} == OTHER_LIMITS
