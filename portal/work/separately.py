"""Work on many rows in one task, in which one row's fault is that row's alone."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import structlog

T = TypeVar("T")
R = TypeVar("R")
_log = structlog.get_logger(__name__)


def separately(act: Callable[[T], R], rows: Iterable[T]) -> Iterator[R]:
    """Yields what `act` returns for each row. A fault is logged, and the others go on.

    Work that is long, or whose fault has to be shown, is a `WorkQueue` of single rows instead.
    """
    for row in rows:
        try:
            result = act(row)
        except Exception:
            _log.exception("work on one row failed", model=type(row).__name__, row=str(row))
        else:
            yield result
