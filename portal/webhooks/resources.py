"""The webhooks that the service lists, as a resource of the account."""

from portal.contract.webhooks import Webhooks
from portal.translation import gettext_lazy
from portal.ui.resources import Resource

WEBHOOKS = Resource(
    "webhooks",
    "webhooks",
    gettext_lazy("webhook"),
    gettext_lazy("webhooks"),
    gettext_lazy("Webhooks"),
    "webhook",
    gettext_lazy("Addresses to which the service sends event notifications."),
    gettext_lazy("A webhook sends event notifications of the service to an address."),
    Webhooks,
    key="webhook_id",
    label="url",
    own=("url", "auth_user"),
    fields=("url", "auth_user", "auth_password", "events"),
)
