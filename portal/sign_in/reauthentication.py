"""Repeated proofs of identity, before what cannot be undone.

A sign-in counts, and so does a repeated password or second factor, for
`ACCOUNT_REAUTHENTICATION_TIMEOUT`. A form that was sent without either waits in the session, which
is stored encrypted, and is carried out after the proof: of its request nothing is stored but the
address and the typed values.
"""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Concatenate, ParamSpec
from urllib.parse import urlencode, urlsplit

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.authentication import get_authentication_records
from django.contrib import messages
from django.contrib.auth import logout
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    QueryDict,
)
from django.urls import get_urlconf, resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme

from portal.access.http import PortalRequest
from portal.config import clock
from portal.translation import gettext as _

P = ParamSpec("P")
View = Callable[Concatenate[PortalRequest, P], HttpResponseBase]

# What waits in the session: a form, and the page from which its sender came to the proof.
_WAITING = "waits_for_proof"
_CAME_FROM = "proof_asked_on"


def did_lately(request: HttpRequest) -> bool:
    """Returns whether the session's last proof is newer than `ACCOUNT_REAUTHENTICATION_TIMEOUT`."""
    records = get_authentication_records(request, request.user)
    latest: float = max((record["at"] for record in records), default=0.0)
    return bool(clock.now().timestamp() - latest < app_settings.REAUTHENTICATION_TIMEOUT)


def require_proof(request: HttpRequest) -> HttpResponse:
    """Redirects to the proof, and stores a POST to be carried out after it.

    A user of a provider, who can prove nothing here, signs in again.
    """
    methods = get_adapter().get_reauthentication_methods(request.user)
    path = request.get_full_path() if request.method == "GET" else request.path
    if not methods:
        logout(request)
        messages.info(request, _("This action requires a recent sign-in. Sign in again."))
        return _redirect(reverse("account_login"), next_page="/")
    request.session[_CAME_FROM] = page_before(request) or "/"
    request.session.pop(_WAITING, None)
    if request.method == "POST":
        request.session[_WAITING] = {
            "path": request.path,
            "query": request.GET.urlencode(),
            "form": request.POST.urlencode(),
        }
    return _redirect(methods[0]["url"], next_page=path)


def go_on(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Returns the answer after the page of the proof: once it succeeded, that of the waiting form.

    The answer replaces a redirect to the form's address.
    """
    if response.status_code != HTTPStatus.FOUND or not did_lately(request):
        return response
    waiting = request.session.pop(_WAITING, None)
    if not waiting or response["Location"] != waiting["path"]:
        return response
    request.path = waiting["path"]
    request.path_info = waiting["path"].removeprefix(request.META.get("SCRIPT_NAME", ""))
    request.META |= {"PATH_INFO": request.path_info, "QUERY_STRING": waiting["query"]}
    request.GET = QueryDict(waiting["query"])
    request.POST = QueryDict(waiting["form"])
    request.resolver_match = match = resolve(request.path_info, get_urlconf())
    answer: HttpResponseBase = match.func(request, *match.args, **match.kwargs)
    return answer


def go_back(request: HttpRequest) -> HttpResponse:
    """Returns the page before a proof that is done, to which the browser's Back leads."""
    return HttpResponseRedirect(request.session.get(_CAME_FROM, "/"))


def recently_proved(view: View[P]) -> View[P]:
    """Returns a view that needs the proof for its POST, for changes of the portal's own."""

    @wraps(view)
    def wrapped(request: PortalRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if request.method == "POST" and not did_lately(request):
            return require_proof(request)
        return view(request, *args, **kwargs)

    return wrapped


def page_before(request: HttpRequest) -> str:
    """Returns the path of the portal's page that made the request; empty if there is none."""
    page = str(request.META.get("HTTP_REFERER", ""))
    if not url_has_allowed_host_and_scheme(page, {request.get_host()}, require_https=False):
        return ""
    data = urlsplit(page)
    path = f"{data.path or '/'}?{data.query}" if data.query else data.path or "/"
    # Of our host, `//evil.example` is a path; by itself it is another host.
    return path if url_has_allowed_host_and_scheme(path, None) else ""


def _redirect(url: str, *, next_page: str) -> HttpResponseRedirect:
    return HttpResponseRedirect(f"{url}?{urlencode({'next': next_page})}")
