"""Rules for alerts, and the alerts that they raise.

The only reader of a connection evaluates its rules after each reading. What was not read (a list
that failed, rooms) neither raises an alert nor ends one. Alerts are mailed to people who may see
them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import QuerySet
from django.urls import NoReverseMatch, reverse
from django.utils import translation

from portal.access.grants import recipients_of, scope_of
from portal.access.http import Origin
from portal.access.mails import mail, post
from portal.access.models import Connection, User
from portal.access.scope import Limits, Scope
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.client import ApiError
from portal.config import cache, clock
from portal.connections.api import api_for
from portal.contract.metrics import Metrics
from portal.contract.model import JsonDict
from portal.contract.users import LicenceType, UserStatus
from portal.dashboards.models import OF_PEOPLE, Alert, AlertKind, AlertRule, alert_in_words
from portal.dashboards.services.live import losses
from portal.dashboards.services.live.picture import LiveAlert, LiveList, narrowed_lists
from portal.dashboards.services.live.samples import totals
from portal.dashboards.services.session.quality import thresholds
from portal.directory import users
from portal.directory.users import UserFilter
from portal.mirror.values import text
from portal.translation import gettext as _, number, speaking_to
from portal.work.models import OutgoingMail

_RULE = "alert_rule"
# A condition that comes back so soon is the same alert, and is not mailed again.
_SAME = timedelta(minutes=10)
_ROOMS_READ_EVERY = 50  # seconds
_OFFLINE = "offline"
_EVALUATED = ("facts", "words", "raised_at", "ended_at")


def set_rule(
    origin: Origin,
    connection: Connection,
    *,
    kind: AlertKind,
    threshold: int,
    minutes: int,
    mails: bool,
    recipients: Collection[User],
    owner: User | None = None,
) -> AlertRule:
    """Returns the rule with this threshold, which mails these people; a new one if there is none.
    With an `owner` it is theirs alone, and mails them."""
    with transaction.atomic():
        rule, _is_new = AlertRule.objects.update_or_create(
            connection=connection,
            kind=kind,
            threshold=threshold,
            minutes=minutes,
            owner=owner,
            defaults={"mails": mails},
        )
        rule.recipients.set(recipients)
        _record_rule(origin, Act.ALERT_RULE_SET, rule)
    return rule


def change_rule(origin: Origin, rule: AlertRule, recipients: Collection[User]) -> None:
    """Stores a changed rule with its recipients."""
    with transaction.atomic():
        before = _facts_of(AlertRule.objects.get(pk=rule.pk))
        rule.save()
        rule.recipients.set(recipients)
        _record_rule(origin, Act.ALERT_RULE_SET, rule, before)


def remove_rule(origin: Origin, rule: AlertRule) -> None:
    """Deletes a rule, and the alerts that it has raised."""
    with transaction.atomic():
        _record_rule(origin, Act.ALERT_RULE_REMOVED, rule)
        rule.delete()


def rules_by_share(connection: Connection, user: User, since: datetime | None) -> Iterator[str]:
    """Yields the rules of a user for their part of the people, in words."""
    own = AlertRule.supported().filter(connection=connection, owner=user)
    for rule in own.filter(created_at__gte=since) if since else own:
        yield _("Alert rule “%(rule)s”") % {"rule": rule}


def _record_rule(origin: Origin, act: Act, rule: AlertRule, before: JsonDict | None = None) -> None:
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
    chosen = [rule.owner] if rule.owner else rule.recipients.order_by("email")
    people = [one.email for one in chosen]
    return {"rule": str(rule), "sends_mail": rule.mails, "recipients": people}


def notify(rule: AlertRule, alerts: Sequence[Alert] | None = None) -> None:
    """Mails the raised alerts that were not mailed yet, or these of them, to the recipients of a
    rule, once and in their language. Called in the transaction that raises them."""
    if alerts is None:
        alerts = list(_unmailed([rule]))
    if not alerts or not rule.connection.owner.is_active:
        return
    if rule.owner:
        _post_to_owner(rule, rule.owner, alerts)
        return
    seeing = recipients_of(rule.connection, Metrics.meetings)
    chosen = list(seeing.filter(pk__in=rule.recipients.all()))
    people = chosen or [rule.connection.owner]
    _post(rule, alerts, people, people)
    Alert.objects.filter(pk__in=[one.pk for one in alerts]).update(notified_at=clock.now())


def _unmailed(rules: Collection[AlertRule]) -> QuerySet[Alert]:
    due = Alert.objects.filter(rule__in=rules, notified_at=None).exclude(raised_at=None)
    return due.select_related("rule__connection__owner").order_by("pk")


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
    if rule.owner:
        _post_to_owner(rule, rule.owner, Alert.objects.filter(rule=rule, pk__in=about["alerts"]))
        return
    alerts = Alert.objects.filter(rule=rule, pk__in=about["alerts"])
    all_mailed = recipients_of(rule.connection, Metrics.meetings).filter(pk__in=about["to"])
    if all_mailed.filter(pk=user.pk).exists():
        _post(rule, list(alerts.order_by("pk")), [user], User.objects.filter(pk__in=about["to"]))
    elif not all_mailed.exists() and not OutgoingMail.objects.filter(if_dropped=about).exists():
        alerts.update(notified_at=None)
        notify(rule)


def _post_to_owner(rule: AlertRule, owner: User, alerts: Iterable[Alert]) -> None:
    """Sends the owner of a rule those of its alerts that they may see now, once."""
    scope = scope_of(owner, rule.connection)
    alerts = list(alerts)
    visible = [one for one in alerts if one.is_visible_to(scope)]
    if visible and scope.can_call(Metrics.meetings):
        _post(rule, visible, [owner], [owner])
    Alert.objects.filter(pk__in=[one.pk for one in alerts]).update(notified_at=clock.now())


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


@dataclass(frozen=True)
class Condition:
    """The condition of a rule, true at this moment."""

    rule: AlertRule
    subject: str
    about: Mapping[str, Any] = field(default_factory=dict)
    since: datetime | None = None
    limits: Limits | None = None

    @property
    def facts(self) -> dict[str, object]:
        rule = self.rule
        of_rule = {"kind": rule.kind, "threshold": rule.threshold, "minutes": rule.minutes}
        of_scope = {} if self.limits is None else {"limits": self.limits}
        return {**of_rule, **self.about, **of_scope}


def evaluate(scope: Scope, lists: Mapping[str, LiveList], now: datetime) -> tuple[LiveAlert, ...]:
    """Raises and ends alerts. Returns those of the whole account that are raised now."""
    supported = AlertRule.supported().filter(connection=scope.connection).order_by("pk")
    of_owners: dict[User, list[AlertRule]] = {}
    for rule in supported.select_related("owner", "connection__owner"):
        if rule.owner is not None:
            of_owners.setdefault(rule.owner, []).append(rule)
    rules = list(supported.filter(owner=None))
    raised = _evaluate_whole(scope, rules, lists, now)
    if not any(one.failure for one in lists.values()):
        for owner, own in of_owners.items():
            of_owner = scope_of(owner, scope.connection)
            if not of_owner.can_call(Metrics.meetings):
                of_owner = Scope.nothing(owner, scope.connection)
            _evaluate_own(scope, of_owner, own, lists, now)
    return raised


def _evaluate_own(
    whole: Scope,
    scope: Scope,
    rules: Sequence[AlertRule],
    lists: Mapping[str, LiveList],
    now: datetime,
) -> None:
    """Raises and ends the alerts of one owner, of the sessions that they see now."""
    own = narrowed_lists(scope, lists)
    conditions: list[Condition] = []
    for rule in rules:
        if rule.kind == AlertKind.PARTICIPANTS:
            conditions += _of_sessions(scope, rule, own)
    if of_people := [rule for rule in rules if rule.kind in OF_PEOPLE]:
        conditions += _of_losses(whole, of_people, own, now)
    limits = scope.limits
    with transaction.atomic():
        _record(rules, [replace(one, limits=limits) for one in conditions], now)


def _evaluate_whole(
    scope: Scope, rules: Sequence[AlertRule], lists: Mapping[str, LiveList], now: datetime
) -> tuple[LiveAlert, ...]:
    checkable = [rule for rule in rules if rule.kind not in (AlertKind.ROOM, *OF_PEOPLE)]
    conditions: list[Condition] = []
    if any(one.failure for one in lists.values()):
        checkable = []
    for rule in checkable:
        conditions += _of_sessions(scope, rule, lists)
    of_rooms = [rule for rule in rules if rule.kind == AlertKind.ROOM]
    rooms = _rooms(scope) if of_rooms else None
    if rooms is not None:
        checkable += of_rooms
        conditions += [
            Condition(rule, key[:64], {"name": name})
            for rule in of_rooms
            for key, name, status in rooms
            if status.casefold() == _OFFLINE
        ]
    of_losses = [rule for rule in rules if rule.kind in OF_PEOPLE]
    if of_losses and not any(one.failure for one in lists.values()):
        checkable += of_losses
        conditions += _of_losses(scope, of_losses, lists, now)
    if checkable:
        with transaction.atomic():
            _record(checkable, conditions, now)
    if not rules:
        return ()
    raised = Alert.objects.filter(rule__in=rules, ended_at=None).exclude(raised_at=None)
    return tuple(
        LiveAlert(one.words, one.raised_at or now, one.facts) for one in raised.order_by("pk")
    )


def _of_sessions(
    scope: Scope, rule: AlertRule, lists: Mapping[str, LiveList]
) -> Iterator[Condition]:
    if rule.kind == AlertKind.PARTICIPANTS:
        for one in (each for listed in lists.values() for each in listed.sessions):
            if one.participants is not None and one.participants > rule.threshold:
                yield Condition(rule, one.key, {"name": one.topic or one.number})
    elif rule.kind == AlertKind.PEOPLE:
        # Active people with a licence in the mirror.
        licences = [one.value for one in LicenceType if one is not LicenceType.BASIC]
        wanted = UserFilter(statuses=[UserStatus.ACTIVE.value], types=licences)
        licensed = users.find(scope, wanted).order_by().count()
        there = totals(lists).participants
        if licensed and there is not None and there * 100 > rule.threshold * licensed:
            yield Condition(rule, "account", {"there": there, "licensed": licensed})


def _of_losses(
    scope: Scope,
    rules: Sequence[AlertRule],
    lists: Mapping[str, LiveList],
    now: datetime,
) -> Iterator[Condition]:
    sessions = [each for listed in lists.values() for each in listed.sessions]
    limits = thresholds(scope.connection)
    judged = [(rule, losses.breaks(rule, limits)) for rule in rules]
    losses.read(scope, sessions, [breaks for _rule, breaks in judged])
    for rule, breaks in judged:
        for one in losses.losing(scope.connection, sessions, breaks, now):
            about = {
                "name": one.name,
                "session": one.session.topic or one.session.number,
                "in_session": one.session.key,
            }
            yield Condition(rule, one.subject, about, one.since)


def _rooms(scope: Scope) -> list[list[str]] | None:
    """Returns ids, names and states of less than a minute ago; `None` if they cannot be read."""
    key = f"live-rooms:{scope.connection.key}"
    cached: list[list[str]] | None = cache.get(key)
    if cached is None:
        try:
            listed = list(api_for(scope).metrics.rooms.all())
        except ApiError:
            return None
        cached = [[text(one.id), text(one.room_name), text(one.status)] for one in listed]
        cache.set(key, cached, _ROOMS_READ_EVERY)
    return cached


def _record(rules: Sequence[AlertRule], conditions: Sequence[Condition], now: datetime) -> None:
    """Begins, raises and ends the alerts of these rules."""
    recent = Alert.objects.filter(rule__in=rules).exclude(ended_at__lt=now - _SAME)
    by_subject = {(one.rule_id, one.subject): one for one in recent.order_by("pk")}
    for condition in conditions:
        rule = condition.rule
        alert = by_subject.pop((rule.pk, condition.subject), None)
        if alert is None:
            alert = Alert(rule=rule, subject=condition.subject, began_at=condition.since or now)
        alert.facts, alert.ended_at = condition.facts, None
        with translation.override(settings.LANGUAGE_CODE):
            alert.words = alert_in_words(alert.facts)
        if alert.raised_at is None and now - alert.began_at >= _after(rule):
            alert.raised_at = now
        alert.save(update_fields=_EVALUATED if alert.pk else None)
    for alert in by_subject.values():
        if alert.raised_at is None:
            alert.delete()
        elif alert.ended_at is None:
            alert.ended_at = now
            alert.save(update_fields=["ended_at"])
    _mail(rules, now)


def _mail(rules: Sequence[AlertRule], now: datetime) -> None:
    """Mails what has begun: of a rule one mail for each session, and once that is over another
    about all that came after."""
    mailing = {rule.pk: rule for rule in rules if rule.mails}
    due = list(_unmailed(mailing.values()))
    if not due:
        return
    lately = Alert.objects.filter(rule__in=mailing).exclude(raised_at=None)
    going = list(lately.exclude(ended_at__lt=now - _SAME))
    mailed = {_trouble(one) for one in going if one.notified_at}
    open_now = {_trouble(one) for one in going if one.ended_at is None}
    for rule in mailing.values():
        own = [one for one in due if one.rule_id == rule.pk]
        ready = [one for one in own if _trouble(one) not in mailed & open_now]
        if ready:
            notify(rule, ready)


def _trouble(alert: Alert) -> tuple[int, str]:
    """Returns what alerts are mailed together: those of a rule in one session."""
    return alert.rule_id, str(alert.facts.get("in_session") or alert.subject)


def _after(rule: AlertRule) -> timedelta:
    """Returns how long the condition lasts before the alert is raised."""
    return timedelta(minutes=rule.threshold if rule.kind == AlertKind.ROOM else rule.minutes)
