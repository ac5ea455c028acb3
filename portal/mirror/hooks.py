"""Following what happens on an account: subscribing to its notifications, and taking them."""

import hashlib
import json
import secrets
from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone

from portal.access.models import Connection
from portal.client import Api, ApiError, NotFound, OutcomeUnknown
from portal.contract.webhooks import Webhook, WebhookEvent
from portal.mirror.models import Heard, Subscription
from portal.mirror.values import text

# Sent with the `connection`, the `event` and the service's `data` of the object that it happened
# to, in the transaction that takes the notification.
event_received = Signal()

# What changes a list. Who comes and goes in a session changes none, and is reported far more often.
FOLLOWED = (
    WebhookEvent.MEETING_STARTED,
    WebhookEvent.MEETING_ENDED,
    WebhookEvent.MEETING_REGISTERED,
    WebhookEvent.RECORDING_COMPLETED,
    WebhookEvent.RECORDING_TRANSCRIPT_COMPLETED,
)
_LONGEST_ID = 200
KEPT_FOR = timedelta(days=3)  # the service gives a notification up after a day


def following(connection: Connection) -> Subscription | None:
    """The connection's subscription, if there is one."""
    return Subscription.objects.filter(connection=connection).first()


def follow(api: Api, connection: Connection) -> Subscription:
    """Subscribes to what happens, unless that is done already. Raises `ApiError`."""
    known = following(connection)
    if known:
        return known
    password = secrets.token_urlsafe(32)
    made = Subscription(
        connection=connection,
        path=secrets.token_urlsafe(32),
        auth_user=f"switchboard-{secrets.token_hex(4)}",
    )
    made.set_password(password)
    # Kept before it is known to the service, which may send something at once.
    made.save()
    wanted = Webhook(
        url=made.url, auth_user=made.auth_user, auth_password=password, events=list(FOLLOWED)
    )
    try:
        made.webhook_id = api.webhooks.create(wanted).webhook_id
    except OutcomeUnknown:
        made.webhook_id = _id_of(api, made.url)
        if not made.webhook_id:
            made.delete()
            raise
    except BaseException:
        made.delete()
        raise
    made.save(update_fields=["webhook_id"])
    return made


def unfollow(api: Api, connection: Connection) -> None:
    """Ends the subscription, also where the service knows of none any more. Raises `ApiError`."""
    known = following(connection)
    if known is None:
        return
    with suppress(NotFound):
        api.webhooks.delete(known.webhook_id)
    known.delete()


def take(subscription: Subscription, notification: dict[str, Any]) -> None:
    """Takes a notification, and sends `event_received`; one that was taken before changes
    nothing."""
    event_id = _event_id(notification.get("event_id"))
    with transaction.atomic():
        if event_id:
            _, is_new = Heard.objects.get_or_create(subscription=subscription, event_id=event_id)
            if not is_new:
                return
        Subscription.objects.filter(pk=subscription.pk).update(heard_at=timezone.now())
        event_received.send(
            Subscription,
            connection=subscription.connection,
            event=_event(notification),
            data=_object(notification),
        )


def prune() -> int:
    """Forgets what was taken long ago. Returns how many."""
    old = Heard.objects.filter(at__lt=timezone.now() - KEPT_FOR)
    return old.delete()[0]


def _event_id(data: Any) -> str:
    """What identifies a delivery; what a database cannot keep as it is, by its hash."""
    if data in (None, ""):
        return ""
    whole = data if isinstance(data, str) else json.dumps(data, sort_keys=True)
    if text(whole, _LONGEST_ID) == whole:
        return whole
    return hashlib.sha256(whole.encode(errors="surrogatepass")).hexdigest()


def _event(notification: dict[str, Any]) -> str:
    data = notification.get("event")
    return data if isinstance(data, str) else ""


def _object(notification: dict[str, Any]) -> dict[str, Any]:
    """What happened to what; empty where the notification is not in a known form."""
    payload = notification.get("payload")
    data = payload.get("object") if isinstance(payload, dict) else None
    return data if isinstance(data, dict) else {}


def _id_of(api: Api, url: str) -> str:
    """What the service calls the subscription with this address; empty if it has none."""
    try:
        known = api.webhooks.list().webhooks
    except ApiError:
        return ""
    return next((hook.webhook_id for hook in known if hook.url == url), "")
