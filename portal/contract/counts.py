"""Numbers of things, which are never below zero."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator


def counted(value: Any) -> Any:
    """A count as it is reported; one below zero counts as absent."""
    is_negative = (
        value.startswith("-") if isinstance(value, str) else value is not None and value < 0
    )
    return None if is_negative else value


COUNTED = AfterValidator(counted)
Count = Annotated[int | None, COUNTED]


def believed(total: int | None, first: Sequence[object]) -> int | None:
    """A number of records; one of which the first page lists none is not known."""
    return total if first else total and None
