"""Celery tasks of the sessions app."""

from portal.access.models import Connection
from portal.config.celery import app
from portal.sessions import rereading


@app.task(name="sessions.reread")
def reread_sessions(connection_id: int) -> None:
    """Reads the sessions that the service sent events about, if the connection is still there."""
    for connection in Connection.objects.filter(pk=connection_id).select_related("owner"):
        rereading.reread(connection)
