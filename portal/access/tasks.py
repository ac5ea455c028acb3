"""The worker's side of access."""

from django.core.management import call_command

from portal.celery import app


@app.task(name="access.clear_sessions")
def clear_sessions() -> None:
    """Deletes sessions that have ended; nothing else would."""
    call_command("clearsessions")
