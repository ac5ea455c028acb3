"""Setting, changing and deleting alert rules; each is recorded in the audit trail."""

from collections.abc import Collection
from typing import Any

from django.db import transaction

from portal.access.audit import Act, record
from portal.access.http import Origin
from portal.access.models import Connection, User
from portal.dashboards.models import AlertKind, AlertRule


def set_rule(
    origin: Origin,
    connection: Connection,
    *,
    kind: AlertKind,
    threshold: int,
    minutes: int,
    mails: bool,
    recipients: Collection[User],
) -> AlertRule:
    """Returns the rule with this threshold, which mails these people; a new one if there is
    none."""
    with transaction.atomic():
        rule, _is_new = AlertRule.objects.update_or_create(
            connection=connection,
            kind=kind,
            threshold=threshold,
            minutes=minutes,
            defaults={"mails": mails},
        )
        rule.recipients.set(recipients)
        _record(origin, Act.ALERT_RULE_SET, rule)
    return rule


def change_rule(origin: Origin, rule: AlertRule, recipients: Collection[User]) -> None:
    """Stores what was changed of a rule, and whom it mails."""
    with transaction.atomic():
        before = _said(AlertRule.objects.get(pk=rule.pk))
        rule.save()
        rule.recipients.set(recipients)
        _record(origin, Act.ALERT_RULE_SET, rule, before)


def remove_rule(origin: Origin, rule: AlertRule) -> None:
    """Deletes a rule, and the alerts that it has raised."""
    with transaction.atomic():
        _record(origin, Act.ALERT_RULE_REMOVED, rule)
        rule.delete()


def _record(
    origin: Origin, act: Act, rule: AlertRule, before: dict[str, Any] | None = None
) -> None:
    record(
        origin,
        act,
        object_id=rule.pk,
        label=str(rule),
        connection=rule.connection,
        sent=_said(rule),
        before=before,
    )


def _said(rule: AlertRule) -> dict[str, Any]:
    people = rule.recipients.order_by("email").values_list("email", flat=True)
    return {"rule": str(rule), "sends_mail": rule.mails, "recipients": list(people)}
