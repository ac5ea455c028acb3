"""The notifications that the service delivers: taken once each, kept, and replayed."""

import hashlib
import json
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F
from django.dispatch import Signal
from django.utils.translation import gettext_noop

from portal.access.http import Origin
from portal.access.models import Connection
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.config import clock
from portal.config.celery import app
from portal.contract.events import DEAUTHORIZED, REPORTED, reported
from portal.contract.model import JsonDict
from portal.contract.webhooks import WebhookEvent
from portal.mirror.values import text
from portal.translation import folded, gettext as _, in_all_languages, lazily, ngettext, number
from portal.translation.stored import in_english
from portal.webhooks import deauthorization
from portal.webhooks.metrics import DELIVERIES
from portal.webhooks.models import Delivery, Gap, Refusal, Subscription
from portal.webhooks.payloads import event_in, happened_in, object_of, stored, texts_in

# Sent with the `connection`, the `event` and the service's `data` of the object that it happened
# to, in the transaction that takes the notification. A receiver returns the `EventEffect` that it
# has, or nothing where the event is not its own. What is reported names what is to be read again,
# and is never taken for its state: so notifications may come in any order, and again.
event_received = Signal()
STORED_FOR = timedelta(days=14)  # the service gives a notification up after a day
MOST_STORED = 20_000  # of a connection
# The effect of an event that no list has anything of, and of one that this release does not know.
NO_LIST = gettext_noop("Nothing: no list depends on this event.")
NOT_FOLLOWED = gettext_noop("Nothing: Switchboard does not follow this event.")
_LONGEST_ID = 200
_SEARCHED = 1_000  # characters
WRITTEN_EVERY = 60.0  # seconds
_NAMING = ("topic", "name", "email")  # the first that an object has names it
_MOST = 1_000  # subscriptions and reasons that a process counts
_waiting: dict[tuple[int, str], int] = {}
_written: dict[tuple[int, str], float] = {}
_counting = threading.Lock()
_APART = timedelta(days=1)  # after so long, it is another trouble


@dataclass(frozen=True)
class EventEffect:
    """The effect of an event, in words; without an effect `changes` is unset, and they say why."""

    words: str
    changes: bool = True


def accept(
    subscription: Subscription,
    notification: dict[str, object],
    content: bytes = b"",
    signed_at: str = "",
) -> Delivery:
    """Takes a notification, keeps it, and sends `event_received`; of one that was taken before, it
    is only counted that it came again. Without an event id its whole `content` identifies it, if
    that says when it happened: one that is sent again is the same then, byte by byte. Else it is
    what was signed, the moment `signed_at` in it: that comes again only from who copied it."""
    connection, now = subscription.connection, clock.now()
    event_id = _event_id(notification.get("event_id"))
    if not event_id and content:
        if happened_in(notification):
            event_id = hashlib.sha256(content).hexdigest()
        elif signed_at:
            event_id = hashlib.sha256(f"{signed_at}:".encode() + content).hexdigest()
    with transaction.atomic():
        # The first write: those that arrive together take turns here.
        subscription.note(heard_at=now)
        if event_id:
            earlier = Delivery.objects.filter(connection=connection, event_id=event_id)
            if earlier.update(times=F("times") + 1, last_came_at=now, changed_at=now):
                DELIVERIES.add("again")
                return earlier.get()
        made = _row(connection, notification, event_id)
        made.came_at = made.last_came_at = made.changed_at = now
        if made.object_id and made.happened_at is not None:  # was a later event taken already?
            own = Delivery.objects.filter(connection=connection, object_id=made.object_id)
            made.is_late = own.filter(happened_at__gt=made.happened_at).exists()
        _notify(made, object_of(notification))
        made.save()
        if made.event == DEAUTHORIZED:
            deauthorization.begin(subscription, made.happened_at or now)
        elif not made.is_late:
            deauthorization.end(subscription, made.happened_at or now)
    DELIVERIES.add("taken")
    return made


def play(origin: Origin, deliveries: Iterable[Delivery], by: str = "") -> list[Delivery]:
    """Sends `event_received` for these once more, as an act of `origin`; `by` are the filters that
    selected them. Returns the deliveries with the new results."""
    played = sorted(deliveries, key=lambda one: one.pk)
    if not played:
        return []
    connection = played[0].connection
    with transaction.atomic():
        now = clock.now()
        for one in played:
            _notify(one, object_of(json.loads(one.payload or "{}")))
            one.played += 1
            one.played_at = one.changed_at = now
        fields = ["did", "changes", "played", "played_at", "changed_at"]
        Delivery.objects.bulk_update(played, fields, batch_size=200)
        first = played[0]
        record(
            origin,
            Act.DELIVERIES_PLAYED,
            object_id=(first.event_id or "") if len(played) == 1 else "",
            label=_label_of_all(played),
            connection=connection,
            sent={"deliveries": len(played), "filter": by or "one"},
        )
    return played


