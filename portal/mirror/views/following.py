"""Following what happens on an account, turned on and off."""

from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.contract.webhooks import Webhooks
from portal.mirror import gaps, hooks
from portal.translation import gettext as _
from portal.ui.pages import go, page


@require_safe
@connected(needs=Webhooks.get)
def following(request: PortalRequest) -> HttpResponse:
    """Whether the portal is notified of changes as they happen, and since when."""
    context = {"subscription": hooks.following(request.connection)}
    return page(request, "mirror/following.html", context)


@require_POST
@connected(needs=Webhooks.create)
def follow(request: PortalRequest) -> HttpResponse:
    if not hooks.follow(request.api, request.connection).trouble:
        gaps.end(request.connection, timezone.now())
    messages.success(
        request, _("%(name)s now sends event notifications.") % {"name": request.connection.name}
    )
    return go(request, reverse("mirror:following", args=[request.connection.key]))


@require_POST
@connected(needs=Webhooks.delete)
def unfollow(request: PortalRequest) -> HttpResponse:
    hooks.unfollow(request.api, request.connection)
    messages.success(
        request,
        _("%(name)s no longer sends event notifications.") % {"name": request.connection.name},
    )
    return go(request, reverse("mirror:following", args=[request.connection.key]))
