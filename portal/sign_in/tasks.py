"""Celery tasks of signing in."""

from portal.config.celery import app
from portal.sign_in import sessions


@app.task(name="access.clear_sessions")
def clear_sessions() -> None:
    """Deletes sessions that have ended; nothing else would."""
    sessions.clear()
