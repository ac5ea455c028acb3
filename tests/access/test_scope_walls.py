"""Records of an account are asked for within a scope, and code that takes all of them says why."""

import ast
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from portal.access.api import api_for
from portal.access.models import Connection, User
from portal.access.origin import Origin
from portal.access.scope import NotWhole
from portal.jobs import services
from portal.jobs.models import JobState
from portal.reports.models import KeptRow
from portal.reports.services import fetching
from portal.reports.services.fetching import JOB, ReportWindow
from portal.reports.services.sources import HOSTS
from portal.reports.services.windows import Span
from tests.support.jobs import Work
from tests.support.scopes import narrow
from tests.support.shares import share_with

ROOT = Path(__file__).parents[2]
MODULES = [
    path
    for path in sorted((ROOT / "portal").rglob("*.py"))
    if not {"sandbox", "migrations"} & set(path.parts)
]
# Each place that takes the whole of an account whoever looks, with the reason that it gives.
WHOLE = {
    ("portal/access/limit_forms.py", "its owner limits a share"),
    ("portal/access/limits.py", "its owner limits a share"),
    ("portal/access/undo/recorded.py", "who changed an object since, is by anybody"),
    (
        "portal/dashboards/services/live/reader.py",
        "the live picture is kept for all, and narrowed when shown",
    ),
    (
        "portal/dashboards/views/session/pages.py",
        "quality is kept for all, and narrowed when shown",
    ),
    ("portal/mirror/gaps.py", "what happened and was not reported, may be of anybody"),
    ("portal/mirror/refresh.py", "a list is copied whole, and narrowed when it is shown"),
    (
        "portal/people/services/plan_reading.py",
        "licences of all people are counted once a day",
    ),
    (
        "portal/reports/services/fetching.py",
        "reports are kept for all who share it, and narrowed when shown",
    ),
    ("portal/sessions/rereading.py", "what an event was about is read for its list"),
}
# What belongs to an account and is kept here.
KEPT = {
    "AuditEntry",
    "Job",
    "KeptReport",
    "KeptRow",
    "KeptWindow",
    "Membership",
    "MirroredGroup",
    "MirroredRecording",
    "MirroredSession",
    "MirroredUser",
    "SavedReport",
}
_CHAIN = "it keeps the trail itself, and shows none of it"
_ENGINE = "it carries jobs out, by their keys and for their owners"
_COPY = "it writes copies, which are those of all"
_ONE = "it goes on with what a job, or a row that was found within a scope, names"
_BOARD = "the board of quality is of a whole account, and no page of a part of it"
_OF_A_SHARE = "it names to an owner what runs by a share of theirs"
# Where such rows are asked for without a scope, and why that shows nobody anything.
WITHOUT = {
    "portal/access/audit/chain.py": _CHAIN,
    "portal/access/audit/guards.py": _CHAIN,
    "portal/access/audit/reading.py": "the trail is narrowed by `visible_to` and `entries_for`",
    "portal/access/audit/trail.py": _CHAIN,
    "portal/access/audit/undoings.py": "of entries that are shown, it finds what undid them",
    "portal/access/services/shares.py": "the number of an entry alone",
    "portal/account/jobs/baseline_check.py": _ENGINE,
    "portal/account/jobs/baseline_restore.py": _ENGINE,
    "portal/account/jobs/baseline_schedule.py": _ENGINE,
    "portal/dashboards/jobs/quality_reading.py": _COPY,
    "portal/dashboards/services/streams/grouping.py": _BOARD,
    "portal/dashboards/services/streams/person.py": _BOARD,
    "portal/directory/groups.py": _COPY,
    "portal/directory/memberships.py": _COPY,
    "portal/directory/users.py": _COPY,
    "portal/jobs/approval_subject.py": _ENGINE,
    "portal/jobs/dismissing.py": _ONE,
    "portal/jobs/erasing.py": _ENGINE,
    "portal/jobs/metrics.py": "it counts, and names nobody",
    "portal/jobs/planner.py": _ENGINE,
    "portal/jobs/restoring.py": _ENGINE,
    "portal/jobs/running.py": _ENGINE,
    "portal/jobs/running_by_share.py": _OF_A_SHARE,
    "portal/jobs/secret_export.py": _ENGINE,
    "portal/jobs/services.py": _ENGINE,
    "portal/mirror/by_job.py": _COPY,
    "portal/mirror/first_sync.py": _ENGINE,
    "portal/people/home.py": "licences are counted of whole accounts, to who sees those",
    "portal/people/home_tiles.py": "people are counted of whole accounts, to who sees those",
    "portal/people/jobs/import_onboarding.py": _ENGINE,
    "portal/people/management/commands/import_people.py": "it runs on the machine itself",
    "portal/people/services/protection.py": "licences are protected on the whole account",
    "portal/people/services/seats.py": "seats are counted of the whole account, to who sees that",
    "portal/recordings/holds.py": "a hold stands against everybody",
    "portal/recordings/jobs/sharing_reading.py": _COPY,
    "portal/recordings/mirror.py": _COPY,
    "portal/recordings/rows.py": _COPY,
    "portal/recordings/sharing.py": _COPY,
    "portal/reports/leaving.py": "it is about the saved reports of somebody who leaves",
    "portal/reports/running_by_share.py": _OF_A_SHARE,
    "portal/reports/schedule.py": "it ends what is not allowed, whose ever it is",
    "portal/reports/services/fetching.py": _COPY,
    "portal/reports/services/keeping.py": _COPY,
    "portal/reports/services/session.py": _COPY,
    "portal/reports/views/saved.py": "a person's own",
    "portal/sessions/approval_losses.py": _ONE,
    "portal/sessions/jobs/import_losses.py": _ENGINE,
    "portal/sessions/jobs/notifications.py": _ONE,
    "portal/sessions/jobs/reading.py": _COPY,
    "portal/sessions/jobs/remediation.py": _ONE,
    "portal/sessions/list_updates.py": _COPY,
    "portal/sessions/mirror.py": _COPY,
    "portal/sessions/policy/counting.py": "it is remembered of whole accounts, for who sees them",
    "portal/sessions/policy/listing.py": _ONE,
    "portal/sessions/webhook_events.py": _COPY,
}


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _whole(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Scope.whole":
            reason = node.args[1] if len(node.args) > 1 else None
            yield reason.value if isinstance(reason, ast.Constant) else ""


def _without(tree: ast.AST) -> Iterator[str]:
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
    trees = [(_name(path), ast.parse(path.read_text())) for path in MODULES]
    assert {(name, why) for name, tree in trees for why in _whole(tree)} == WHOLE


def test_what_is_kept_of_an_account_is_asked_for_within_a_scope():
    """A module that has come to take one leaves the list of those without."""
    found = {_name(path): list(_without(ast.parse(path.read_text()))) for path in MODULES}
    without = {name: functions for name, functions in found.items() if functions}
    assert {name: each for name, each in without.items() if name not in WITHOUT} == {}
    assert WITHOUT.keys() - without.keys() == set()


@pytest.mark.django_db
def test_nothing_narrowed_is_kept_for_all(connection: Connection, operator: User, work: Work):
    today = datetime.now(UTC).date()
    wanted = ReportWindow(HOSTS, Span(today, today))
    api = api_for(narrow(connection, departments=frozenset({"Sales"})))
    with pytest.raises(NotWhole):
        fetching.read_window(connection, api, wanted, "a test")
    share_with(connection, operator, departments=["Sales"])
    data = {"about": wanted.about, "wanted": [wanted.dumped()]}
    job = work(services.draft(Origin(operator), connection, JOB, "Read", parameters=data))
    assert job.state == JobState.UNPLANNABLE
    assert not KeptRow.objects.exists()
