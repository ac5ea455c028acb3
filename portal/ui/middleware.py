"""What pages need to know of the browser, and what an htmx answer needs beside its fragment."""

from collections.abc import Callable
from functools import lru_cache
from urllib.parse import unquote, urlencode, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.contrib.messages import get_messages
from django.contrib.messages.storage.base import BaseStorage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.template.loader import render_to_string
from django.utils import timezone
from django_htmx.http import HttpResponseClientRedirect

ZONE = "zone"  # the cookie in which a script keeps the browser's time zone
_REDIRECTS = {301, 302, 303, 307, 308}


class ViewerZone:
    """Tells times in the time zone of the browser, once it has said which that is."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        zone = known_zone(unquote(request.COOKIES.get(ZONE, ""))[:64])
        if zone is None:
            return self.get_response(request)
        with timezone.override(zone):
            return self.get_response(request)


@lru_cache(256)
def known_zone(name: str) -> ZoneInfo | None:
    """The zone of this name, if there is one."""
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return None


class HtmxAnswers:
    """Adds toasts out-of-band, and turns redirects into ones that load the whole page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not request.htmx:  # type: ignore[attr-defined]
            return response
        if response.status_code in _REDIRECTS:
            return _load(request, response)
        if _is_fragment(response):
            _add_toasts(request, response)
        return response


def _load(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The redirect as one that replaces the page; sign-in returns to the page that was open."""
    location = response["Location"]
    if urlsplit(location).path == resolve_url(settings.LOGIN_URL):
        here = request.htmx.current_url_abs_path  # type: ignore[attr-defined]
        location = f"{urlsplit(location).path}?{urlencode({'next': here or '/'})}"
    redirect = HttpResponseClientRedirect(location)
    redirect.cookies = response.cookies
    return redirect


def _is_fragment(response: HttpResponse) -> bool:
    return (
        not response.streaming
        and response.status_code != 204
        and response.get("Content-Type", "").startswith("text/html")
        and not any(name in response for name in ("HX-Redirect", "HX-Location", "HX-Refresh"))
    )


def _add_toasts(request: HttpRequest, response: HttpResponse) -> None:
    waiting = get_messages(request)
    if not isinstance(waiting, BaseStorage) or waiting.used or not len(waiting):
        return
    toasts = render_to_string("ui/toasts.html", {"messages": waiting, "out_of_band": True})
    response.content += toasts.encode()
