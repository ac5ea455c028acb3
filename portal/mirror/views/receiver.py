"""Where the service delivers its notifications."""

import base64
import json
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from portal.mirror import hooks
from portal.mirror.models import Subscription
from portal.mirror.models.hooks import keyed

LARGEST = 64 * 1024  # bytes
_NOBODYS = Subscription(auth_user="nobody", password_hash=keyed(""))


@csrf_exempt
@login_not_required
@require_POST
def hook(request: HttpRequest, path: str) -> HttpResponse:
    """Takes a notification. 204 says that it was taken, also where it is about nothing of ours.

    An address that was never made and a wrong password are answered alike, with 401.
    """
    subscription = Subscription.objects.select_related("connection").filter(path=path).first()
    user, password = _credentials(request)
    is_let_in = (subscription or _NOBODYS).lets_in(user, password)
    if subscription is None or not is_let_in:
        return HttpResponse(status=401, headers={"WWW-Authenticate": 'Basic realm="webhooks"'})
    content = _content(request)
    if content is None:
        return HttpResponse("Too long.", status=413, content_type="text/plain")
    notification = _document(content)
    if notification is None:
        return HttpResponse("Not a notification.", status=400, content_type="text/plain")
    hooks.take(subscription, notification)
    return HttpResponse(status=204)


def _credentials(request: HttpRequest) -> tuple[str, str]:
    scheme, _, encoded = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return "", ""
    try:
        user, _, password = base64.b64decode(encoded, validate=True).decode().partition(":")
    except ValueError:
        return "", ""
    return user, password


def _content(request: HttpRequest) -> bytes | None:
    """The body, or nothing of one that is too long."""
    text = request.headers.get("Content-Length", "")
    if text.isdecimal() and int(text) > LARGEST:
        return None
    content = request.read(LARGEST + 1)
    return content if len(content) <= LARGEST else None


def _document(content: bytes) -> dict[str, Any] | None:
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None
