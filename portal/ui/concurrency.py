"""Several calls at a time, on threads that end with the work."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context, copy_context
from itertools import islice
from typing import TypeVar

from django.db import connections

from portal.translation import carried_over

T = TypeVar("T")
R = TypeVar("R")
_AT_ONCE = 10


def concurrently(
    call: Callable[[T], R], things: Iterable[T], before_more: Callable[[], object] | None = None
) -> Iterator[R]:
    """Returns `call(thing)` for each, several at a time, in the order of the things.

    `call` runs in threads, in the context and the language of the caller, and leaves the database
    alone, but for what its calls are checked by. `before_more` is called before the first hundred,
    and before each hundred after them; what it raises ends the work.
    """
    in_language = carried_over(call)

    def called(given: tuple[Context, T]) -> R:
        context, thing = given
        try:
            return context.run(in_language, thing)
        finally:
            connections.close_all()

    waiting = iter(things)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        while some := list(islice(waiting, _AT_ONCE * 10)):
            if before_more:
                before_more()
            yield from pool.map(called, [(copy_context(), thing) for thing in some])
