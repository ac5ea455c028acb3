"""Pages about one thing: the head, needs, figures, cards and facts that `ui/thing.html` shows.

A view says what its thing is by a `Thing`. What other domains add to it is a `ThingAspect` of its
kind; none of them calls the service.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import cast

import structlog
from django.http import HttpRequest, HttpResponse
from django.utils import dateformat, timezone

from portal.access.grants import find_scope
from portal.access.http import PortalRequest
from portal.access.scope import Scope
from portal.config import clock
from portal.contract.operation import AnyOperation
from portal.translation import gettext as _, number
from portal.ui.error_messages import Fault
from portal.ui.home import HomeFigure, HomeLine
from portal.ui.states import State
from portal.ui.tabs import PageTab

WEEKS = 12  # of the curve of a figure
_FAR = timedelta(days=330)
_log = structlog.get_logger(__name__)
StoredPage = Callable[[PortalRequest, Fault], HttpResponse | None]


@dataclass(frozen=True)
class ThingFact:
    """A fact to look up, or to copy: `copy` is what it is called by the button that copies it."""

    title: str
    value: object
    copy: str = ""
    copied: object = None
    otherwise: str = ""
    url: str = ""


@dataclass(frozen=True)
class ThingLine:
    """A line of a card: a moment, with its `day` in words, and the words, which lead to `url`.
    `about` follows them muted, `end` stands at the right, and `undo_url` is the dialog that undoes
    the change."""

    moment: datetime
    day: str
    words: str
    about: str = ""
    url: str = ""
    end: str = ""
    undo_url: str = ""
    is_live: bool = False
    is_open: bool = False


@dataclass(frozen=True)
class ThingCard:
    """A card of a few lines; `more` is what its page `url` is called. It `shows_hours` of each line
    beside its day."""

    title: str
    url: str
    more: str
    lines: Sequence[ThingLine]
    shows_hours: bool = False


@dataclass(frozen=True)
class Aspect:
    """Stored data about a thing, from one side: needs of a person, figures with their titles,
    cards, and `count`, the number at its tab."""

    figures: Sequence[tuple[str, HomeFigure]] = ()
    needs: Sequence[HomeLine] = ()
    cards: Sequence[ThingCard] = ()
    count: int = 0


@dataclass(frozen=True)
class ThingAspect:
    """A declaration of what a domain adds to the things of a `kind`, for users whose role allows
    the operation that it `needs`.

    `read` takes the scope and the thing's id. Where the overview is not shown, `count` alone is
    asked for the number at the tab called `tab`.
    """

    kind: str
    place: int
    needs: AnyOperation
    read: Callable[[Scope, str], Aspect]
    tab: str = ""
    count: Callable[[Scope, str], int] | None = None


@dataclass(frozen=True)
class Overview:
    """The content of the first tab beside the facts."""

    needs: Sequence[HomeLine] = ()
    figures: Sequence[tuple[str, HomeFigure]] = ()
    cards: Sequence[ThingCard] = ()
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def has_figures(self) -> bool:
        """Returns whether any figure says more than that there is nothing."""
        return any(figure.value not in ("", "0") for _title, figure in self.figures)

    def with_needs(self, needs: Iterable[HomeLine]) -> "Overview":
        """Returns the overview with needs that come first."""
        return replace(self, needs=[*needs, *self.needs])


@dataclass(frozen=True)
class Thing:
    """A thing as the head and the facts of its page show it.

    It stands below the list `above`, a title and an address. Its mark is a picture, or else
    initials, or else an icon. `state` is a colour and a word, for those that are not as usual.
    `actions` is a template, `lead` one that stands before its facts. `fault` is why the service
    could not be asked: then the page shows what is stored, `as_of` when it was read.
    """

    title: str
    above: tuple[str, str]
    icon: str = ""
    initials: str = ""
    picture: str = ""
    state: tuple[State, str] | None = None
    lead: str = ""
    facts: Sequence[str] = ()
    rail: Sequence[ThingFact] = ()
    actions: str = ""
    fault: Fault | None = None
    as_of: datetime | None = None


_aspects: list[ThingAspect] = []
_stored_pages: dict[str, StoredPage] = {}


def register(*aspects: ThingAspect) -> None:
    """Shows these from now on."""
    _aspects.extend(aspects)
    _aspects.sort(key=lambda one: one.place)


def _of(kind: str, scope: Scope) -> list[ThingAspect]:
    return [one for one in _aspects if one.kind == kind and scope.can_call(one.needs)]


def overview_of(kind: str, scope: Scope, thing_id: str) -> Overview:
    """Returns what this scope may see of a thing, the most urgent of its needs first."""
    read = [(one, _read(one, scope, thing_id)) for one in _of(kind, scope)]
    needs = [line for _, one in read for line in one.needs]
    return Overview(
        sorted(needs, key=lambda line: line.state != "bad"),
        [figure for _, one in read for figure in one.figures][:4],
        [card for _, one in read for card in one.cards],
        {aspect.tab: one.count for aspect, one in read if aspect.tab},
    )


def _read(aspect: ThingAspect, scope: Scope, thing_id: str) -> Aspect:
    """Reads an aspect; one that fails does not take the others with it."""
    try:
        return aspect.read(scope, thing_id)
    except Exception:
        _log.exception("aspect failed", kind=aspect.kind, connection=scope.connection.key)
        return Aspect()


def counts_of(kind: str, scope: Scope, thing_id: str) -> dict[str, int]:
    """Returns the numbers at the tabs of a thing."""
    return {
        one.tab: one.count(scope, thing_id) for one in _of(kind, scope) if one.tab and one.count
    }


def counted(tabs: Iterable[PageTab], counts: Mapping[str, int]) -> list[PageTab]:
    """Returns the tabs with their numbers; nothing is said of what there is none of."""
    return [
        replace(one, count=number(counts[one.name])) if counts.get(one.name) else one
        for one in tabs
    ]


def weekly(values: Iterable[tuple[datetime, float]]) -> list[float]:
    """Returns the sums of the last weeks, the present one as the last of them."""
    sums, now = [0.0] * WEEKS, clock.now()
    for moment, value in values:
        week = (now - moment) // timedelta(weeks=1)
        if 0 <= week < WEEKS:
            sums[-1 - week] += value
    return sums


def first_week() -> datetime:
    """Returns the moment at which the weeks of a curve begin."""
    return clock.now() - timedelta(weeks=WEEKS)


def day_of(moment: datetime) -> str:
    """Returns the day of a moment, "Thu 14 Jan"; with the year if it is far away."""
    is_far = abs(moment - clock.now()) > _FAR
    return dateformat.format(timezone.localtime(moment), _("j M Y") if is_far else _("D j M"))


def since_when(moment: datetime) -> str:
    """Returns the hour of a moment of today, and else its day."""
    local, today = timezone.localtime(moment), timezone.localtime(clock.now())
    if local.date() == today.date():
        return f"{local:%H:%M}"
    return dateformat.format(local, _("j M") if local.year == today.year else _("j M Y"))


def register_stored_pages(pages: Mapping[str, StoredPage]) -> None:
    """Registers, by the namespace of URLs, what shows a thing from what is stored of it while the
    service does not answer; None for pages without a thing, and for one that is not stored."""
    _stored_pages.update(pages)


def stored_page(request: HttpRequest, fault: Fault) -> HttpResponse | None:
    """Returns the page of a thing in a failure that says nothing of it; None if there is none."""
    match = request.resolver_match
    show = _stored_pages.get(match.namespace) if match else None
    if show is None or match is None or not fault.retry or request.method != "GET":
        return None
    asked = cast(PortalRequest, request)
    asked.scope = find_scope(asked.user, match.kwargs["connection"])  # it may have ended meanwhile
    return show(asked, fault)
