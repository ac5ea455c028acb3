"""PostgreSQL finds a word in the middle of a name by trigrams, where it may have the extension.

Without it the search is right all the same, and reads every row.
"""

import structlog
from django.db import DatabaseError, migrations, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

log = structlog.get_logger("portal.mirror")


def index(_apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    if editor.connection.vendor != "postgresql":
        return
    try:
        with transaction.atomic(using=editor.connection.alias):
            editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            editor.execute(
                "CREATE INDEX people_by_trigrams ON mirror_mirroreduser"
                " USING gin (search gin_trgm_ops)"
            )
    except DatabaseError as error:
        log.warning("no index by trigrams: searches read every row", reason=str(error).strip())


def drop(_apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    if editor.connection.vendor == "postgresql":
        editor.execute("DROP INDEX IF EXISTS people_by_trigrams")


class Migration(migrations.Migration):
    dependencies = [("mirror", "0006_sessions")]
    operations = [migrations.RunPython(index, drop)]
