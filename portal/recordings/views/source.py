"""The meeting or webinar that was recorded: pages about recordings stand below its own."""

from typing import Protocol

from django.urls import reverse

from portal.access.http import PortalRequest


class Source(Protocol):
    """Meetings or webinars. `family` is the namespace of their URLs."""

    @property
    def family(self) -> str: ...

    @property
    def noun(self) -> str: ...

    @property
    def title(self) -> str: ...


def source_url(
    request: PortalRequest, spec: Source, session_id: str, name: str = "session", *more: str
) -> str:
    """Where a page about this meeting or webinar is, by the name of its URL."""
    return reverse(f"{spec.family}:{name}", args=[request.connection.key, session_id, *more])
