"""The portal, and beside it pages on which every failure can be had."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path

from portal.access.scope import Outside
from portal.audit.guards import Protected
from portal.client import (
    AddressRefused,
    ApiError,
    Conflict,
    Invalid,
    NotAvailable,
    NotFound,
    OutcomeUnknown,
    ServerFault,
    Throttled,
    TimedOut,
    Unauthorized,
    Unexpected,
    Unreachable,
)
from portal.client.limits import Quota
from portal.config.urls import (
    handler400,
    handler403,
    handler404,
    handler500,
    urlpatterns as portal_pages,
)
from portal.contract.operation import Operation
from portal.contract.problems import FieldProblem
from portal.contract.users import NewUser, Users
from portal.ui.error_messages import Fault
from portal.ui.errors import errors_to_form
from portal.ui.forms import contract_form
from portal.ui.pages import go, page, toast

__all__ = ["handler400", "handler403", "handler404", "handler500"]

SAID = "the service's <own> words"


def throttled(operation: Operation[Any, Any]) -> Throttled:
    error = Throttled(operation, SAID, status=429, retry_after=12.0)
    error.quota = Quota(type="Daily-limit", limit=100, remaining=0)
    return error


FAILURES: dict[str, Any] = {
    "Unreachable": lambda op: Unreachable(op, "No connection could be made.", reason="connect"),
    "TimedOut": lambda op: TimedOut(op, "No answer within 10 s."),
    "OutcomeUnknown": lambda op: OutcomeUnknown(op, "The connection broke off.", reason="broken"),
    "Unauthorized": lambda op: Unauthorized(op, SAID, status=401),
    "NotFound": lambda op: NotFound(op, SAID, status=404),
    "NotAvailable": lambda op: NotAvailable(op, SAID, status=404, code=2300),
    "Conflict": lambda op: Conflict(op, SAID, status=409),
    "Invalid": lambda op: Invalid(op, SAID, status=400),
    "Throttled": throttled,
    "ServerFault": lambda op: ServerFault(op, SAID, status=500),
    "Protected": lambda op: Protected(op, "“Kick-off <own>” is on hold."),
    "Outside": lambda op: Outside(op, "It is outside of <own> part."),
    "Unexpected": lambda op: Unexpected(op, "The answer is not what it should be.", status=200),
    "FieldErrors": lambda op: Invalid(
        op,
        "Validation failed.",
        status=400,
        fields=(
            FieldProblem("user_info.email", "This domain is not allowed."),
            FieldProblem("first_name", "This name is not allowed."),
            FieldProblem("seats", "No seat is left."),
        ),
    ),
}


def failure(name: str, *, writing: bool = False) -> ApiError:
    error: ApiError = FAILURES[name](Users.create if writing else Users.settings)
    return error


def fails(request: HttpRequest, name: str) -> HttpResponse:
    raise failure(name, writing=request.method == "POST")


def refuses(request: HttpRequest) -> HttpResponse:
    raise AddressRefused("10.0.0.1 is an internal address, which is not allowed.")


def breaks(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("a mistake")


def shows(request: HttpRequest) -> HttpResponse:
    if text := request.GET.get("toast"):
        toast(request, "good", text)
    return page(request, "ui/fault.html", {"fault": Fault("Heading", "Inside")})


def goes(request: HttpRequest) -> HttpResponse:
    toast(request, "good", "Done")
    return go(request, "/shows/")


def asks(request: HttpRequest, name: str) -> HttpResponse:
    """A form whose sending fails in the way that the URL names."""
    form = contract_form(NewUser)(request.POST or None)
    if form.is_valid():
        with errors_to_form(form):
            raise failure(name, writing=True)
    return HttpResponse(f"{form.is_valid()} {form}", status=422 if form.errors else 200)


urlpatterns = [
    *portal_pages,
    path("fails/<str:name>/", fails),
    path("asks/<str:name>/", asks),
    path("refuses/", refuses),
    path("breaks/", breaks),
    path("shows/", shows),
    path("goes/", goes),
]
