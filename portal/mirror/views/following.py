"""Following what happens on an account, turned on and off."""

from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.config import clock
from portal.contract.webhooks import Webhooks
from portal.mirror import gaps, hooks
from portal.translation import gettext as _
from portal.ui.pages import go, page


@require_safe
@connected(needs=Webhooks.get)
def following(request: PortalRequest) -> HttpResponse:
    """Shows whether the portal is notified of changes as they happen, and since when."""
    subscription = hooks.following(request.connection)
    has_earlier = subscription is not None and subscription.has_earlier_secrets
    context = {"subscription": subscription, "has_earlier_secrets": has_earlier}
    return page(request, "mirror/following.html", context)


@require_POST
@connected(needs=Webhooks.create)
def follow(request: PortalRequest) -> HttpResponse:
    following_url = reverse("mirror:following", args=[request.connection.key])
    try:
        subscription = hooks.follow(request.api, request.connection)
    except hooks.AlreadySubscribed:
        messages.error(request, _("Unsubscribe first: signed events are in use."))
        return go(request, following_url)
    if not subscription.trouble:
        gaps.end(request.connection, clock.now())
    messages.success(
        request, _("%(name)s now sends event notifications.") % {"name": request.connection.name}
    )
    return go(request, following_url)


@require_POST
@connected(needs=Webhooks.delete)
def unfollow(request: PortalRequest) -> HttpResponse:
    hooks.unfollow(request.api, request.connection, origin_of(request))
    messages.success(
        request,
        _("%(name)s no longer sends event notifications.") % {"name": request.connection.name},
    )
    return go(request, reverse("mirror:following", args=[request.connection.key]))
