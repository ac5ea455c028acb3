"""Renderings that are made once in a process for all who see the same.

Of each view the last rendering alone is stored. A rendering changes with the minute at least, so
that earlier ones are never shown again: stored until others push them out, those of a hundred
watched sessions would take more memory every minute for most of an hour.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property

from django.utils.text import compress_string

_MOST = 48  # views
# As many as Django's own middleware adds, so that the length says nothing of the contents.
_RANDOM_BYTES = 100


@dataclass(frozen=True)
class Rendered:
    """A part as HTML. To compress it takes longer than all else of an answer, so that it is done
    once as well."""

    html: str

    @cached_property
    def compressed(self) -> bytes:
        """By gzip."""
        return compress_string(self.html.encode(), max_random_bytes=_RANDOM_BYTES)


@dataclass
class _View:
    """A view that some viewers share. One of them renders it, while the others wait for that."""

    making: threading.Lock = field(default_factory=threading.Lock)
    etag: str = ""
    last: Rendered | None = None


_views: OrderedDict[Hashable, _View] = OrderedDict()
_changing = threading.Lock()


def rendered(view: Hashable, etag: str, render: Callable[[], str]) -> Rendered:
    """The view as its etag names it; `render` makes its HTML where it was another one before."""
    with _changing:
        shared = _views.setdefault(view, _View())
        _views.move_to_end(view)
        while len(_views) > _MOST:
            _views.popitem(last=False)
    with shared.making:
        if shared.last is None or shared.etag != etag:
            made = Rendered(render())
            shared.etag, shared.last = etag, made
        return shared.last
