"""Deletes windows of reports about hosts that a limited share may have filled.

An earlier release stored what a limited share was answered for all who share the connection. Rows do
not record who filled them; shares, and the trail of those that ended or changed, show the connections
in question. Their days count as never read: a page reads again what the service still reports, and
sums of other days go rather than stay wrong.
"""

from datetime import UTC, datetime
from typing import Any

from django.db import migrations

# What the limits of a share narrow; other reports are refused to it, or are of one session.
_NARROWED = ("hosts", "inactive", "telephone")
_NEVER = datetime(2000, 1, 1, tzinfo=UTC)


def mark_stale(apps: Any, _schema_editor: Any) -> None:
    windows = apps.get_model("reports", "KeptWindow").objects
    connections = apps.get_model("access", "Connection").objects
    limited = [key for key in connections.values_list("key", flat=True) if _was_limited(apps, key)]
    windows.filter(
        is_whole=True, report__source__in=_NARROWED, report__connection__key__in=limited
    ).update(read_at=_NEVER)


def _was_limited(apps: Any, key: str) -> bool:
    """Returns whether the connection is, or was, shared for a part of the people."""
    shares = apps.get_model("access", "Share").objects.filter(connection__key=key)
    entries = apps.get_model("access", "AuditEntry").objects.filter(
        connection_key=key,
        family="connection",
        object_id=key,
        operation__in=("connection.share", "connection.change_share"),
    )
    sent = [one or {} for one in entries.values_list("sent", flat=True).iterator()]
    kept = shares.values("departments", "groups")
    return any(one.get("departments") or one.get("groups") for one in (*kept, *sent))


class Migration(migrations.Migration):
    dependencies = [("access", "0015_dialect"), ("reports", "0004_folded")]

    operations = [migrations.RunPython(mark_stale, migrations.RunPython.noop)]
