"""Room on CPython's data stack, so that no page is rendered across the end of a piece of it.

A thread's frames live in pieces of 16 kB. A call that no longer fits makes another piece, and its
return gives that piece back to the system: a loop that happens to run at the very end of a piece
maps and unmaps memory at every turn, thousands of times a page (python/cpython issue 142183). In a
thread of the web server that end falls on the loops of the templates, which doubled what a list
costs.

Needed for Python 3.11 and 3.12, and for the releases of 3.13 and 3.14 before the spring of 2026,
since when a thread keeps a spare piece. Where it is not needed it costs a single mapping a request.
"""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

# A frame that asks for 124 kB, 16 kB more than fits into 128 with what CPython adds, gets a piece
# of 256 kB. What is left of it is enough for thousands of calls within each other.
SLOTS = 16_000


def with_room(call: Callable[P, R]) -> Callable[P, R]:
    """Returns the function with all that it calls in one large piece of the data stack."""

    def roomy(*args: P.args, **kwargs: P.kwargs) -> R:
        return call(*args, **kwargs)

    roomy.__code__ = roomy.__code__.replace(co_stacksize=SLOTS)
    return roomy
