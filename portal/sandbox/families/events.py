"""Events that subscribers receive (spec 6).

`emit` writes a notification into the database in the transaction of the change itself: an event is
sent if and only if it happened, and no request waits for a subscriber.
"""

from collections.abc import Mapping
from typing import Any

import orjson
from django.db import transaction

from portal.contract.webhooks import WebhookEvent, WebhookVersion as Version
from portal.sandbox import courier
from portal.sandbox.clock import now
from portal.sandbox.current.webhooks import APP, notification
from portal.sandbox.families.account import ACCOUNT_ID
from portal.sandbox.identifiers import new_id, timestamp
from portal.sandbox.models import Delivery, Webhook, WebhookVersion


def emit(event: WebhookEvent, data: Mapping[str, Any]) -> None:
    """Notifies all subscribers of `event`.

    `data` is the object of the event as JSON, with times as text. All subscribers receive the same
    `event_id`.
    """
    if webhook_version() is not Version.V2:
        return
    hooks = [hook for hook in Webhook.objects.all() if event.value in hook.events]
    if not hooks:
        return
    document = {
        "event": event.value,
        "event_id": new_id(),
        "event_time": timestamp(now()),
        "account_id": ACCOUNT_ID,
        "payload": {"object": dict(data)},
    }
    content, of_the_app = orjson.dumps(document).decode(), notification(event, ACCOUNT_ID, data)
    Delivery.objects.bulk_create(
        Delivery(webhook=hook, content=of_the_app if hook.id == APP else content) for hook in hooks
    )
    transaction.on_commit(courier.wake)


def webhook_version() -> Version:
    """Returns the version of webhooks of the account; only version 2 sends deliveries."""
    chosen = WebhookVersion.objects.values_list("version", flat=True).first()
    return Version(chosen) if chosen else Version.V2
