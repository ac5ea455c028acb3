"""The base of every view class that works on a conferencing account."""

from collections.abc import Iterator
from typing import Any, ClassVar

from django.core.checks import CheckMessage, Error, register
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponseBase, HttpResponseNotAllowed
from django.urls import URLPattern, URLResolver, get_resolver, path, reverse
from django.views.generic import View

from portal.access.http import PortalRequest
from portal.connections.connected import Needs, connected


class ConnectedView(View):
    """A view with `request.connection` and `request.api`; who may not call `needs` is refused.

    One that needs no operation says why: `needs = NoOperation("…")`.
    """

    request: PortalRequest

    # `Needs`; an operation is a descriptor, which has other types in other classes.
    needs: ClassVar[Any] = None

    def operation(self) -> Needs:
        """Returns the operation that the person's role has to allow. Refuses everyone if none is
        declared."""
        if self.needs is None:
            raise ImproperlyConfigured(
                f"{type(self).__name__} does not say which operation it needs."
            )
        needs: Needs = self.needs
        return needs

    def prepare(self) -> None:
        """Reads what the view is about. Raises `Http404` and `ApiError`."""

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        return connected(needs=self.operation())(self._dispatch)(request, *args, **kwargs)

    def _dispatch(self, request: PortalRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method in {"GET", "HEAD", "POST"}:
            self.prepare()
        return super().dispatch(request, *args, **kwargs)


class EndpointsView(ConnectedView):
    """Several URLs of one thing, such as a list and the file of it, that share a declaration.

    `endpoint` names the one that a view answers: with `as_view(endpoint="export")` that is done
    by `answer_export`. `methods` are the HTTP methods of each.
    """

    endpoint = "page"
    methods: ClassVar[dict[str, tuple[str, ...]]] = {"page": ("GET", "HEAD")}

    def url_name(self, endpoint: str) -> str:
        raise NotImplementedError

    def url(self, endpoint: str, *args: str) -> str:
        """Returns the address of one; `args` are what its path takes after the connection."""
        return reverse(self.url_name(endpoint), args=[self.request.connection.key, *args])

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        allowed = self.methods[self.endpoint]
        if request.method not in allowed:
            return HttpResponseNotAllowed(allowed)
        return super().dispatch(request, *args, **kwargs)

    def get(self, *args: Any, **kwargs: Any) -> HttpResponseBase:
        answer: HttpResponseBase = getattr(self, f"answer_{self.endpoint}")(*args, **kwargs)
        return answer

    post = get


def paths_of(
    view: type[EndpointsView], route: str = "", name: str = "", **options: object
) -> list[URLPattern]:
    """Returns the paths of a view: of its page, called `name` or else `list`, and of all others
    that its `methods` name, each below the page and called after it. `options` are those of
    `as_view`."""
    rests = {"page": "", "export": "export/<slug:file>/"}
    return [
        path(
            f"{route}{rests.get(endpoint, f'{endpoint}/')}",
            view.as_view(endpoint=endpoint, **options),
            name=name or "list" if endpoint == "page" else f"{name}-{endpoint}".lstrip("-"),
        )
        for endpoint in view.methods
    ]


@register
def undecided_views(**_: object) -> list[CheckMessage]:
    """Returns an error for each view of a connection without a declared operation."""
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
    """Yields the names and views of the addresses that name a connection."""
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
