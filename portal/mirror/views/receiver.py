"""Where the service delivers its notifications."""

import base64
import json
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from portal.mirror import deliveries, refusals
from portal.mirror.bodies import TooLarge, TooMany, read_body
from portal.mirror.models import Refusal, Subscription
from portal.mirror.models.hooks import keyed
from portal.translation.stored import in_english

LARGEST = 64 * 1024  # bytes
_CHALLENGE = {"WWW-Authenticate": 'Basic realm="webhooks"'}  # untranslated: a header
_NOBODYS = Subscription(auth_user="nobody", password_hash=keyed(""))


@csrf_exempt
@login_not_required
@require_POST
def hook(request: HttpRequest, path: str) -> HttpResponse:
    """Takes a notification. 204 says that it was taken, also where it is about nothing of ours.

    An address that was never made and a wrong password are answered alike, with 401, before the
    body is read.
    """
    subscription = Subscription.objects.select_related("connection").filter(path=path).first()
    user, password = _credentials(request)
    is_let_in = (subscription or _NOBODYS).lets_in(user, password)
    if subscription is None:
        return _unknown()
    if not is_let_in:
        refusals.count(subscription, Refusal.Why.PASSWORD)
        return _unknown()
    try:
        content = read_body(request, LARGEST)
    except TooMany:
        return _refused(subscription, Refusal.Why.BUSY, 503)
    except TooLarge:
        return _refused(subscription, Refusal.Why.SIZE, 413)
    notification = _document(content)
    if notification is None:
        return _refused(subscription, Refusal.Why.FORM, 400)
    deliveries.take(subscription, notification)
    refusals.settle(subscription)
    return HttpResponse(status=204)


def _unknown() -> HttpResponse:
    return HttpResponse(status=401, headers=_CHALLENGE)


def _refused(subscription: Subscription, why: Refusal.Why, status: int) -> HttpResponse:
    refusals.count(subscription, why)
    with in_english():
        words = f"{why.label.capitalize()}.\n"
    return HttpResponse(words, status=status, content_type="text/plain")


def _credentials(request: HttpRequest) -> tuple[str, str]:
    given = request.headers.get("Authorization", "")  # untranslated: a header
    scheme, _, encoded = given.partition(" ")
    if scheme.lower() != "basic":
        return "", ""
    try:
        user, _, password = base64.b64decode(encoded, validate=True).decode().partition(":")
    except ValueError:
        return "", ""
    return user, password


def _document(content: bytes) -> dict[str, Any] | None:
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None
