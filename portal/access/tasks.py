"""Celery tasks of the access app."""

from portal.access import metrics
from portal.access.audit import chain
from portal.access.services import checking, sessions
from portal.config.celery import app


@app.task(name="access.clear_sessions")
def clear_sessions() -> None:
    """Deletes sessions that have ended; nothing else would."""
    sessions.clear()


@app.task(name="access.verify_audit")
def verify_audit() -> None:
    """Checks the audit trail against what was noted of it before."""
    verdict = chain.check()
    metrics.audit_checked(is_intact=not verdict.problem)


@app.task(name=checking.TASK)
def check_connection(check_pk: int, run: str) -> None:
    """Calls each family of operations once, for the check of a connection."""
    checking.carry_out(check_pk, run)
