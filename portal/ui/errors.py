"""Failures as pages, notices and field errors: the service's, the portal's, and missing pages."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

import structlog
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import RequestDataTooBig
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import add_never_cache_headers
from django_htmx.http import reswap, retarget
from requests import RequestException

from portal.access.grants import connections_of
from portal.access.http import htmx_of
from portal.access.models import User
from portal.access.tokens import TokenUnreadable
from portal.audit.wording import moment_in_words
from portal.client import Answered, ApiError, NotFound
from portal.config.middleware import request_id
from portal.connections.services.ending import EndedAccess, ended_access
from portal.translation import gettext as _
from portal.ui.error_messages import Fault, explain, infrastructure_error
from portal.ui.pages import DIALOG, DIALOG_TARGET, SHELL, page
from portal.ui.preferences import chosen
from portal.ui.things import stored_page

_log = structlog.get_logger("portal.access")
# Tells the script to show an answer although its status is an error.
SHOWN = "HX-Fault"
PLAIN = "ui/plain.html"


class FaultMiddleware:
    """Answers a failed call with a page that says what to do; htmx gets a fragment or a toast.

    It says plainly, too, that a stored secret was encrypted under a key that is gone, or that the
    provider of single sign-on cannot be reached.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if fault := explain(error):
            return fault_response(request, fault)
        if isinstance(error, TokenUnreadable):
            _log.error("secret unreadable", reason=str(error))
            return render(request, "connections/token_unreadable.html", status=503)
        if isinstance(error, RequestException):
            _log.error("single sign-on unreachable", reason=type(error).__name__)
            return render(request, "socialaccount/authentication_error.html", status=503)
        return None


def fault_response(request: HttpRequest, fault: Fault) -> HttpResponse:
    """Shows the fault in place of htmx's content, a stored thing with it; a form stays, and the
    fault is a toast."""
    htmx = htmx_of(request)
    stored = stored_page(request, fault)
    if stored is not None:
        response = stored
    elif htmx and request.method != "GET" and htmx.target != DIALOG_TARGET:
        ids = {"request_id": fault.request_id, "tracking_id": fault.tracking_id}
        response = toast_response(request, f"{fault.title}. {fault.text}", fault.status, **ids)
    else:
        response = page(request, "ui/fault.html", {"fault": fault}, status=fault.status)
    response[SHOWN] = "true"
    if fault.wait:
        response["Retry-After"] = str(fault.wait)
    add_never_cache_headers(response)
    return response


def toast_response(request: HttpRequest, text: str, status: int, **ids: str) -> HttpResponse:
    """Returns an answer to htmx that leaves the page as it is and says what went wrong, with the
    `ids` that the request is known by."""
    context = {"level": "bad", "text": text, **ids}
    return as_toast(render(request, "ui/toast.html", context, status=status))


def as_toast(response: HttpResponse) -> HttpResponse:
    """Returns an answer that is a toast, for htmx to add to those that are shown."""
    response[SHOWN] = "true"
    return reswap(retarget(response, "#toasts"), "beforeend")


@contextmanager
def errors_to_form(form: BaseForm, subject: str | None = None) -> Iterator[None]:
    """Turns a failed call within into errors of the form; the view then shows the form again.

    `subject` names the field with what the call is about: that it is gone is an error of it.

    with errors_to_form(form):
        create(request.api, form.model())
        return go(request, url)
    return page(request, "people/create.html", {"form": form}, status=422)
    """
    try:
        yield
    except ApiError as error:
        fault = explain(error)
        if not _at_fields(form, error):
            form.add_error(subject if isinstance(error, NotFound) else None, fault.text)
        form.fault = fault  # type: ignore[attr-defined]


def _at_fields(form: BaseForm, error: ApiError) -> bool:
    """Adds the messages of the service about single fields; returns whether there were any."""
    reported = error.fields if isinstance(error, Answered) else ()
    placed = 0
    for problem in reported:
        name = _field_named(form, problem.field)
        if name:
            form.add_error(name, problem.message)
            placed += 1
        elif problem.message:
            form.add_error(None, problem.message)
            placed += 1
    return placed > 0


def _field_named(form: BaseForm, name: str) -> str | None:
    if hasattr(form, "field_named"):
        result: str | None = form.field_named(name)
        return result
    return name if name in form.fields else None


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig):
        return _without_database(request, "413.html", 413)
    return _without_database(request, "400.html", 400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    return _page(request, "403.html", 403, _("You do not have permission to do this."))


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    """Says that a page is not there; of a connection, that access to it has ended by itself."""
    words = _("This no longer exists. Reload the page.")
    if ended := _ended_access(request):
        values = {
            "connection": ended.connection,
            "moment": moment_in_words(ended.ended_at),
        }
        words = (
            _(
                "Your access to %(connection)s ended by itself on %(moment)s. Its owner can share "
                "it with you again."
            )
            % values
        )
    return _page(request, "404.html", 404, words, {"ended": words if ended else ""})


def _ended_access(request: HttpRequest) -> EndedAccess | None:
    user, match = getattr(request, "user", None), request.resolver_match
    named = match.kwargs if match else {}
    key = named.get("connection") or named.get("key")
    if not (isinstance(user, User) and isinstance(key, str)):
        return None
    return None if connections_of(user).filter(key=key).exists() else ended_access(user, key)


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
    """Answers a form that was open for longer than its session, or that another site has sent."""
    words = _(
        "This form has expired because you signed in or out since it was opened. Reload the page."
    )
    return _page(request, "403_csrf.html", 403, words)


def _page(
    request: HttpRequest,
    template: str,
    status: int,
    in_short: str,
    context: Mapping[str, object] = MappingProxyType({}),
) -> HttpResponse:
    htmx = getattr(request, "htmx", None)
    if htmx and htmx.target != DIALOG_TARGET:
        return toast_response(request, in_short, status)
    user = getattr(request, "user", None)
    layout = SHELL if user is not None and user.is_authenticated else PLAIN
    if htmx:
        layout = DIALOG
    response = render(request, template, {**context, "layout": layout}, status=status)
    if htmx:
        response["HX-Fault"] = "true"
    return response


def _without_database(
    request: HttpRequest, template: str, status: int, data: dict[str, object] | None = None
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
