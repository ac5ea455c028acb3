"""Pages that change something for which the connection's token lacks a scope: their links are muted
and they say so before anything is typed."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from operator import attrgetter
from typing import Any, TypeGuard

from django.urls import URLPattern, URLResolver, get_resolver

from portal.access.http import PortalRequest
from portal.connections.scopes import missing_of
from portal.contract.operation import AnyOperation, Effect, Operation
from portal.translation import gettext as _
from portal.ui.views.connected import ConnectedView

_CONVERTERS = {"int": "[0-9]+", "path": ".+"}
_PARAMETER = re.compile(r"<(?:(\w+):)?\w+>")


def lacking_here(request: PortalRequest) -> str:
    """Returns the scope that the change of this page lacks; mostly empty."""
    missing = _missing(request)
    match = request.resolver_match if missing else None
    kind = getattr(match.func, "view_class", None) if match else None
    # A page that is read by one operation may be saved by another.
    changes = getattr(request, "needs", None), getattr(kind, "needs_to_change", None)
    return next(
        (missing[one.name] for one in changes if _is_change(one) and one.name in missing), ""
    )


def lacking_links(request: PortalRequest) -> list[dict[str, str]]:
    """Returns the paths of pages whose change lacks a scope, as expressions, each with why."""
    missing = _missing(request)
    if not missing:
        return []
    key = request.connection.key
    return [
        {
            "path": f"^/c/{key}/{path}$",
            "why": _("The token lacks the scope %(scope)s") % {"scope": missing[name]},
        }
        for path, name in _changing_paths()
        if name in missing
    ]


def _missing(request: PortalRequest) -> dict[str, str]:
    connection = getattr(request, "connection", None)
    if connection is None:
        return {}
    if not hasattr(request, "lacking_scopes"):
        request.lacking_scopes = missing_of(connection)  # type: ignore[attr-defined]
    result: dict[str, str] = request.lacking_scopes  # type: ignore[attr-defined]
    return result


def _is_change(needs: object) -> TypeGuard[AnyOperation]:
    return isinstance(needs, Operation) and needs.effect is not Effect.READ


def _needs_of(view: Any, arguments: Mapping[str, Any]) -> object:
    """Returns what a view needs, as far as it says so for all requests; `arguments` are those that
    its route gives it."""
    kind = getattr(view, "view_class", None)
    if kind is not None:
        made = kind(**view.view_initkwargs)
        made.kwargs = dict(arguments)
        try:
            return made.operation() if isinstance(made, ConnectedView) else made.needs
        except (AttributeError, KeyError):  # it says so of a request
            return getattr(kind, "needs", None)
    needs, spec = getattr(view, "needs", None), arguments.get("spec")
    return attrgetter(needs)(spec) if spec and isinstance(needs, str) else needs


@cache
def _changing_paths() -> list[tuple[str, str]]:
    """Returns the paths below a connection's of pages that change something, with the operation."""
    return list(_walk(get_resolver().url_patterns, "", {}))


def _walk(patterns: list[Any], above: str, given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for each in patterns:
        route = above + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from _walk(each.url_patterns, route, {**given, **each.default_kwargs})
        elif isinstance(each, URLPattern) and route.startswith("c/<str:connection>/"):
            needs = _needs_of(each.callback, {**given, **each.default_args})
            if _is_change(needs):
                yield _expression(route.removeprefix("c/<str:connection>/")), needs.name


def _expression(route: str) -> str:
    """Returns the expression of a route, which scripts read too."""
    parts = _PARAMETER.split(route)
    # Between two texts stands the converter of a parameter.
    return "".join(
        re.escape(part) if number % 2 == 0 else _CONVERTERS.get(part or "", "[^/]+")
        for number, part in enumerate(parts)
    )
