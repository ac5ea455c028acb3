"""Proving again who one is, before what cannot be undone.

A sign-in counts, and so does a repeated password or second factor, for a few minutes. A form that
was sent without either waits in the session and is carried out after the proof.
"""

import time
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlencode

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.reauthentication import suspend_request
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse

from portal.access.http import PortalRequest

P = ParamSpec("P")
View = Callable[Concatenate[PortalRequest, P], HttpResponseBase]

# Not kept with a waiting form: that a script asked for a fragment of a page, and cookies.
_NOT_KEPT = ("HTTP_HX_", "HTTP_COOKIE")


def did_lately(request: HttpRequest) -> bool:
    """Whether this session's last proof is younger than `ACCOUNT_REAUTHENTICATION_TIMEOUT`."""
    records = get_authentication_records(request, request.user)
    latest: float = max((record["at"] for record in records), default=0.0)
    return bool(time.time() - latest < app_settings.REAUTHENTICATION_TIMEOUT)


def ask(request: HttpRequest) -> HttpResponse:
    """Sends to the proof, and keeps a POST to be carried out after it.

    Who can prove nothing here, since a provider signs them in, signs in again.
    """
    methods = get_adapter().get_reauthentication_methods(request.user)
    path = request.get_full_path() if request.method == "GET" else request.path
    if not methods:
        logout(request)
        messages.info(request, "Sign in again for this; you were signed in a while ago.")
        return _redirect(reverse("account_login"), next_page="/")
    request.META = {
        name: value for name, value in request.META.items() if not name.startswith(_NOT_KEPT)
    }
    suspend_request(request, methods[0]["url"])
    return _redirect(methods[0]["url"], next_page=path)


def recently_proved(view: View[P]) -> View[P]:
    """A view whose POST needs the proof, for changes of the portal's own."""

    @wraps(view)
    def wrapped(request: PortalRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if request.method == "POST" and not did_lately(request):
            return ask(request)
        return view(request, *args, **kwargs)

    return wrapped


def _redirect(url: str, *, next_page: str) -> HttpResponseRedirect:
    return HttpResponseRedirect(f"{url}?{urlencode({'next': next_page})}")
