"""Gaps: times in which something happened on an account and the service reported nothing.

The service promises neither order nor that a notification comes at all. So it is asked from time to
time whether the subscription still stands, and what lists show is compared with what was reported.
Where something was missed, the lists are read again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

import structlog
from django.db import transaction
from django.db.models import QuerySet
from django.dispatch import Signal
from django.utils.translation import gettext_noop

from portal.access.grants import scope_of
from portal.access.models import Connection
from portal.access.roles import RoleRefused
from portal.access.scope import Scope
from portal.access.tokens import TokenUnreadable
from portal.client import Api, ApiError, NotAvailable, NotFound
from portal.config import clock
from portal.config.celery import app
from portal.connections import rate_limits
from portal.connections.api import api_for
from portal.contract.events import documented
from portal.mirror.models import MirrorState
from portal.translation import gettext as _
from portal.translation.stored import in_english
from portal.webhooks.deliveries import title
from portal.webhooks.models import Delivery, Gap, Subscription
from portal.webhooks.subscriptions import FOLLOWED
from portal.work.separately import separately

# Sent with the `connection` that missed deliveries. A receiver has its list read again, and returns
# the state of the list.
missed = Signal()
# Sent with the `scope` over a connection, and two moments, `since` and `until`, by the service's
# clock. A receiver, which is a witness, returns each `Happening` in between that its list shows.
witnesses_asked = Signal()
_UNREPORTED = gettext_noop("“%(what)s” was not reported for %(object)s")
_UNREPORTED_MORE = gettext_noop("“%(what)s” was not reported for %(object)s and %(count)s more")
GAP_WORDS = (_UNREPORTED_MORE, _UNREPORTED)
_COMES_WITHIN = timedelta(minutes=2)
_CHECKED_RANGE = timedelta(days=1)
_CLOCKS_DIFFER = timedelta(minutes=5)
_MOST = 500
_FOLLOWED = {event.value for event in FOLLOWED}
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Happening:
    """A happening in a list, which should have been reported as this event of the object with this
    number, and with this UUID if it has one. `what` names it."""

    event: str
    number: str
    instance: str
    at: datetime
    what: str


@app.task(name="mirror.check_webhooks")  # as earlier releases name it
def check_all() -> int:
    """Checks all subscriptions. Returns how many could be."""
    subscriptions = Subscription.objects.select_related("connection__owner")
    checked = sum(separately(_check_for_owner, subscriptions))
    record_readings()
    return checked


def _check_for_owner(subscription: Subscription) -> bool:
    """Checks a subscription. Returns whether it could be."""
    connection = subscription.connection
    try:
        check(api_for(scope_of(connection.owner, connection)), subscription)
    except (ApiError, TokenUnreadable, RoleRefused) as error:
        _log.warning("webhook not checked", connection=connection.key, failure=str(error))
        return False
    return True


def check(api: Api, subscription: Subscription) -> str:
    """Asks whether the subscription stands, looks for what was missed, and has lists read again
    where something was. Returns what came of it. Raises `ApiError`."""
    trouble = _trouble(api, subscription)
    with transaction.atomic():
        subscription_now = (
            Subscription.objects.select_for_update().filter(pk=subscription.pk).first()
        )
        if subscription_now is None:
            return _("The subscription was ended.")
        return _record_check(subscription_now, trouble, clock.now())


def open_gap(connection: Connection) -> Gap | None:
    """Returns the gap that lasts, if there is one."""
    return next(iter(open_gaps([connection])), None)


def open_gaps(connections: Sequence[Connection]) -> list[Gap]:
    """Returns the gaps that last, at most one of a connection."""
    result = lasting_gaps(connections).select_related("connection").order_by("-pk")
    return list({gap.connection_id: gap for gap in result}.values())


def lasting_gaps(connections: Sequence[Connection]) -> QuerySet[Gap]:
    return Gap.objects.filter(connection__in=connections, ended_at=None)


def end(connection: Connection, now: datetime) -> bool:
    """Ends the gap that lasts, and has the lists read again. False where there is none."""
    gap = open_gap(connection)
    if gap is None:
        return False
    gap.ended_at = gap.asked_at = now
    gap.lists, gap.read_at = _request_lists(connection), None
    gap.save()
    return True


def record_readings() -> None:
    """Notes when the lists that were asked for had been read again."""
    for gap in Gap.objects.filter(read_at=None).exclude(lists=[]):
        gap.read_at = read_again_at(gap)
        if gap.read_at:
            gap.save(update_fields=["read_at"])


def read_again_at(gap: Gap) -> datetime | None:
    """Returns the time at which the last requested list was read again; None until all are."""
    if gap.read_at or not gap.lists:
        return gap.read_at
    states = MirrorState.objects.filter(connection=gap.connection_id, kind__in=gap.lists)
    read = [state.refreshed_at for state in states]
    read_since = [at for at in read if at is not None and at >= gap.asked_at]
    return max(read_since) if read_since and len(read_since) == len(read) else None


def _trouble(api: Api, subscription: Subscription) -> str:
    """Returns the webhook's trouble at the service; empty if it stands."""
    if subscription.is_signed:  # made at the service itself, which no operation lists
        return ""
    trouble = Subscription.Trouble
    try:
        listed = api.webhooks.list().webhooks
    except (NotAvailable, NotFound) as error:
        if isinstance(error, NotAvailable) and error.lack != "service":
            raise
        return trouble.VERSION.value
    own = next((one for one in listed if one.webhook_id == subscription.webhook_id), None)
    if own is None:
        return trouble.GONE.value
    if own.url != subscription.url:
        return trouble.ELSEWHERE.value
    if own.auth_user != subscription.auth_user:
        return trouble.SIGN_IN.value
    return trouble.EVENTS.value if not set(FOLLOWED) <= set(own.events or ()) else ""


