"""A database of an earlier release keeps what it has when a room takes models over."""

from collections.abc import Iterator

import pytest
from django.db import connection as database
from django.db.migrations.executor import MigrationExecutor

from portal.access.models import Connection
from portal.directory.models import GroupKind, MirroredGroup, MirroredUser
from portal.sessions.models import MirroredSession

pytestmark = pytest.mark.deep

MIRROR = ("mirror", "0007_trigrams")
BEFORE = [MIRROR, ("directory", None), ("planned_sessions", "0003_session_to_read")]


@pytest.fixture
def earlier(transactional_db: None) -> Iterator[MigrationExecutor]:
    """The database as it was when `portal.mirror` had all mirrored lists."""
    executor = MigrationExecutor(database)
    executor.migrate(BEFORE)
    yield executor
    executor = MigrationExecutor(database)
    executor.migrate(executor.loader.graph.leaf_nodes())


def indexes() -> set[str]:
    with database.cursor() as cursor:
        found = database.introspection.get_constraints(cursor, MirroredUser._meta.db_table)
    return {name for name, one in found.items() if one["index"] or one["unique"]}


def test_lists_that_were_mirrored_before_are_there_afterwards(
    earlier: MigrationExecutor, connection: Connection
):
    old = earlier.loader.project_state([MIRROR]).apps
    shared = {"connection_id": connection.pk}
    user = old.get_model("mirror", "MirroredUser").objects.create(
        **shared, user_id="u1", name="Ada", group_ids=["g1"], search="ada"
    )
    group = {"kind": GroupKind.GROUP, "group_id": "g1"}
    old.get_model("mirror", "Membership").objects.create(**shared, **group, user=user)
    old.get_model("mirror", "MirroredGroup").objects.create(**shared, **group, name="Engineers")
    session = old.get_model("mirror", "MirroredSession").objects.create(
        **shared, kind="meetings", session_id="123", topic="Weekly"
    )
    old.get_model("mirror", "Occurrence").objects.create(
        **shared, session=session, start_time="2026-11-22T10:00Z", end_time="2026-11-22T11:00Z"
    )
    before = indexes()

    executor = MigrationExecutor(database)
    executor.migrate(executor.loader.graph.leaf_nodes())

    person = MirroredUser.objects.get(connection=connection)
    assert (person.pk, person.name) == (user.pk, "Ada")
    assert [one.group_id for one in person.memberships.all()] == ["g1"]
    assert MirroredGroup.objects.get(connection=connection).name == "Engineers"
    kept = MirroredSession.objects.get(connection=connection)
    assert (kept.topic, kept.occurrences.count()) == ("Weekly", 1)
    assert indexes() == before
    assert "people_by_name" in before
    connection.delete()
    assert not MirroredUser.objects.exists()
