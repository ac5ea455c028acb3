"""Parent of pages about recordings: a meeting, a webinar, or the recording itself."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Protocol

from django.http import HttpResponseBase
from django.urls import reverse

from portal.access.http import PortalRequest
from portal.translation import gettext_lazy


class RecordingSource(Protocol):
    """Meetings or webinars. `family` is the namespace of their URLs."""

    @property
    def family(self) -> str: ...

    @property
    def noun(self) -> str: ...

    @property
    def title(self) -> str: ...


@dataclass(frozen=True)
class RecordingItself:
    """A recording whose pages stand below its own page."""

    family: str = "recordings"
    noun: str = gettext_lazy("recording")
    title: str = gettext_lazy("Recordings")


ITSELF = RecordingItself()
# Pages of a session that are one page of a recording.
_ITS_OWN = {"session": "recording", "recordings": "recording"}


def of_itself(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Returns the view below the page of the recording with the `uuid` of the path."""

    @wraps(view)
    def below(request: Any, *, uuid: str, **kwargs: Any) -> HttpResponseBase:
        return view(request, spec=ITSELF, session_id=uuid, uuid=uuid, **kwargs)

    return below


def source_url(
    request: PortalRequest,
    spec: RecordingSource,
    session_id: str,
    name: str = "session",
    *more: str,
) -> str:
    """Returns the address of a page about this meeting or webinar, by the name of its URL.

    Where the recording stands for itself, `session_id` is its UUID, which addresses name once.
    """
    if spec is ITSELF:
        name, more = _ITS_OWN.get(name, name), tuple(more[1:])
    return reverse(f"{spec.family}:{name}", args=[request.connection.key, session_id, *more])
