"""Subscribing to an account's event notifications, and unsubscribing.

A webhook is created at the service by its own operation (spec 4.3), or an administrator made it
there, and entered here the secret that it signs with.
"""

import secrets
from contextlib import suppress
from dataclasses import asdict

from django.db import transaction

from portal.access.http import Origin
from portal.access.models import Connection
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.client import Api, ApiError, NotFound, OutcomeUnknown
from portal.config import clock
from portal.contract.webhooks import Webhook, WebhookEvent
from portal.webhooks.models import Subscription
from portal.webhooks.signatures import SigningScheme

# What changes a list. Who comes and goes in a session changes none, and is reported far more often.
FOLLOWED = (
    WebhookEvent.MEETING_STARTED,
    WebhookEvent.MEETING_ENDED,
    WebhookEvent.MEETING_REGISTERED,
    WebhookEvent.RECORDING_COMPLETED,
    WebhookEvent.RECORDING_TRANSCRIPT_COMPLETED,
)


class AlreadySubscribed(Exception):
    """The connection takes notifications in the other way."""


def following(connection: Connection) -> Subscription | None:
    """Returns the connection's subscription, if there is one."""
    return Subscription.objects.filter(connection=connection).first()


def follow(api: Api, connection: Connection) -> Subscription:
    """Subscribes to events, unless there is a subscription; one that does not work is ended first,
    but not if it works again with version 2. Raises `ApiError`, and `AlreadySubscribed` if
    notifications are signed with a secret."""
    subscription = following(connection)
    if subscription and subscription.is_signed:
        raise AlreadySubscribed
    if subscription and subscription.trouble in ("", Subscription.Trouble.VERSION):
        return subscription
    if subscription:
        _end(api, subscription)
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
    made.created_at = clock.now()  # what happened before the service knew of it is not reported
    made.save(update_fields=["webhook_id", "created_at"])
    return made


def follow_signed(
    origin: Origin, connection: Connection, secret: str, scheme: SigningScheme
) -> Subscription:
    """Takes notifications that are signed with this secret, and for now with the earlier ones too.

    The address stays if the subscription takes signed ones already; else a new one is made. Raises
    `AlreadySubscribed` if the service signs in with a password that this portal gave it.
    """
    with transaction.atomic():
        made = Subscription.objects.select_for_update().filter(connection=connection).first()
        if made and not made.is_signed:
            raise AlreadySubscribed
        if made is None:
            made = Subscription(connection=connection, path=secrets.token_urlsafe(32))
        earlier = [one for one in made.secrets() if one != secret]
        made.set_secrets([secret, *earlier])
        made.signature_header = scheme.signature_header
        made.timestamp_header = scheme.timestamp_header
        made.signature_version = scheme.version
        made.save()
        record(
            origin,
            Act.EVENTS_SIGNED,
            connection=connection,
            sent=asdict(scheme) | {"earlier_secrets": len(made.secrets()) - 1},
        )
    return made


def forget_earlier_secrets(origin: Origin, connection: Connection) -> None:
    """Takes what is signed with the newest secret alone from now on."""
    with transaction.atomic():
        subscription = (
            Subscription.objects.select_for_update().filter(connection=connection).first()
        )
        if subscription is None or not subscription.is_signed:
            return
        subscription.set_secrets(subscription.secrets()[:1])
        subscription.save(update_fields=["sealed_secrets"])
        record(origin, Act.EVENTS_SIGNED, connection=connection, sent={"earlier_secrets": 0})


def unfollow(api: Api, connection: Connection, origin: Origin) -> None:
    """Ends the subscription, also where the service knows of none any more; of one that was made
    at the service itself, it is only taken for unknown from now on. Raises `ApiError`."""
    subscription = following(connection)
    if subscription is None:
        return
    if subscription.is_signed:
        with transaction.atomic():
            subscription.delete()
            record(origin, Act.EVENTS_ENDED, connection=connection)
        return
    _end(api, subscription)


def _end(api: Api, subscription: Subscription) -> None:
    with suppress(NotFound):
        api.webhooks.delete(subscription.webhook_id)
    subscription.delete()


def _id_of(api: Api, url: str) -> str:
    """Returns the service's id of the subscription with this address; empty if it has none."""
    try:
        hooks = api.webhooks.list().webhooks
    except ApiError:
        return ""
    return next((hook.webhook_id for hook in hooks if hook.url == url), "")
