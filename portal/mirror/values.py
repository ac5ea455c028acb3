"""Values of a service in a form that a database can store."""

from datetime import UTC, datetime
from typing import Any

_LARGEST = 2**31 - 1
_LONGEST = 31 * 24 * 60  # minutes; no session takes longer


def text(value: Any, at_most: int = 250) -> str:
    """PostgreSQL refuses NUL in text, and long text in an index; none keeps half of a surrogate
    pair; a service may leave out what it has not."""
    if value is None:
        return ""
    kept = str(value)[:at_most].replace("\x00", "")
    return kept if kept.isascii() else kept.encode(errors="replace").decode()


def integer(value: Any) -> int | None:
    """As an integer column takes it; what is none, or is far too large, counts as absent."""
    return value if isinstance(value, int) and -_LARGEST <= value <= _LARGEST else None


def minutes(value: Any) -> int | None:
    """The length of a session; what none takes counts as absent."""
    known = integer(value)
    return known if known is not None and 0 <= known <= _LONGEST else None


def moment(value: Any) -> datetime | None:
    """In GMT; what names no zone is taken for it."""
    if not isinstance(value, datetime):
        return None
    return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
