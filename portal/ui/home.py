"""The first page as rooms and domains declare it: lines that need a person, panels of figures."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeVar

import structlog
from django.db.models import Exists, QuerySet

from portal.access.grants import scopes_of
from portal.access.models import Connection, User
from portal.access.scope import Scope
from portal.config import clock, page_memory
from portal.contract.operation import AnyOperation
from portal.translation import gettext as _, gettext_lazy, number
from portal.ui.charts import Sparkline
from portal.ui.states import State

_RANK: dict[State, int] = {"bad": 0, "warning": 1, "running": 2, "neutral": 3, "good": 4}
_WORDS: dict[State, str] = {
    "bad": gettext_lazy("Problem"),
    "warning": gettext_lazy("Needs attention"),
    "running": gettext_lazy("In progress"),
    "neutral": gettext_lazy("Information"),
    "good": gettext_lazy("Good"),
}
_DAY = timedelta(days=1)
NEEDING: tuple[State, ...] = ("bad", "warning")
_log = structlog.get_logger(__name__)
SubjectT = TypeVar("SubjectT", bound="HomeSubject")
_LARGE = 10_000  # from so many on figures are short, and needs say their share


@dataclass(frozen=True)
class HomeLine:
    """A matter that needs a person, or goes on, in `words` that lead to its page `url`, as does a
    button with the `verb`; both open a dialog if it `is_dialog`.

    `why` says more in a sentence, `since` for how long it has been so, and `as_of` how old the copy
    is that shows it. While there is a line that `is_incomplete`, it is not known yet whether
    anything needs a person.
    """

    state: State
    words: str
    url: str = ""
    why: str = ""
    since: datetime | None = None
    as_of: datetime | None = None
    is_incomplete: bool = False
    verb: str = gettext_lazy("Review")
    is_dialog: bool = False

    @property
    def is_old(self) -> bool:
        """Returns whether the copy is older than lists usually are."""
        return self.as_of is not None and self.as_of < clock.now() - _DAY

    @property
    def state_in_words(self) -> str:
        return _WORDS[self.state]


HomeLines = Mapping[int, Sequence[HomeLine]]


@dataclass(frozen=True)
class HomeSubject:
    """A subject of the first page, for users whose role allows the operations that it `needs`.

    Those of one kind stand in the order of their `place`. A user who is limited to some of the
    people is shown those `for_limited` alone, which say nothing of other people. None of them calls
    the service.
    """

    title: str
    place: int
    needs: tuple[AnyOperation, ...] = field(default=(), kw_only=True)
    for_limited: bool = field(default=False, kw_only=True)

    def is_for(self, scope: Scope) -> bool:
        return (self.for_limited or not scope.is_narrow) and all(
            scope.can_call(each) for each in self.needs
        )


@dataclass(frozen=True)
class HomeItem(HomeSubject):
    """A subject with lines.

    `read` returns them by the primary key of the connection, of all the connections that these
    scopes of a person are over at once: from stored data, with as many queries for ten connections
    as for one, however much there is. It leaves out connections without stored data that is new
    enough. Where there are no `rows`, which all items ask for by one query, there are no lines.
    """

    read: Callable[[User, Sequence[Scope]], HomeLines]
    rows: Callable[[User, Sequence[Scope]], QuerySet[Any, Any]] | None = field(
        default=None, kw_only=True
    )


@dataclass
class HomeGroup:
    """The lines of one connection: what needs a person first, then what goes on.

    `checked` and `unknown` are titles of items: those whose state is known, and the others. Lines
    beyond those shown `at_once` are folded.
    """

    scope: Scope
    lines: list[HomeLine] = field(default_factory=list)
    checked: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    at_once: int = 4

    @property
    def connection(self) -> Connection:
        return self.scope.connection

    @property
    def first(self) -> list[HomeLine]:
        return self.lines[: self.at_once]

    @property
    def rest(self) -> list[HomeLine]:
        return self.lines[self.at_once :]

    @property
    def needing(self) -> list[HomeLine]:
        return [line for line in self.lines if line.state in NEEDING]

    @property
    def is_incomplete(self) -> bool:
        return any(line.is_incomplete for line in self.lines)


_subjects: list[HomeSubject] = []


def register(*subjects: HomeSubject) -> None:
    """Shows these from now on."""
    _subjects.extend(subjects)
    _subjects.sort(key=lambda subject: subject.place)


def all_of(kind: type[SubjectT]) -> list[SubjectT]:
    return [subject for subject in _subjects if isinstance(subject, kind)]


def none_yet(scopes: Iterable[Scope]) -> dict[int, list[HomeLine]]:
    """Returns the empty lines with which an item begins that covers all these connections."""
    return {scope.connection.pk: [] for scope in scopes}


def groups_of(user: User, connections: Iterable[Connection]) -> list[HomeGroup]:
    """Returns a group for each of the connections, in their order."""
    groups = [HomeGroup(scope) for scope in scopes_of(user, connections)]
    shown = {
        item: some
        for item in all_of(HomeItem)
        if (some := [group for group in groups if item.is_for(group.scope)])
    }
    empty = _without_rows(user, shown)
    for item, some in shown.items():
        if item in empty:
            for group in some:
                group.checked.append(item.title)
        else:
            _read(item, user, some)
    for group in groups:
        group.lines.sort(key=lambda line: _RANK[line.state])
    return groups


def _without_rows(
    user: User, shown: Mapping[HomeItem, Sequence[HomeGroup]]
) -> Collection[HomeItem]:
    """Returns the items without rows, by one query that answers `has_rows` too; none if it fails,
    since each is then read by itself."""
    try:
        rows: dict[Any, QuerySet[Any, Any]] = {name: of(user) for name, of in _asked.items()}
        keys: dict[Any, HomeItem] = {}
        for item, groups in shown.items():
            if item.rows:
                key = (item, *(group.connection.pk for group in groups))
                keys[key], rows[key] = item, item.rows(user, [group.scope for group in groups])
        exist = _exist(user, rows)
        return {item for key, item in keys.items() if not exist[key]}
    except Exception:
        _log.exception("home rows failed")
        return ()


_asked: dict[str, Callable[[User], QuerySet[Any, Any]]] = {}


def ask(name: str, rows: Callable[[User], QuerySet[Any, Any]]) -> None:
    """Has the first page ask by its one query whether there are these rows of a user."""
    _asked[name] = rows


def has_rows(user: User, name: str) -> bool:
    """Returns whether there are the rows of this name, which the page has asked for."""
    return _exist(user, {name: _asked[name](user)})[name]


def _exist(user: User, rows: Mapping[Any, QuerySet[Any, Any]]) -> dict[Any, bool]:
    def read(keys: list[Any]) -> dict[Any, bool]:
        own = User.objects.filter(pk=user.pk).order_by()
        [exist] = own.values_list(*(Exists(rows[key]) for key in keys))
        return dict(zip(keys, exist, strict=True))

    return page_memory.read_once(f"home-rows:{user.pk}", rows.keys(), read)


def _read(item: HomeItem, user: User, groups: Sequence[HomeGroup]) -> None:
    """Adds the lines of an item. Where they cannot be read at once, each connection is read by
    itself: one that fails does not take the others with it."""
    try:
        results = item.read(user, [group.scope for group in groups])
    except Exception:
        if len(groups) > 1:
            for group in groups:
                _read(item, user, [group])
            return
        _log.exception(
            "home item failed", item=str(item.title), connection=groups[0].connection.key
        )
        groups[0].lines.append(
            HomeLine("warning", _("%(title)s could not be checked") % {"title": item.title})
        )
        results = {}
    for group in groups:
        lines = results.get(group.connection.pk)
        group.lines += lines or ()
        (group.unknown if lines is None else group.checked).append(item.title)


@dataclass(frozen=True)
class HomeFigure:
    """A figure and the page that lists what it counts; without a `value` nothing was read yet, and
    `about` says what would.

    `unit` stands beside it, `about` below; `exact` is the whole figure if the `value` is short.
    `share` is drawn as a bar, in per cent. `as_of` is set if the figure is older than it should
    be.
    """

    url: str
    value: str = ""
    unit: str = ""
    about: str = ""
    curve: Sequence[float] = ()
    share: float | None = None
    as_of: datetime | None = None
    exact: str = ""

    @property
    def spark(self) -> Sparkline:
        return Sparkline(self.curve)


@dataclass(frozen=True)
class HomeTile(HomeSubject):
    """One figure."""

    read: Callable[[Scope], HomeFigure]


@dataclass(frozen=True)
class HomePanel(HomeSubject):
    """A card, which `template` draws from what `read` returns. `more` names the page behind it, by
    its URL name, and what that is called; a `wide` one takes two thirds of the row."""

    read: Callable[[Scope], Mapping[str, Any]]
    template: str
    more: tuple[str, str]
    wide: bool = False


@dataclass(frozen=True)
class HomeColumn(HomeSubject):
    """A column of the table of several accounts. `read` returns its cells by the primary key of the
    connection, with as many queries for ten as for one."""

    read: Callable[[Sequence[Scope]], Mapping[int, str]]


@dataclass(frozen=True)
class ShownPanel:
    """A tile or panel with what was read for it; `fault` if that failed."""

    subject: HomeTile | HomePanel
    content: Any = None
    fault: str = ""


def columns_of(scopes: Sequence[Scope]) -> list[tuple[str, Mapping[int, str]]]:
    """Returns title and cells of each column, without cells that a scope does not allow."""
    results = []
    for one in all_of(HomeColumn):
        allowed = [scope for scope in scopes if one.is_for(scope)]
        if allowed:
            results.append((one.title, one.read(allowed)))
    return results


def panels_of(kind: type[HomeTile | HomePanel], scope: Scope) -> list[ShownPanel]:
    return [_read_panel(one, scope) for one in all_of(kind) if one.is_for(scope)]


def _read_panel(one: HomeTile | HomePanel, scope: Scope) -> ShownPanel:
    """Reads a tile or panel; one that fails does not take the others with it."""
    try:
        return ShownPanel(one, one.read(scope))
    except Exception:
        _log.exception("home card failed", card=str(one.title), connection=scope.connection.key)
        return ShownPanel(one, fault=_("This could not be loaded."))


def short(count: int) -> str:
    """Returns a number as a figure shows it: "52.4k" from ten thousand on."""
    return number(count) if count < _LARGE else f"{number(count / 1000, 1)}k"


def exact(count: int) -> str:
    """Returns the number that `short` leaves out; empty if that says it already."""
    return "" if count < _LARGE else number(count)


def with_share(why: str, count: int, total: int) -> str:
    """Returns the reason, and in a large account how much of all it is about."""
    if total < _LARGE:
        return why
    share = _("%(share)s %% of %(total)s") % {
        "share": number(100 * count / total, 1),
        "total": number(total),
    }
    return " · ".join(str(words) for words in (why, share) if words)
