"""Middleware that reads the browser's headers, and completes the fragment of an htmx answer."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.contrib.messages import get_messages
from django.contrib.messages.storage.base import BaseStorage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from portal.access.http import htmx_of
from portal.translation.lookups import remember_words
from portal.ui.pages import DIALOG_TARGET, PAGE_TARGET
from portal.ui.preferences import language_of, zone_of

_REDIRECTS = {301, 302, 303, 307, 308}


class ViewerMiddleware:
    """Gives views what htmx says of a request, but for an address of a page that is none, and has
    them speak the viewer's language and show times in their zone: those that the person has chosen,
    or the browser's.

    Answers to htmx get toasts out-of-band, and redirects load the whole page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        htmx = HtmxDetails(request)
        try:
            urlsplit(htmx.current_url or "")
        except ValueError:
            htmx.current_url = None
        # First: pages about a failure, also to read who asks, are answers to htmx too.
        request.htmx = htmx  # type: ignore[attr-defined]
        zone = zone_of(request)
        in_zone = timezone.override(zone) if zone else nullcontext()
        with translation.override(language_of(request)), in_zone:
            remember_words()
            response = self.get_response(request)
            if htmx and response.status_code in _REDIRECTS:
                response = _load(request, response)
            elif htmx and _is_fragment(response):
                _add_toasts(request, response)
            response.headers.setdefault("Content-Language", translation.get_language())
        patch_vary_headers(response, ["Accept-Language"])
        return response


def _load(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Returns a redirect that replaces the page; sign-in returns to the page that was open."""
    location = response["Location"]  # untranslated: a header
    if urlsplit(location).path == resolve_url(settings.LOGIN_URL):
        here = htmx_of(request).current_url_abs_path
        location = f"{urlsplit(location).path}?{urlencode({'next': here or '/'})}"
    redirect = HttpResponseClientRedirect(location)
    redirect.cookies = response.cookies
    return redirect


def _is_fragment(response: HttpResponse) -> bool:
    return (
        not response.streaming
        and response.status_code != 204
        and not response.has_header("Content-Encoding")
        and response.get("Content-Type", "").startswith("text/html")
        and not any(name in response for name in ("HX-Redirect", "HX-Location", "HX-Refresh"))
    )


def _add_toasts(request: HttpRequest, response: HttpResponse) -> None:
    waiting = get_messages(request)
    if not isinstance(waiting, BaseStorage) or waiting.used:
        return
    shown = _take_own(waiting) if _is_in_background(request) else list(waiting)
    if shown:
        toasts = render_to_string("ui/toasts.html", {"messages": shown, "out_of_band": True})
        response.content += toasts.encode()


def _is_in_background(request: HttpRequest) -> bool:
    """Returns whether the page asked by itself for one of its fragments, as it does for live data.

    It may be about to be left for another page, for which earlier toasts wait.
    """
    htmx = htmx_of(request)
    is_fragment = bool(htmx.target) and htmx.target not in (PAGE_TARGET, DIALOG_TARGET)
    return request.method == "GET" and is_fragment and not htmx.boosted


def _take_own(waiting: Any) -> list[object]:
    """Returns the toasts of this request alone; Django has no public way to do it."""
    own = list(waiting._queued_messages)
    waiting._queued_messages, waiting.added_new = [], False
    return own
