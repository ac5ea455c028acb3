"""Pages about the whole account, under `/c/<connection>/account/`."""

from typing import Any

from django.urls import URLPattern, path

from portal.account.resources import DEVICES, TRACKING_FIELDS, WEBHOOKS, Resource
from portal.account.views import devices, tracking_fields, webhooks
from portal.account.views.telephony import ChangeTelephony, telephony

app_name = "account"


def _urls(
    resource: Resource, listed: Any, create: Any, change: Any, delete: Any
) -> list[URLPattern]:
    name, one = resource.name, f"{resource.name}/<id:resource_id>"
    return [
        path(f"{name}/", listed.as_view(), name=name),
        path(f"{name}/export/<slug:file>/", listed.as_view(part="export"), name=f"{name}-export"),
        path(f"{name}/new/", create.as_view(), name=f"{name}-new"),
        path(f"{one}/change/", change.as_view(), name=f"{name}-change"),
        path(f"{one}/delete/", delete.as_view(), name=f"{name}-delete"),
    ]


urlpatterns = [
    *_urls(
        DEVICES,
        devices.DeviceList,
        devices.CreateDevice,
        devices.ChangeDevice,
        devices.DeleteDevice,
    ),
    *_urls(
        TRACKING_FIELDS,
        tracking_fields.TrackingFieldList,
        tracking_fields.CreateTrackingField,
        tracking_fields.ChangeTrackingField,
        tracking_fields.DeleteTrackingField,
    ),
    path("webhooks/version/", webhooks.ChooseVersion.as_view(), name="webhooks-version"),
    *_urls(
        WEBHOOKS,
        webhooks.WebhookList,
        webhooks.CreateWebhook,
        webhooks.ChangeWebhook,
        webhooks.DeleteWebhook,
    ),
    path("telephony/", telephony, name="telephony"),
    path("telephony/change/", ChangeTelephony.as_view(), name="telephony-change"),
]
