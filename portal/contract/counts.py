"""Numbers of things, which are never below zero."""

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
