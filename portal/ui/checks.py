"""A check of Django's: each view of a connection says which operation it needs, or why none."""

from collections.abc import Iterator
from typing import Any

from django.core.checks import CheckMessage, Error, register
from django.urls import URLPattern, URLResolver, get_resolver

from portal.ui.views.connected import ConnectedView


@register
def undecided_views(**_: Any) -> list[CheckMessage]:
    """Fails the start where nobody has decided who gets in."""
    return [
        Error(
            f"The view of {name} does not say which operation it needs.",  # untranslated: a check
            hint='Give it one, or the reason: `needs=NoOperation("…")`.',  # untranslated: the same
            id="ui.E001",
        )
        for name, view in _views(get_resolver())
        if not _is_decided(view)
    ]


def _views(
    resolver: URLResolver, space: str = "", outer: frozenset[str] = frozenset()
) -> Iterator[tuple[str, Any]]:
    """The names and views of the addresses that name a connection."""
    for pattern in resolver.url_patterns:
        arguments = outer | pattern.pattern.regex.groupindex.keys()
        if isinstance(pattern, URLResolver):
            below = f"{space}{pattern.namespace}:" if pattern.namespace else space
            yield from _views(pattern, below, arguments)
        elif isinstance(pattern, URLPattern) and "connection" in arguments:
            yield f"{space}{pattern.name}", pattern.callback


def _is_decided(view: Any) -> bool:
    kind = getattr(view, "view_class", None)
    if kind is None:
        return hasattr(view, "needs")
    declared = view.view_initkwargs.get("needs") or getattr(kind, "needs", None)
    asks = getattr(kind, "operation", ConnectedView.operation)
    return bool(declared) or asks is not ConnectedView.operation
