"""Rules for alerts: stored, deleted, and mailed about to the people who may see them."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from urllib.parse import urlencode

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.urls import NoReverseMatch, reverse

from portal.access.audit import Act, record
from portal.access.grants import recipients_of, scope_of
from portal.access.http import Origin
from portal.access.mails import mail, post
from portal.access.models import Connection, User
from portal.config import clock
from portal.contract.metrics import Metrics
from portal.contract.model import JsonDict
from portal.dashboards.models import Alert, AlertKind, AlertRule
from portal.translation import gettext as _, number, speaking_to
from portal.work.models import OutgoingMail

_RULE = "alert_rule"


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
    """Stores a changed rule with its recipients."""
    with transaction.atomic():
        before = _facts_of(AlertRule.objects.get(pk=rule.pk))
        rule.save()
        rule.recipients.set(recipients)
        _record(origin, Act.ALERT_RULE_SET, rule, before)


def remove_rule(origin: Origin, rule: AlertRule) -> None:
    """Deletes a rule, and the alerts that it has raised."""
    with transaction.atomic():
        _record(origin, Act.ALERT_RULE_REMOVED, rule)
        rule.delete()


def _record(origin: Origin, act: Act, rule: AlertRule, before: JsonDict | None = None) -> None:
    record(
        origin,
        act,
        object_id=rule.pk,
        label=str(rule),
        connection=rule.connection,
        sent=_facts_of(rule),
        before=before,
    )


def _facts_of(rule: AlertRule) -> dict[str, object]:
    people = rule.recipients.order_by("email").values_list("email", flat=True)
    return {"rule": str(rule), "sends_mail": rule.mails, "recipients": list(people)}


def notify(rule: AlertRule) -> None:
    """Mails the raised alerts that were not mailed yet to the recipients of a rule, once and in
    their language. Called in the transaction that raises them."""
    due = Alert.objects.filter(rule=rule, notified_at=None).exclude(raised_at=None)
    alerts = list(due.select_related("rule__connection").order_by("pk"))
    if not alerts or not rule.connection.owner.is_active:
        return
    seeing = recipients_of(rule.connection, Metrics.meetings)
    chosen = list(seeing.filter(pk__in=rule.recipients.all()))
    people = chosen or [rule.connection.owner]
    _post(rule, alerts, people, people)
    Alert.objects.filter(pk__in=[one.pk for one in alerts]).update(notified_at=clock.now())


def mail_again(about: JsonDict, user: User | None, **_given: object) -> None:
    """Mails the alerts of a dropped mail again: receives `dropped` of the outbox, in its
    transaction.

    The mail goes to its recipient, if they still see the alerts with another role; else to others,
    once no recipient of the first mail is left.
    """
    if _RULE not in about or user is None:
        return
    locked = AlertRule.objects.select_for_update(of=("self",)).select_related("connection__owner")
    rule = locked.filter(pk=about[_RULE], mails=True).first()
    if rule is None:
        return
    alerts = Alert.objects.filter(rule=rule, pk__in=about["alerts"])
    all_mailed = recipients_of(rule.connection, Metrics.meetings).filter(pk__in=about["to"])
    if all_mailed.filter(pk=user.pk).exists():
        _post(rule, list(alerts.order_by("pk")), [user], User.objects.filter(pk__in=about["to"]))
    elif not all_mailed.exists() and not OutgoingMail.objects.filter(if_dropped=about).exists():
        alerts.update(notified_at=None)
        notify(rule)


def _post(
    rule: AlertRule, alerts: Sequence[Alert], people: Collection[User], all_mailed: Collection[User]
) -> None:
    """Sends the mail to these people; `all_mailed` are all recipients of the same alerts."""
    about = {
        _RULE: rule.pk,
        "alerts": [one.pk for one in alerts],
        "to": sorted(person.pk for person in all_mailed),
    }
    for person in people:
        with speaking_to(person):
            message = _mail_about(rule, alerts, person)
        post(message, scope=scope_of(person, rule.connection), if_dropped=about)


def _mail_about(rule: AlertRule, alerts: Sequence[Alert], person: User) -> EmailMultiAlternatives:
    """Returns one mail about all alerts, each with the address of its page."""
    title = str(alerts[0])
    if len(alerts) > 1:
        title = _("%(count)s alerts. %(rule)s") % {"count": number(len(alerts)), "rule": rule}
    paragraphs = [f"{alert}\n{settings.SITE_URL}{_page_of(alert)}" for alert in alerts]
    paragraphs.append(_("Rule: %(rule)s") % {"rule": rule})
    chosen = rule.recipients.all()
    if chosen and person not in chosen:
        rules = reverse("dashboards:alerts", args=[rule.connection.key])
        words = _("No one chosen as a recipient has access any more, so this goes to the owner.")
        paragraphs.append(f"{words}\n{settings.SITE_URL}{rules}")
    body = "\n\n".join(paragraphs)
    name = rule.connection.name
    return mail(f"[Switchboard] {name}: {title}", f"{body}\n", person.email)


def _page_of(alert: Alert) -> str:
    """Returns the page that shows the subject of an alert as it is now."""
    key = alert.rule.connection.key
    with suppress(NoReverseMatch):
        if alert.rule.kind == AlertKind.ROOM:
            return reverse("dashboards:room", args=[key, alert.subject])
    live = reverse("dashboards:now", args=[key])
    is_of_session = alert.rule.kind == AlertKind.PARTICIPANTS
    return f"{live}?{urlencode({'open': alert.subject})}" if is_of_session else live
