"""What a service told, as a database can keep it."""

from datetime import UTC, datetime
from typing import Any


def text(value: Any, at_most: int = 250) -> str:
    """PostgreSQL refuses NUL in text, and long text in an index; a service may leave out what it
    has not."""
    return "" if value is None else str(value).replace("\x00", "")[:at_most]


def words(search: str) -> list[str]:
    """The words of a search, ready to be looked for in what was casefolded."""
    return search.casefold().replace("\x00", "").split()


def moment(value: Any) -> datetime | None:
    """In GMT; what names no zone is taken for it."""
    if not isinstance(value, datetime):
        return None
    return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
