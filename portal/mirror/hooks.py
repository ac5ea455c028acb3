"""Subscribing to an account's event notifications, and unsubscribing."""

import secrets
from contextlib import suppress

from portal.access.models import Connection
from portal.client import Api, ApiError, NotFound, OutcomeUnknown
from portal.contract.webhooks import Webhook, WebhookEvent
from portal.mirror.models import Subscription

# What changes a list. Who comes and goes in a session changes none, and is reported far more often.
FOLLOWED = (
    WebhookEvent.MEETING_STARTED,
    WebhookEvent.MEETING_ENDED,
    WebhookEvent.MEETING_REGISTERED,
    WebhookEvent.RECORDING_COMPLETED,
    WebhookEvent.RECORDING_TRANSCRIPT_COMPLETED,
)


def following(connection: Connection) -> Subscription | None:
    """The connection's subscription, if there is one."""
    return Subscription.objects.filter(connection=connection).first()


def follow(api: Api, connection: Connection) -> Subscription:
    """Subscribes to what happens, unless that is done already; a subscription of which the service
    delivers nothing is ended first, but for one that comes back with version 2. Raises
    `ApiError`."""
    known = following(connection)
    if known and known.trouble in ("", Subscription.Trouble.VERSION):
        return known
    if known:
        unfollow(api, connection)
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


def _id_of(api: Api, url: str) -> str:
    """What the service calls the subscription with this address; empty if it has none."""
    try:
        known = api.webhooks.list().webhooks
    except ApiError:
        return ""
    return next((hook.webhook_id for hook in known if hook.url == url), "")
