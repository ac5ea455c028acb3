"""Deliveries as tests make and send them."""

import base64
import json
from typing import Any

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portal.access.models import Connection
from portal.mirror.models import MirrorState
from portal.recordings.mirror import state_of
from portal.sessions import mirror as sessions
from portal.webhooks import deliveries
from portal.webhooks.models import Subscription, keyed

PASSWORD = "pa:ss wörd"


def forget_counts() -> None:
    """Resets the counts of refusals, as in a process that has just begun."""
    deliveries._waiting.clear()
    deliveries._written.clear()


def subscribed(connection: Connection, **values: Any) -> Subscription:
    """One that the service never heard of, of a connection whose lists a user looks at."""
    for state in (sessions.state_of(connection), state_of(connection)):
        MirrorState.objects.filter(pk=state.pk).update(viewed_at=timezone.now())
    given = {"path": f"a-path-{connection.pk}", "auth_user": "conf", **values}
    return Subscription.objects.create(
        connection=connection, password_hash=keyed(PASSWORD), **given
    )


def notification(
    event: str = "meeting_started", event_id: str = "e-1", at: str = "", **data: Any
) -> dict[str, Any]:
    """As the service makes it; `data` is the object that it is about."""
    whole = {"event": event, "event_id": event_id, "payload": {"object": data}}
    return whole | ({"event_time": at} if at else {})


def post(
    subscription: Subscription,
    content: bytes | dict[str, Any],
    *,
    user: str = "conf",
    password: str = PASSWORD,
) -> int:
    """Delivers it. Returns the status of the answer."""
    body = json.dumps(content).encode() if isinstance(content, dict) else content
    client = Client(enforce_csrf_checks=True)
    url = reverse("hook", args=[subscription.path])
    headers = {"Authorization": signed(user, password)}
    sent = client.post(url, body, content_type="application/json", headers=headers)
    return int(sent.status_code)


def signed(user: str = "conf", password: str = PASSWORD) -> str:
    return f"Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"
