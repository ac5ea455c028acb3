"""Fields of settings: switches that are off unless set, and values without a default."""

from typing import Any

from pydantic import Field


def off(title: str, description: str, *, deprecated: bool = False) -> Any:
    """A switch that is off unless set."""
    return Field(False, title=title, description=description, deprecated=deprecated)


def unset(title: str, description: str, **limits: Any) -> Any:
    """A field without a default in the document."""
    return Field(None, title=title, description=description, **limits)
