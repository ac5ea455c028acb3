"""Failures of the service as pages, notices and field errors, for every room at once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django_htmx.http import reswap, retarget

from portal.client import Answered, ApiError
from portal.ui.explain import Fault, explain
from portal.ui.pages import DIALOG_TARGET, page

# Tells the script to show an answer although its status is an error.
SHOWN = "HX-Fault"


class FaultMiddleware:
    """Answers a failed call with a page that says what to do; htmx gets a fragment or a toast."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        fault = explain(error)
        return fault_response(request, fault) if fault else None


def fault_response(request: HttpRequest, fault: Fault) -> HttpResponse:
    """Shows the fault in place of htmx's content; a form stays, and the fault is a toast."""
    htmx = request.htmx  # type: ignore[attr-defined]
    if htmx and request.method != "GET" and htmx.target != DIALOG_TARGET:
        response = toast_response(request, f"{fault.title}. {fault.text}", fault.status)
    else:
        response = page(request, "ui/fault.html", {"fault": fault}, status=fault.status)
    response[SHOWN] = "true"
    if fault.wait:
        response["Retry-After"] = str(fault.wait)
    add_never_cache_headers(response)
    return response


def toast_response(request: HttpRequest, text: str, status: int) -> HttpResponse:
    """An answer to htmx that leaves the page as it is and says what went wrong."""
    context = {"level": "bad", "text": text}
    return as_toast(render(request, "ui/toast.html", context, status=status))


def as_toast(response: HttpResponse) -> HttpResponse:
    """An answer that is a toast, for htmx to add to those that are shown."""
    response[SHOWN] = "true"
    return reswap(retarget(response, "#toasts"), "beforeend")


@contextmanager
def errors_to_form(form: BaseForm) -> Iterator[None]:
    """Turns a failed call within into errors of the form; the view then shows the form again.

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
            form.add_error(None, fault.text)
        form.fault = fault  # type: ignore[attr-defined]


def _at_fields(form: Any, error: ApiError) -> bool:
    """Puts what the service says of single fields there; whether all of it found its place."""
    said = error.fields if isinstance(error, Answered) else ()
    placed = 0
    for problem in said:
        name = _field_named(form, problem.field)
        if name:
            form.add_error(name, problem.message)
            placed += 1
        elif problem.message:
            form.add_error(None, problem.message)
            placed += 1
    return placed > 0


def _field_named(form: Any, name: str) -> str | None:
    if hasattr(form, "field_named"):
        found: str | None = form.field_named(name)
        return found
    return name if name in form.fields else None