def _record_check(subscription: Subscription, trouble: str, now: datetime) -> str:
    connection = subscription.connection
    if trouble:
        label = Subscription.Trouble(trouble).label
        with in_english():
            why = str(label)
        gap = open_gap(connection)
        if gap is None:
            _add(connection, _last_sign(subscription), None, why, now)
        elif gap.why != why:
            Gap.objects.filter(pk=gap.pk).update(why=why)
        words = _("Deliveries are missing: %(why)s.") % {"why": label}
    elif end(connection, now):
        words = _("The webhook works again. The lists are being updated.")
    elif not subscription.is_known:
        words = _("The service has not checked the address of the webhook yet.")
    elif result := _missed(subscription, now):
        for (began, ended), why in result.items():
            _add(connection, began, ended, why, now)
        words = _("Some events were not reported. The lists are being updated.")
    else:
        words = _("The webhook works, and no event was missed.")
    Subscription.objects.filter(pk=subscription.pk).update(checked_at=now, trouble=trouble)
    return words


def _add(
    connection: Connection, began: datetime, ended: datetime | None, why: str, now: datetime
) -> None:
    Gap.objects.create(
        connection=connection,
        began_at=began,
        ended_at=ended,
        noticed_at=now,
        why=why,
        lists=_request_lists(connection),
        asked_at=now,
    )
    _log.warning("notifications missed", connection=connection.key, reason=why)


def _request_lists(connection: Connection) -> list[str]:
    """Has the lists read again. Returns the kinds of those that are."""
    answers: list[tuple[Any, Any]] = missed.send(Gap, connection=connection)
    return [state.kind for _, state in answers if isinstance(state, MirrorState)]


def _last_sign(subscription: Subscription) -> datetime:
    """Returns the time of the last sign that deliveries come."""
    checked = None if subscription.trouble else subscription.checked_at
    return max(at for at in (subscription.created_at, subscription.heard_at, checked) if at)


def _missed(subscription: Subscription, now: datetime) -> dict[tuple[datetime, datetime], str]:
    """Returns the times without deliveries in which something happened, with the events."""
    connection = subscription.connection
    scope = Scope.whole(connection, "what happened and was not reported, may be of anybody")
    before = Gap.objects.filter(connection=connection).order_by("-ended_at").first()
    since = max(
        subscription.created_at,
        now - _CHECKED_RANGE,
        (before and before.ended_at) or now - _CHECKED_RANGE,
    )
    until = now - _COMES_WITHIN
    # By how much our clock is ahead of the service's, as far as its answers tell.
    ahead = timedelta(seconds=rate_limits.ahead_of(connection.base_url) or 0.0)
    first, last = since - ahead, until - ahead  # by the service's clock, as what lists show is
    answers: list[tuple[Any, Any]] = witnesses_asked.send(Gap, scope=scope, since=first, until=last)
    shown = (one for _, some in answers for one in some)
    wanted = (one for one in shown if first < one.at <= last and one.event in _FOLLOWED)
    with in_english():
        listed = _unreported(connection, list(islice(wanted, _MOST)))
    unreported = [replace(one, at=one.at + ahead) for one in listed]
    results: dict[tuple[datetime, datetime], list[Happening]] = {}
    for one in sorted(unreported, key=lambda each: each.at):
        own = Delivery.objects.filter(connection=connection)
        earlier = own.filter(came_at__lte=one.at).order_by("-came_at").first()
        later = own.filter(came_at__gt=one.at).order_by("came_at").first()
        began = max(earlier.came_at, since) if earlier else since
        results.setdefault((began, later.came_at if later else now), []).append(one)
    return {times: _in_english(some) for times, some in results.items()}


def _unreported(connection: Connection, happenings: list[Happening]) -> list[Happening]:
    numbers = {one.number for one in happenings}
    reported = Delivery.objects.filter(connection=connection, object_id__in=numbers)
    delivered: dict[tuple[str, str], list[tuple[str, datetime | None]]] = {}
    for event, number, instance, at in reported.values_list(
        "event", "object_id", "instance", "happened_at"
    ):
        delivered.setdefault((documented(event), number), []).append((instance, at))
    return [
        one
        for one in happenings
        if not any(
            instance == one.instance
            if instance and one.instance
            else at is None or at >= one.at - _CLOCKS_DIFFER
            for instance, at in delivered.get((one.event, one.number), ())
        )
    ]


def _in_english(happenings: list[Happening]) -> str:
    first, *others = happenings
    with in_english():
        values = {"what": title(first.event), "object": first.what, "count": f"{len(others):,}"}
        return (_UNREPORTED_MORE if others else _UNREPORTED) % values
