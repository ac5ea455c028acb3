"""The fragment of Live that refreshes itself: its contents, and when they have changed."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from hashlib import blake2s
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils import timezone
from django.utils.text import compress_string
from django.utils.translation import get_language

from portal.access.http import PortalRequest
from portal.audit.wording import length
from portal.config import clock
from portal.dashboards.filters import narrowed
from portal.dashboards.services.live import picture, samples
from portal.dashboards.services.live.labels import LABELS
from portal.dashboards.services.live.pace import EVERY, USUAL, LivePace, pace_of
from portal.dashboards.services.live.picture import (
    LISTS,
    MEETINGS,
    AttentionReason,
    LiveList,
    LiveSession,
    StoredPicture,
)
from portal.translation import gettext as _
from portal.ui.charts import WORDS
from portal.ui.filters import FilterTab
from portal.ui.numbers import spaced

# Of each view the last rendering alone is stored. A rendering changes with the minute at least, so
# that earlier ones are never shown again: stored until others push them out, those of a hundred
# watched sessions would take more memory every minute for most of an hour.
_MOST = 48  # views
# As many as Django's own middleware adds, so that the length says nothing of the contents.
_RANDOM_BYTES = 100
_changing = threading.Lock()
_AT_FIRST = 50  # rows
_ON_A_WALL = 8
_TURN = 10  # seconds that a wall shows some of more sessions than fit
_SOON = timedelta(seconds=0.4)  # in which a reading that has begun is mostly over


@dataclass(frozen=True)
class Rendered:
    """A fragment as HTML. Compressing it takes longer than the rest of a response, so it is done
    once as well."""

    html: str

    @cached_property
    def compressed(self) -> bytes:
        """Returns the HTML, compressed by gzip."""
        return compress_string(self.html.encode(), max_random_bytes=_RANDOM_BYTES)


@dataclass
class _View:
    """A view that some viewers share. One request renders it, while others wait for that."""

    making: threading.Lock = field(default_factory=threading.Lock)
    etag: str = ""
    last: Rendered | None = None


_views: OrderedDict[Hashable, _View] = OrderedDict()


def rendered(view: Hashable, etag: str, render: Callable[[], str]) -> Rendered:
    """Returns the view of this etag; `render` makes its HTML if the etag has changed."""
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


@dataclass(frozen=True)
class LiveRow:
    session: LiveSession
    reasons: list[AttentionReason]
    minutes: int | None
    url: str
    is_open: bool = False

    @property
    def spaced_id(self) -> str:
        return spaced(self.session.number)

    @property
    def duration(self) -> str:
        """Returns how long it has run; empty if that is not reported."""
        return "" if self.minutes is None else length(self.minutes)

    @property
    def uses(self) -> list[tuple[str, str]]:
        """Returns icon and words of each medium in use."""
        one = self.session
        uses = (
            (one.recording, "circle-dot", _("Recording")),
            (one.sharing, "screen-share", _("Screen sharing")),
            (one.computer_audio, "headphones", _("Computer audio")),
            (one.telephone, "phone", _("Telephone")),
            (one.third_party_audio, "audio-lines", _("Third-party audio")),
            (one.room_device, "projector", _("Room device")),
        )
        return [(name, words) for is_used, name, words in uses if is_used]

    @property
    def quality(self) -> str:
        level = self.session.quality
        return WORDS[level] if level else ""


@dataclass
class LiveFragment:
    """One viewer's view of a picture. `chosen` are the filters, `open` the key of the session that
    is shown beside the list."""

    stored: StoredPicture
    chosen: dict[str, str]
    open: str
    is_wall: bool
    shows_all: bool
    seen_by: tuple[Any, ...]
    now: datetime
    waiting_since: datetime | None = None
    pace: LivePace = USUAL

    @property
    def is_late(self) -> bool:
        """Returns whether the service takes longer than usual, without having failed yet."""
        since, every = self.waiting_since, self.pace.every
        return since is not None and self.stored.asked_at is not None and self.now - since > every

    @property
    def age(self) -> timedelta:
        """Returns how old the figures are; zero before the first ones."""
        read_at = self.stored.read_at
        return max(self.now - read_at, timedelta()) if read_at else timedelta()

    @property
    def next_in(self) -> timedelta:
        """Returns after which time a viewer can get a newer picture. While a reading is under way
        that is soon, and ever later the longer it takes."""
        since, asked_at = self.waiting_since, self.stored.asked_at
        if since is not None or asked_at is None:
            waited = self.now - since if since else timedelta()
            return min(_SOON + waited / 2, EVERY)
        return min(max(asked_at + self.pace.every - self.now, timedelta()) + _SOON, EVERY)

    @cached_property
    def etag(self) -> str:
        """Returns a tag that changes whenever the fragment looks different to its viewer."""
        minute = self.now.replace(second=0, microsecond=0).isoformat()
        late = self.stored.asked_at if self.is_late else None
        when = (minute, late, self.pace.every, self.turn)
        shown = (self.stored.picture.version, when, self.query, self.seen_by)
        return blake2s(repr(shown).encode(errors="replace"), digest_size=12).hexdigest()

    @property
    def turn(self) -> int:
        """Returns the number of ten seconds, for a wall of more sessions than fit on it."""
        is_full = self.is_wall and len(self.stored.picture.sessions) > _ON_A_WALL
        return int(self.now.timestamp() // _TURN) if is_full else 0

    @property
    def query(self) -> str:
        """Returns the state of the page as the query of its address."""
        return self.query_with()

    def query_with(self, **changes: str) -> str:
        given = {**self.chosen, "open": self.open}
        given |= {"wall": "1" if self.is_wall else "", "all": "1" if self.shows_all else ""}
        given |= changes
        if given["kind"] == MEETINGS:
            given["kind"] = ""
        return "?" + urlencode({name: value for name, value in given.items() if value})

    @cached_property
    def shown(self) -> LiveList:
        return self.stored.picture.lists[self.chosen["kind"]]

    @property
    def opened(self) -> LiveSession | None:
        own = self.stored.picture.sessions
        return next((one for one in own if one.key == self.open), None)

    def context(self) -> dict[str, object]:
        lists = self.stored.picture.lists
        own = self.stored.picture.sessions if self.is_wall else list(self.shown.sessions)
        sessions = picture.by_attention(narrowed(own, self.chosen), self.now)
        most = len(sessions) if self.shows_all else _AT_FIRST
        first = 0
        if self.is_wall:
            most = _ON_A_WALL
            first = self.turn % max(-(-len(sessions) // most), 1) * most
        opened = self.opened
        labels = LABELS[self.chosen["kind"]]
        return {
            "fragment": self,
            "picture": self.stored.picture,
            "totals": samples.totals(lists),
            "tabs": [self._tab(name) for name in LISTS],
            "rows": [self._row(one) for one in sessions[first : first + most]],
            "first": first + 1,
            "last": min(first + most, len(sessions)),
            "failing": [(LABELS[name]["title"], one) for name, one in self.stored.picture.failing],
            "count": len(sessions),
            "count_words": labels["count"](len(sessions)),
            "list_title": labels["all"],
            "more": max(len(sessions) - most, 0),
            "is_narrowed": len(sessions) != len(own),
            "nothing_title": labels["none"],
            "misreported": sum(bool(one.misreported) for one in own),
            "opened": opened and self._row(opened),
            "closed_url": self.query_with(open=""),
            "all_query": self.query_with(all="1"),
            "hosts": sorted({one.host or one.email for one in own} - {""}),
        }

    def _tab(self, name: str) -> FilterTab:
        one = self.stored.picture.lists[name]
        count = len(one.sessions) if one.read_at else None
        return FilterTab(
            self.query_with(kind=name, open="", all=""),
            LABELS[name]["title"],
            name == self.chosen["kind"],
            count,
        )

    def _row(self, one: LiveSession) -> LiveRow:
        lasts = self.now - one.started_at if one.started_at else None
        minutes = None if lasts is None else max(lasts, timedelta()) // timedelta(minutes=1)
        return LiveRow(
            one,
            picture.attention_reasons(one, self.now),
            minutes,
            self.query_with(open=one.key),
            one.key == self.open,
        )


def fragment_of(
    request: PortalRequest,
    stored: StoredPicture,
    chosen: dict[str, str],
    waiting_since: datetime | None,
) -> LiveFragment:
    """Returns the view that a request asks for."""
    asked: QueryDict = request.GET
    return LiveFragment(
        stored=stored,
        chosen=chosen,
        open=asked.get("open", "")[:24],
        is_wall=asked.get("wall") == "1",
        shows_all=asked.get("all") == "1",
        seen_by=(
            *request.scope.rights,
            request.connection.read_only,
            timezone.get_current_timezone_name(),
            get_language(),
        ),
        now=clock.now(),
        waiting_since=waiting_since,
        pace=pace_of(request.connection),
    )
