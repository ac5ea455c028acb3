"""Promise 40, from each release: its rows stay, and its tables become those of a fresh database."""

import json

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from tests.operations.released import Released, lost, targets
from tests.operations.releases import RELEASES
from tests.support.deployment import Whole

pytestmark = pytest.mark.deep

# Tables and columns that a migration took away on purpose.
GONE = {
    "jobs_dismissal",
    "mirror_heard",
    "people_seatprice",
    "planned_sessions_sessiontoread.told_at",
}
SCHEMA = """
import json
from tests.operations.schema import schema
print(json.dumps(schema()))
"""


@pytest.fixture(scope="module")
def fresh(tmp_path_factory, sandbox, services):
    """Returns the schema that the squashed migrations make."""
    whole = Whole(tmp_path_factory.mktemp("fresh"), sandbox, services)
    try:
        return json.loads(whole.script(SCHEMA))
    finally:
        whole.close()


@pytest.mark.parametrize("release", RELEASES)
def test_each_release_keeps_rows_and_gets_a_fresh_schema(
    release, fresh, tmp_path, sandbox, services
):
    released = Released(tmp_path, sandbox, services, release=release)
    try:
        before = released.dump()
        released.manage("migrate")
        gone = {each.split(":")[0] for each in lost(before, released.dump())}
        assert {each for each in gone if not {each, each.split(".")[0]} & GONE} == set()
        assert json.loads(released.script(SCHEMA)) == fresh
        assert "3 entries" in released.manage("verify_audit")
    finally:
        released.close()


def test_upgrade_goes_on_from_each_migration(monkeypatch):
    """Squashed migrations are recorded as soon as all that they replace are."""
    applied: dict[tuple[str, str], None] = {}
    monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda _: dict(applied))
    executor = MigrationExecutor(connection)
    executor.loader = MigrationLoader(connection, replace_migrations=False)
    nodes = executor.loader.graph.nodes
    squashed = {key: set(one.replaces) for key, one in nodes.items() if one.replaces}
    way: dict[tuple[str, str], None] = {}
    for release in RELEASES:  # in the order in which databases got them
        plan = executor.migration_plan(targets(executor, release))
        way |= {(step.app_label, step.name): None for step, _ in plan}
    for step in way:
        applied[step] = None
        applied |= {key: None for key, replaced in squashed.items() if replaced <= applied.keys()}
        left = MigrationExecutor(connection)
        left.loader.check_consistent_history(connection)
        plan = left.migration_plan(left.loader.graph.leaf_nodes())
        done = {key for each, _ in plan for key in ((each.app_label, each.name), *each.replaces)}
        assert way.keys() <= done | applied.keys(), step
