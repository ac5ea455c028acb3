"""Sessions of the release before go on; what its table held of them is erased."""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

_BEFORE = "django_session"
_COPY = f"""
INSERT INTO access_session (session_key, session_data, expire_date, handle, ip, user_agent)
SELECT session_key, session_data, expire_date, '', '', '' FROM {_BEFORE}
"""


def take_over(_apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        if _BEFORE in connection.introspection.table_names(cursor):
            cursor.execute(_COPY)
            cursor.execute(f"DELETE FROM {_BEFORE}")


class Migration(migrations.Migration):
    dependencies = [("access", "0006_sessions_with_their_owner")]
    operations = [migrations.RunPython(take_over, migrations.RunPython.noop)]
