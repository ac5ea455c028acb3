"""Endpoint to which the service delivers its notifications."""

import base64
import json

import structlog
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.request import UnreadablePostError
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from portal.access.tokens import TokenUnreadable
from portal.config import clock
from portal.contract.model import JsonDict
from portal.translation.stored import in_english
from portal.webhooks import deauthorization, deliveries
from portal.webhooks.models import Refusal, Subscription, keyed
from portal.webhooks.signatures import challenge_answer

LARGEST = 64 * 1024  # bytes
_CHALLENGE = {"WWW-Authenticate": 'Basic realm="webhooks"'}  # untranslated: a header
_log = structlog.get_logger(__name__)
_NO_SUBSCRIPTION = Subscription(auth_user="nobody", password_hash=keyed(""))


class TooLarge(Exception):
    """The body is larger than it may be."""


def read_body(request: HttpRequest, most: int) -> bytes:
    """Returns the whole body; empty if its sender left. Raises `TooLarge` for more than `most`
    bytes, before the body is read if its length is declared."""
    declared = request.headers.get("Content-Length", "")
    if declared.isdecimal() and int(declared[:20]) > most:
        raise TooLarge
    try:
        content = request.read(most + 1)
    except UnreadablePostError:
        return b""
    if len(content) > most:
        raise TooLarge
    return content


@csrf_exempt
@login_not_required
@require_POST
def hook(request: HttpRequest, path: str) -> HttpResponse:
    """Takes a notification. 204 says that it was taken, also where it is about nothing of ours.

    An address that was never made and a wrong password are answered alike, with 401, before the
    body is read. A signature is of the whole body, so that one of at most 64 KB is read first. The
    question whose address it is, signed rightly, is answered with 200 and the answer.
    """
    subscription = Subscription.objects.select_related("connection").filter(path=path).first()
    if subscription is None or not subscription.is_signed:
        user, password = _credentials(request)
        is_let_in = (subscription or _NO_SUBSCRIPTION).lets_in(user, password)
        if subscription and not is_let_in:
            deliveries.count(subscription, Refusal.Why.PASSWORD)
        if not is_let_in:
            return _unauthorized()
    if subscription is None:
        return _unauthorized()
    try:
        content = read_body(request, LARGEST)
    except TooLarge:
        return _refused(subscription, Refusal.Why.SIZE, 413)
    secret = _secret(subscription, request, content) if subscription.is_signed else ""
    if isinstance(secret, HttpResponse):
        return secret
    notification = _document(content)
    if notification is None:
        return _refused(subscription, Refusal.Why.FORM, 400)
    if secret and (answer := challenge_answer(secret, notification)):
        now = clock.now()
        subscription.note(validated_at=now)
        deauthorization.end(subscription, now)
        return JsonResponse(answer)
    signed_at = request.headers.get(subscription.scheme.timestamp_header, "") if secret else ""
    deliveries.accept(subscription, notification, content, signed_at)
    deliveries.write_counts(subscription)
    return HttpResponse(status=204)


def _secret(subscription: Subscription, request: HttpRequest, content: bytes) -> str | HttpResponse:
    """Returns the secret that a notification was signed with, or the refusal of it."""
    try:
        secrets = subscription.secrets()
    except TokenUnreadable:  # the service tries again later, and Settings say what to do
        _log.error("secret of a webhook unreadable", connection=subscription.connection.key)
        return HttpResponse(status=503, headers={"Retry-After": "300"})
    secret = subscription.scheme.secret_of(secrets, request.headers, content)
    if secret is None:
        deliveries.count(subscription, Refusal.Why.SIGNATURE)
        return _unauthorized()
    if not subscription.scheme.is_recent(request.headers):
        deliveries.count(subscription, Refusal.Why.TIME)
        return _unauthorized()
    return secret


def _unauthorized() -> HttpResponse:
    return HttpResponse(status=401, headers=_CHALLENGE)


def _refused(subscription: Subscription, why: Refusal.Why, status: int) -> HttpResponse:
    deliveries.count(subscription, why)
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


def _document(content: bytes) -> JsonDict | None:
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None
