"""Celery tasks of the audit trail."""

from portal.audit import chain, metrics
from portal.config.celery import app


@app.task(name="access.verify_audit")
def verify_audit() -> None:
    """Checks the audit trail against what was noted of it before."""
    verdict = chain.check()
    metrics.audit_checked(is_intact=not verdict.problem)
