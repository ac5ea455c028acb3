"""Routes of an account's webhooks, and those to which the service sends its notifications."""

from django.urls import include, path

from portal.ui.views.connected import paths_of
from portal.ui.views.resources import resource_paths
from portal.webhooks.resources import WEBHOOKS
from portal.webhooks.views import delivery_log, listing, receiver, subscription

_pages = [
    path("changes/", subscription.following, name="following"),
    path("changes/follow/", subscription.follow, name="follow"),
    path("changes/signed/", subscription.FollowSignedView.as_view(), name="follow-signed"),
    path("changes/signed/newest/", subscription.forget_earlier, name="forget-earlier-secrets"),
    path("changes/unfollow/", subscription.unfollow, name="unfollow"),
]
_webhooks = [
    *paths_of(delivery_log.DeliveryListView, "webhooks/deliveries/", "deliveries"),
    path(
        "webhooks/deliveries/check/",
        delivery_log.CheckDeliveriesView.as_view(),
        name="deliveries-check",
    ),
    path(
        "webhooks/deliveries/play/", delivery_log.PlayAllView.as_view(), name="deliveries-play-all"
    ),
    path(
        "webhooks/deliveries/<int:delivery_id>/play/",
        delivery_log.PlayOneView.as_view(),
        name="deliveries-play",
    ),
    path("webhooks/version/", listing.ChooseVersionView.as_view(), name="webhooks-version"),
    *resource_paths(WEBHOOKS, listing.WebhookListView, listing.DeleteWebhookView),
]

urlpatterns = [
    path("hooks/<slug:path>/", receiver.hook, name="hook"),
    path(
        "c/<str:connection>/",
        include(([*_pages, path("account/", include(_webhooks))], "webhooks")),
    ),
]
