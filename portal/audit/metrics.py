"""Figures about the check of the audit trail."""

from portal.config.metrics import Counter, Moment

AUDIT_CHECKS = Counter(
    "switchboard_audit_checks_total", "Routine checks of the audit trail", ("outcome",)
)
AUDIT_CHECKED = Moment(
    "switchboard_audit_check_timestamp_seconds", "When the audit trail was last checked"
)


def audit_checked(*, is_intact: bool) -> None:
    AUDIT_CHECKS.add("intact" if is_intact else "broken")
    AUDIT_CHECKED.set_to_now()
