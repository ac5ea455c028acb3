"""Celery tasks of the audit trail."""

from portal.audit import chain, metrics, routine
from portal.config.celery import app


@app.task(name="access.verify_audit")
def verify_audit() -> None:
    """Checks the audit trail against what was noted of it before."""
    chain.open_after_upgrade()
    verdict = routine.check()
    metrics.audit_checked(is_intact=not verdict.problem)
