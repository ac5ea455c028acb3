"""Celery tasks of the access app."""

from django.core.management import call_command

from portal.access.audit import routine
from portal.config.celery import app


@app.task(name="access.clear_sessions")
def clear_sessions() -> None:
    """Deletes sessions that have ended; nothing else would."""
    call_command("clearsessions")


@app.task(name="access.verify_audit")
def verify_audit() -> None:
    """Checks the audit trail against what was noted of it before."""
    routine.check()
