"""Pages for what went wrong in the portal itself, or was never there."""

import sys
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import add_never_cache_headers

from portal.config.request_log import request_id
from portal.translation import gettext as _
from portal.ui.explain import infrastructure_error
from portal.ui.faults import as_toast, toast_response
from portal.ui.pages import DIALOG, DIALOG_TARGET, SHELL
from portal.ui.preferences import chosen

PLAIN = "ui/plain.html"


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig):
        return _without_database(request, "413.html", 413)
    return _without_database(request, "400.html", 400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    return _page(request, "403.html", 403, _("You do not have permission to do this."))


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    return _page(request, "404.html", 404, _("This no longer exists. Reload the page."))


def server_error(request: HttpRequest) -> HttpResponse:
    """Needs neither the database nor a session: they may be what is broken.

    A form that htmx has sent stays as it is, and a toast says why.
    """
    fault = infrastructure_error(request, sys.exception())
    if fault is None:
        return _without_database(request, "500.html", 500)
    if getattr(request, "htmx", None):
        toast = {"level": "bad", "text": f"{fault.title}. {fault.text}"}
        text = render_to_string("ui/toast.html", toast | {"request_id": fault.request_id})
        response = as_toast(HttpResponse(text, status=fault.status))
    else:
        is_form = request.method not in {"GET", "HEAD"}
        data = {"fault": fault, "is_form": is_form, "path": request.get_full_path()}
        response = _without_database(request, "503.html", fault.status, data)
    add_never_cache_headers(response)
    return response


@login_not_required
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """A form that was open for longer than its session, or that another site has sent."""
    words = _(
        "This form has expired because you signed in or out since it was opened. Reload the page."
    )
    return _page(request, "403_csrf.html", 403, words)


def _page(request: HttpRequest, template: str, status: int, in_short: str) -> HttpResponse:
    htmx = getattr(request, "htmx", None)
    if htmx and htmx.target != DIALOG_TARGET:
        return toast_response(request, in_short, status)
    user = getattr(request, "user", None)
    layout = SHELL if user is not None and user.is_authenticated else PLAIN
    if htmx:
        layout = DIALOG
    response = render(request, template, {"layout": layout}, status=status)
    if htmx:
        response["HX-Fault"] = "true"
    return response


def _without_database(
    request: HttpRequest, template: str, status: int, data: dict[str, Any] | None = None
) -> HttpResponse:
    context = {
        **(data or {}),
        "layout": PLAIN,
        "theme": chosen(request, "theme"),
        "request_id": request_id(),
        "csp_nonce": getattr(request, "csp_nonce", ""),
        "debug": settings.DEBUG,
    }
    return HttpResponse(render_to_string(template, context), status=status)
