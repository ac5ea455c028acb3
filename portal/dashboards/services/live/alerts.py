"""Evaluates the rules of a connection after each reading, by the only reader.

What was not read (a list that failed, rooms) neither raises an alert nor ends one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import translation

from portal.access.api import api_for
from portal.access.scope import Scope
from portal.client import ApiError
from portal.config import cache
from portal.contract.users import LicenceType, UserStatus
from portal.dashboards.models import OF_PEOPLE, Alert, AlertKind, AlertRule, alert_in_words
from portal.dashboards.services.live import losses
from portal.dashboards.services.live.alert_rules import notify
from portal.dashboards.services.live.picture import LiveAlert, LiveList
from portal.dashboards.services.live.samples import totals
from portal.dashboards.services.session.quality import thresholds
from portal.directory import users
from portal.directory.users import UserFilter
from portal.mirror.values import text

# A condition that comes back so soon is the same alert, and is not mailed again.
_SAME = timedelta(minutes=10)
_ROOMS_READ_EVERY = 50  # seconds
_OFFLINE = "offline"
_EVALUATED = ("facts", "words", "raised_at", "ended_at")


@dataclass(frozen=True)
class Condition:
    """The condition of a rule, true at this moment."""

    rule: AlertRule
    subject: str
    about: Mapping[str, Any] = field(default_factory=dict)
    since: datetime | None = None

    @property
    def facts(self) -> dict[str, object]:
        rule = self.rule
        of_rule = {"kind": rule.kind, "threshold": rule.threshold, "minutes": rule.minutes}
        return {**of_rule, **self.about}


def evaluate(scope: Scope, lists: Mapping[str, LiveList], now: datetime) -> tuple[LiveAlert, ...]:
    """Raises and ends alerts. Returns those that are raised now."""
    rules = list(AlertRule.objects.filter(connection=scope.connection).order_by("pk"))
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
        licensed, there = _licensed(scope), totals(lists).participants
        if licensed and there is not None and there * 100 > rule.threshold * licensed:
            yield Condition(rule, "account", {"there": there, "licensed": licensed})


def _licensed(scope: Scope) -> int:
    """Returns the number of active people with a licence in the mirror."""
    licences = [one.value for one in LicenceType if one is not LicenceType.BASIC]
    wanted = UserFilter(statuses=[UserStatus.ACTIVE.value], types=licences)
    return users.find(scope, wanted).order_by().count()


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
            about = {"name": one.name, "session": one.session.topic or one.session.number}
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
    to_mail: dict[int, AlertRule] = {}
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
        if rule.mails and alert.raised_at and alert.notified_at is None:
            to_mail[rule.pk] = rule
    for rule in to_mail.values():
        notify(rule)
    for alert in by_subject.values():
        if alert.raised_at is None:
            alert.delete()
        elif alert.ended_at is None:
            alert.ended_at = now
            alert.save(update_fields=["ended_at"])


def _after(rule: AlertRule) -> timedelta:
    """Returns how long the condition lasts before the alert is raised."""
    return timedelta(minutes=rule.threshold if rule.kind == AlertKind.ROOM else rule.minutes)
