"""The decorator of the views of meetings and webinars, and what their pages know of the spec."""

from collections.abc import Callable
from functools import wraps
from operator import attrgetter
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.urls import reverse

from portal.access.connected import connected
from portal.access.grants import Can
from portal.access.http import PortalRequest
from portal.sessions.specs import SessionSpec
from portal.ui.pages import page


def spec_view(*, needs: str) -> Callable[[Callable[..., HttpResponseBase]], Callable[..., Any]]:
    """`connected` for a view that takes a `spec`.

    `needs` names one of the spec's operations, such as `update` or `polls.create`.
    """
    operation = attrgetter(needs)

    def decorate(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def wrapped(*args: Any, spec: SessionSpec, **kwargs: Any) -> HttpResponseBase:
            return connected(needs=operation(spec))(view)(*args, spec=spec, **kwargs)

        wrapped.needs = needs  # type: ignore[attr-defined]
        return wrapped

    return decorate


def spec_url(request: PortalRequest, spec: SessionSpec, name: str, *more: str) -> str:
    """The address of one of the spec's pages, `more` being what its path names."""
    return reverse(f"{spec.family}:{name}", args=[request.connection.key, *more])


def spec_page(
    request: PortalRequest,
    spec: SessionSpec,
    template: str,
    context: dict[str, Any],
    *,
    fragment: str = "content",
    status: int = 200,
) -> HttpResponse:
    """A page that knows its `spec`, and as `may` which of its operations are allowed."""
    may = getattr(Can(request.scope), spec.family)
    shared = {"spec": spec, "may": may}
    return page(request, template, shared | context, fragment=fragment, status=status)
