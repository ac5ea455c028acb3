"""Notifications of today's services: signed, for a subscription that is made with the app.

Before the first notification, and every 72 hours, the subscriber has to prove that it has the
secret.
"""

import hmac
import secrets
from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Any

import orjson

from portal.contract.webhooks import WebhookEvent
from portal.sandbox.clock import now, seconds
from portal.sandbox.models import Delivery, Webhook

APP = "app"
ASKED_EVERY = timedelta(hours=72)
_VERSION = "v0"
_VALIDATION = "endpoint.url_validation"
_LONGEST_ANSWER = 4096
_OF_WEBINARS = {5, 6, 9}  # types of sessions
_NAMES = {
    WebhookEvent.MEETING_STARTED: "meeting.started",
    WebhookEvent.MEETING_ENDED: "meeting.ended",
    WebhookEvent.MEETING_JBH: "meeting.participant_jbh_joined",
    WebhookEvent.MEETING_JOIN: "meeting.participant_jbh_waiting",
    WebhookEvent.RECORDING_COMPLETED: "recording.completed",
    WebhookEvent.PARTICIPANT_JOINED: "meeting.participant_joined",
    WebhookEvent.PARTICIPANT_LEFT: "meeting.participant_left",
    WebhookEvent.MEETING_REGISTERED: "meeting.registration_created",
    WebhookEvent.RECORDING_TRANSCRIPT_COMPLETED: "recording.transcript_completed",
}


def subscribe(url: str) -> None:
    """Creates the subscription of the app and sends its challenge; without a URL it creates
    none."""
    if not url:
        Webhook.objects.filter(id=APP).delete()
        return
    events = [event.value for event in WebhookEvent]
    given = {"url": url, "auth_user": "", "auth_password": "", "events": events}
    hook, _ = Webhook.objects.update_or_create(id=APP, defaults=given)
    hook.deliveries.filter(content__contains=_VALIDATION).delete()
    content = _document(_VALIDATION, {"plainToken": secrets.token_urlsafe(16)})
    Delivery.objects.create(webhook=hook, content=content)


def notification(event: WebhookEvent, account_id: str, data: Mapping[str, Any]) -> str:
    """Returns the content: without an event id, and with its time in milliseconds."""
    name = _NAMES[event]
    if data.get("type") in _OF_WEBINARS:
        name = name.replace("meeting.", "webinar.")
    return _document(name, {"account_id": account_id, "object": dict(data)})


def has_app() -> bool:
    return Webhook.objects.filter(id=APP).exists()


def report(event: str, payload: Mapping[str, Any]) -> None:
    """Sends an event that the document does not have to the webhook of the app, which exists."""
    Delivery.objects.create(webhook_id=APP, content=_document(event, payload))


def signed(secret: str, content: str) -> list[tuple[str, str]]:
    """Returns the headers that prove the sender and the time of the content."""
    moment = str(int(seconds()))
    signature = _hmac(secret, f"{_VERSION}:{moment}:{content}")
    return [
        ("x-zm-request-timestamp", moment),
        ("x-zm-signature", f"{_VERSION}={signature}"),
    ]


def is_question(content: str) -> bool:
    return bool(orjson.loads(content)["event"] == _VALIDATION)


def is_answer(secret: str, content: str, answer: bytes) -> bool:
    """Returns whether a subscriber has answered the challenge with this secret."""
    token = orjson.loads(content)["payload"]["plainToken"]
    try:
        given = orjson.loads(answer[:_LONGEST_ANSWER])
    except orjson.JSONDecodeError:
        return False
    return bool(given == {"plainToken": token, "encryptedToken": _hmac(secret, token)})


def _document(event: str, payload: Mapping[str, Any]) -> str:
    moment = int(now().timestamp() * 1000)
    return orjson.dumps({"event": event, "payload": payload, "event_ts": moment}).decode()


def _hmac(secret: str, text: str) -> str:
    return hmac.new(secret.encode(), text.encode(), sha256).hexdigest()
