"""Views of both kinds of groups: each URL says which kind it is of."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.urls import reverse

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.people.services.group_types import GROUP_TYPES, GroupType


def of_kind(operation: str) -> Callable[[Callable[..., HttpResponse]], Callable[..., Any]]:
    """`connected` for a view that takes a `kind`, and needs that kind's `operation`."""

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
        by_kind = {
            kind: connected(needs=getattr(kind.family, operation))(partial(view, kind=kind))
            for kind in GROUP_TYPES.values()
        }

        @wraps(view)
        def wrapped(
            request: PortalRequest, *args: Any, kind: GroupType, **kwargs: Any
        ) -> HttpResponseBase:
            return by_kind[kind](request, *args, **kwargs)

        return wrapped

    return decorate


def group_url(request: PortalRequest, kind: GroupType, name: str, *more: str) -> str:
    """A page of groups of a kind; `more` begins with the group's id."""
    return reverse(f"{kind.slug}:{name}", args=[request.connection.key, *more])