def _label_of_all(played: list[Delivery]) -> str:
    """Returns the label of the replayed deliveries, as the audit trail has it."""
    with in_english():
        if len(played) == 1:
            return label_of(played[0])
        values = {"count": number(len(played))}
        return ngettext("%(count)s delivery", "%(count)s deliveries", len(played)) % values


def label_of(delivery: Delivery) -> str:
    """Returns the event of a delivery, with its object."""
    what = delivery.topic or delivery.object_id or _("nothing named")
    return f"{title(delivery.event)}: {what}"


def title(event: str) -> str:
    """Returns the title of an event; its name if this release does not have it."""
    if event in set(WebhookEvent):
        return WebhookEvent(event).label
    today = REPORTED.get(event)
    return today.label if today else event or _("Unknown event")


@app.task(name="mirror.prune")  # as earlier releases name it
def prune() -> int:
    """Forgets what was taken long ago, and of each connection what exceeds the most. Returns how
    many deliveries."""
    long_ago = clock.now() - STORED_FOR
    Refusal.objects.filter(last_at__lt=long_ago).delete()
    Gap.objects.filter(ended_at__lt=long_ago).delete()
    gone = Delivery.objects.filter(came_at__lt=long_ago).delete()[0]
    for connection in Connection.objects.filter(deliveries__isnull=False).distinct():
        own = Delivery.objects.filter(connection=connection).order_by("-pk")
        [*beyond] = own.values_list("pk", flat=True)[MOST_STORED : MOST_STORED + 1]
        if beyond:
            gone += own.order_by().filter(pk__lte=beyond[0]).delete()[0]
    return gone


def _notify(delivery: Delivery, data: Mapping[str, object]) -> None:
    """Sends the signal, and notes on the row what came of it."""
    if delivery.event == DEAUTHORIZED:
        delivery.did = deauthorization.EFFECT
        return
    with in_english():
        answers: list[tuple[Any, Any]] = event_received.send(
            Subscription, connection=delivery.connection, event=delivery.event, data=data
        )
    effects = [answer for _, answer in answers if isinstance(answer, EventEffect)]
    delivery.changes = any(effect.changes for effect in effects)
    words = dict.fromkeys(effect.words for effect in effects)
    delivery.did = "\n".join(words) or (NO_LIST if reported(delivery.event) else NOT_FOLLOWED)


def _row(connection: Connection, notification: JsonDict, event_id: str) -> Delivery:
    content, is_cut = stored(notification)
    data = object_of(content)
    event = event_in(notification)
    titles = in_all_languages(lazily(partial(title, event)))
    words = " ".join((*titles, *texts_in(data), event_id))
    today = reported(event)
    topic = next(filter(None, (today.text(each, data) for each in _NAMING)), "") if today else ""
    return Delivery(
        connection=connection,
        event_id=event_id or None,
        event=event,
        happened_at=happened_in(notification),
        object_id=_plain(data.get("id")) or (text(today.text("id", data), 100) if today else ""),
        instance=_plain(data.get("uuid")) or (text(today.text("uuid", data), 100) if today else ""),
        topic=_plain(data.get("topic"), 300) or text(topic, 300),
        payload=json.dumps(content, indent=2, ensure_ascii=False),
        is_cut=is_cut,
        search=folded(words)[:_SEARCHED],
    )


def _plain(value: object, at_most: int = 100) -> str:
    return text(value, at_most) if isinstance(value, (str, int)) else ""


def _event_id(data: object) -> str:
    """Returns the id of a delivery; the hash of one that a database cannot store as it is."""
    if data in (None, ""):
        return ""
    whole = data if isinstance(data, str) else json.dumps(data, sort_keys=True)
    if text(whole, _LONGEST_ID) == whole:
        return whole
    return hashlib.sha256(whole.encode(errors="surrogatepass")).hexdigest()


def count(subscription: Subscription, why: Refusal.Why) -> None:
    DELIVERIES.add(why.value)
    key = (subscription.pk, why.value)
    with _counting:
        if key not in _waiting and len(_waiting) >= _MOST:
            return
        _waiting[key] = _waiting.get(key, 0) + 1
    write_counts(subscription, why)


def write_counts(subscription: Subscription, *reasons: Refusal.Why) -> None:
    """Writes what was counted, for these reasons or for all, unless that was done lately."""
    now, due = time.monotonic(), {}
    with _counting:
        for why in reasons or Refusal.Why:
            key = (subscription.pk, why.value)
            if _waiting.get(key) and now - _written.get(key, -WRITTEN_EVERY) >= WRITTEN_EVERY:
                _written[key] = now
                due[why], _waiting[key] = _waiting[key], 0
    for why, counted in due.items():
        _add(subscription, why, counted)


def _add(subscription: Subscription, why: Refusal.Why, counted: int) -> None:
    now = clock.now()
    same = Refusal.objects.filter(subscription=subscription, why=why)
    if same.filter(last_at__gt=now - _APART).update(count=F("count") + counted, last_at=now):
        return
    begun = {"count": counted, "since": now, "last_at": now}
    Refusal.objects.update_or_create(subscription=subscription, why=why, defaults=begun)
