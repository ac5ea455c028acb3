"""Nothing is dropped in the release that stops using it: the one before serves until it is
replaced, and has to find its columns and tables."""

import re

from django.db.migrations import operations
from django.db.migrations.loader import MigrationLoader

from tests.operations.releases import RELEASES

# What a later release may drop, by the release that used it no more: a day of `RELEASES`.
UNUSED_SINCE: dict[str, str] = {}
# What earlier releases have dropped or renamed at once; nothing is added here.
AT_ONCE = {
    *("jobs.dismissal", "mirror.heard", "mirror.mirroredgroup.is_gone", "people.seatprice"),
    *("mirror.mirroreduser.is_gone", "mirror.mirroreduser.run"),
    "planned_sessions.sessiontoread.told_at",
}


def _operations(migration):
    """Yields what changes the database, without what only the state of models knows."""
    waiting = list(migration.operations)
    while waiting:
        operation = waiting.pop(0)
        if isinstance(operation, operations.SeparateDatabaseAndState):
            waiting = [*operation.database_operations, *waiting]
        else:
            yield operation


def _dropped(app, operation):
    """Returns the names that the release before may use, and finds no more; `app.model.field`."""
    match operation:
        case operations.RemoveField():
            names = [f"{operation.model_name}.{operation.name}"]
        case operations.RenameField():
            names = [f"{operation.model_name}.{operation.old_name}"]
        case operations.DeleteModel():
            names = [operation.name]
        case operations.RenameModel():
            names = [operation.old_name]
        case operations.AlterModelTable():
            names = [operation.name]
        case operations.RunSQL():
            names = re.findall(r"DROP (?:TABLE|COLUMN)[^;]*", str(operation.sql), re.IGNORECASE)
        case _:
            names = []
    return [f"{app}.{name}".lower() for name in names]


def _drops(loader):
    """Yields the key of a migration, and the name of each thing that it drops."""
    for key, migration in sorted(loader.disk_migrations.items()):
        if migration.replaces or not type(migration).__module__.startswith("portal."):
            continue
        for operation in _operations(migration):
            for name in _dropped(key[0], operation):
                yield key, name


def _made_by(loader, release):
    """Returns the keys of all migrations that this release had."""
    graph = loader.graph
    keys = {(app, name) for app, name in RELEASES[release].items()} & graph.nodes.keys()
    return {key for target in keys for key in graph.forwards_plan(target)}


def test_what_is_dropped_was_used_no_more_a_release_before():
    loader = MigrationLoader(None)
    loader.replace_migrations = False
    loader.build_graph()
    wrong = []
    for key, name in _drops(loader):
        since = UNUSED_SINCE.get(name)
        if since and key in _made_by(loader, since):
            wrong.append(f"{'.'.join(key)} drops {name}, in the release that stops using it")
        elif not since and name not in AT_ONCE:
            wrong.append(f"{'.'.join(key)} drops {name}: leave it to a later release")
    assert wrong == []


def test_each_name_that_may_be_dropped_is_dropped_once_only():
    names = [name for _key, name in _drops(MigrationLoader(None))]
    assert AT_ONCE - set(names) == set()
    assert UNUSED_SINCE.keys() & AT_ONCE == set()
    assert set(UNUSED_SINCE.values()) <= RELEASES.keys()


def test_removal_is_told_from_a_change_of_the_state_alone():
    removal = operations.RemoveField("Job", "title")
    state = operations.SeparateDatabaseAndState(state_operations=[removal])
    both = operations.SeparateDatabaseAndState(database_operations=[removal])

    class Migration:
        operations = [state, both]

    [only] = _operations(Migration)
    assert _dropped("jobs", only) == ["jobs.job.title"]
