"""Webhooks: subscriptions to events, and the version of the account (spec 2.11 and 6).

Subscriptions belong to version 2 only. While the account uses version 1 they are hidden, and they
come back with version 2.
"""

from django.db import transaction

from portal.contract.webhooks import (
    Webhook as WebhookDocument,
    WebhookDetails,
    WebhookList,
    WebhookOptions,
    Webhooks,
    WebhookUpdate,
    WebhookVersion as Version,
)
from portal.sandbox import courier
from portal.sandbox.clock import now
from portal.sandbox.errors import NotFound
from portal.sandbox.families.events import webhook_version
from portal.sandbox.http import Created, location
from portal.sandbox.models import Webhook, WebhookVersion
from portal.sandbox.serving import serves


@serves(Webhooks.list)
def list_webhooks() -> WebhookList:
    _require_version_2()
    found = [_document(hook) for hook in Webhook.objects.order_by("created_at", "id")]
    return WebhookList(webhooks=found, total_records=len(found))


@serves(Webhooks.create)
def create_webhook(body: WebhookDocument) -> Created:
    _require_version_2()
    hook = Webhook.objects.create(**body.model_dump(mode="json"))
    return Created(location(Webhooks.get, hook.id), _document(hook))


@serves(Webhooks.get)
def get_webhook(webhook_id: str) -> WebhookDetails:
    return _document(_webhook(webhook_id))


@serves(Webhooks.update)
def update_webhook(webhook_id: str, body: WebhookUpdate) -> None:
    """Changes a subscription. Deliveries under way go to its new address at once."""
    hook = _webhook(webhook_id)
    sent = body.model_dump(mode="json", exclude_unset=True, exclude_none=True)
    for name, value in sent.items():
        setattr(hook, name, value)
    hook.save()
    if body.url is not None:
        hook.deliveries.update(due_at=now())
        transaction.on_commit(courier.wake)


@serves(Webhooks.delete)
def delete_webhook(webhook_id: str) -> None:
    _webhook(webhook_id).delete()


@serves(Webhooks.choose_version)
def choose_webhook_version(body: WebhookOptions) -> None:
    WebhookVersion.objects.update_or_create(id=1, defaults={"version": body.version.value})


def _webhook(webhook_id: str) -> Webhook:
    _require_version_2()
    found = Webhook.objects.filter(id=webhook_id).first()
    if found is None:
        raise NotFound("webhook")
    return found


def _require_version_2() -> None:
    if webhook_version() is not Version.V2:
        raise NotFound("webhook")


def _document(hook: Webhook) -> WebhookDetails:
    return WebhookDetails(
        webhook_id=hook.id,
        url=hook.url,
        auth_user=hook.auth_user,
        auth_password=hook.auth_password,
        events=hook.events,
        created_at=hook.created_at.replace(microsecond=0),
    )
