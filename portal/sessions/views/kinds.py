"""The decorator of every view that both kinds share, and what its pages know of the kind."""

from collections.abc import Callable
from functools import wraps
from operator import attrgetter
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.urls import reverse

from portal.access.can import Can
from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.sessions.specs import SessionSpec
from portal.ui.pages import page


def of_kind(*, needs: str) -> Callable[[Callable[..., HttpResponseBase]], Callable[..., Any]]:
    """`connected` for a view that takes a `kind`.

    `needs` names one of the kind's operations, such as `update` or `polls.create`.
    """
    operation = attrgetter(needs)

    def decorate(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def wrapped(*args: Any, kind: SessionSpec, **kwargs: Any) -> HttpResponseBase:
            return connected(needs=operation(kind))(view)(*args, kind=kind, **kwargs)

        return wrapped

    return decorate


def kind_url(request: PortalRequest, kind: SessionSpec, name: str, *more: str) -> str:
    """The address of one of the kind's pages, `more` being what its path names."""
    return reverse(f"{kind.family}:{name}", args=[request.connection.key, *more])


def kind_page(
    request: PortalRequest,
    kind: SessionSpec,
    template: str,
    context: dict[str, Any],
    *,
    fragment: str = "content",
    status: int = 200,
) -> HttpResponse:
    """A page that knows its `kind`, and as `may` which of its operations are allowed."""
    may = getattr(Can(request.user.role, request.connection), kind.family)
    shared = {"kind": kind, "may": may}
    return page(request, template, shared | context, fragment=fragment, status=status)
