"""Setting, switching and removing retention rules; each is recorded in the audit trail."""

from typing import Any

from django.db import transaction

from portal.access.audit import Act, record
from portal.access.http import Origin
from portal.access.models import Connection
from portal.config.celery import enqueue
from portal.recordings.models import RetentionRule


def set_rule(
    origin: Origin,
    connection: Connection,
    *,
    older_than: int,
    dept: str = "",
    group_id: str = "",
    host_id: str = "",
    whose: str,
) -> RetentionRule:
    """Returns the rule that says this, which does nothing until it is turned on; a new one where
    there is none. `whose` says in words of whom the recordings are."""
    if origin.actor is None:
        raise ValueError("A rule needs an owner.")
    with transaction.atomic():
        rule, is_new = RetentionRule.objects.get_or_create(
            connection=connection,
            older_than=older_than,
            dept=dept,
            group_id=group_id,
            host_id=host_id,
            defaults={"owner": origin.actor, "set_by": origin.actor, "whose": whose},
        )
        if is_new:
            record_retention(origin, Act.RETENTION_SET, rule)
    return rule


def turn_on(origin: Origin, rule: RetentionRule) -> None:
    """Has the rule carried out from now on, for whoever turns it on."""
    if origin.actor is None:
        raise ValueError("A rule needs an owner.")
    with transaction.atomic():
        rule.is_active, rule.owner = True, origin.actor
        rule.outcome, rule.ran_at = "", None
        rule.save()
        record_retention(origin, Act.RETENTION_SET, rule)
        transaction.on_commit(lambda: enqueue("recordings.run_retention"))


def turn_off(origin: Origin, rule: RetentionRule) -> None:
    with transaction.atomic():
        rule.is_active = False
        rule.save(update_fields=["is_active"])
        record_retention(origin, Act.RETENTION_SET, rule)


def remove_rule(origin: Origin, rule: RetentionRule) -> None:
    """Removes a rule; what it did stays as it is."""
    with transaction.atomic():
        record_retention(origin, Act.RETENTION_REMOVED, rule)
        rule.delete()


def record_retention(origin: Origin, act: Act, rule: RetentionRule) -> None:
    sent: dict[str, Any] = {
        "older_than": rule.older_than,
        "whose": rule.whose or "everyone",
        "active": rule.is_active,
    }
    label = str(rule)
    record(origin, act, object_id=rule.pk, label=label, connection=rule.connection, sent=sent)
