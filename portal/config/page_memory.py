"""Rows that a page reads once, whichever of its panels, badges and menus ask for them.

It covers a GET alone, whose page shows stored data of one moment. Forms that change something, jobs
and commands read anew each time.
"""

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")
_memory: ContextVar[dict[str, dict[Any, Any]] | None] = ContextVar("page_memory", default=None)


class PageMemoryMiddleware:
    """Middleware that gives each page a memory of its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in {"GET", "HEAD"}:
            return self.get_response(request)
        with of_a_page():
            return self.get_response(request)


@contextmanager
def of_a_page() -> Iterator[None]:
    token = _memory.set({})
    try:
        yield
    finally:
        _memory.reset(token)


def read_once(
    name: str, keys: Collection[K], read: Callable[[list[K]], Mapping[K, R]]
) -> dict[K, R]:
    """Returns what `read` returns for these keys, without those that it lacks. Within a page it
    reads those keys alone that were not read under this name before."""
    memory = _memory.get()
    stored = {} if memory is None else memory.setdefault(name, {})
    if missing := [key for key in dict.fromkeys(keys) if key not in stored]:
        stored |= dict.fromkeys(missing) | dict(read(missing))
    return {key: stored[key] for key in keys if stored[key] is not None}
