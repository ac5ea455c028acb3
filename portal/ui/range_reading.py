"""Lists of what happened on some days, which the service alone has: read and cached for a while.

The service pages them, and neither searches nor sorts. What was read is cached, so that
paging, sorting and typing into the search ask nothing of the service. A long list is read as far as
a user waits for it, and on from there when they request more.
"""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any, Generic, Protocol, TypeVar, cast

from portal.access.scope import Scope
from portal.access.tokens import TokenUnreadable, seal, unseal
from portal.client import ApiError, Invalid
from portal.config import cache, clock
from portal.contract.model import Model
from portal.contract.operation import BoundPaged, Paging, PagingKind
from portal.contract.paging import Days
from portal.ui.error_messages import Fault, explain
from portal.ui.ranges import Range

T = TypeVar("T", bound=Model)
R = TypeVar("R")

AT_ONCE = 3000  # records that a page reads before it says that there are more
MOST = 30_000  # records of a file
_PATIENCE = 4.0  # seconds after which a page begins no other call
_FRESH = 300.0  # seconds for which what was read is not read again
_CACHED = 3600  # the same if the service fails: old is better than nothing
_PAGE = 300
_PROGRESS = ("window", "position", "begun_at", "is_whole")  # of a reading, after its time
_MOST_PAGES = 500  # of one reading, should the service never come to an end


class TooMany(Exception):
    """The list is longer than a file of it may be."""


@dataclass
class Reading(Generic[R]):
    """The records read, and the place to go on: the window, and the page after which.

    `begun_at` is how many records were there when that window was begun.

    `fault` is why it ended early, `is_old` that it is from before a reading that failed.
    """

    records: list[R] = field(default_factory=list)
    read_at: datetime = field(default_factory=clock.now)
    window: int = 0
    position: str = ""
    begun_at: int = 0
    is_whole: bool = False
    fault: Fault | None = None
    is_old: bool = False

    @property
    def count(self) -> int:
        return len(self.records)


class Reader(Protocol[R]):
    """Reads a list of some days; `RangeReader` says what each of these does."""

    def read(self) -> Reading[R]: ...
    def refresh(self) -> Reading[R]: ...
    def more(self) -> Reading[R]: ...
    def whole(self) -> Reading[R]: ...


class RangeReader(Generic[T]):
    """Reads an operation that lists by days, for a range; `given` are other fields of its query.

    With `by_window`, records are sums of the days that were asked for: the same person is listed in
    each window. With `sealed`, the cached records are encrypted.
    """

    def __init__(
        self,
        scope: Scope,
        operation: BoundPaged[Any, Any, T],
        chosen: Range,
        *ids: str,
        at_once: int | None = None,
        by_window: bool = False,
        sealed: bool = False,
        **given: object,
    ) -> None:
        self._operation = operation
        self._paging = cast("Paging[T]", operation.operation.pages)
        self._query = cast("type[Model]", operation.operation.query)
        self._windows = chosen.windows()
        self._ids, self._given = ids, given
        self._at_once, self._by_window = at_once or AT_ONCE, by_window
        self._sealed = sealed
        name = operation.operation.name
        whose = scope.rights if scope.is_narrow else None
        identity = repr(
            (scope.connection.key, whose, name, ids, sorted(given.items()), chosen.gmt_days)
        )
        self._key = f"range:{sha256(identity.encode()).hexdigest()}"

    def read(self) -> Reading[T]:
        """Returns a recent reading, or as much of a new one as a person waits for. Never raises
        `ApiError`."""
        return self.recent() or self._begin(self._load())

    def refresh(self) -> Reading[T]:
        return self._begin(self._load())

    def more(self) -> Reading[T]:
        """Reads on from where the last reading ended. Never raises `ApiError`."""
        result = self._load() or Reading()
        self._extend(result, result.count + self._at_once)
        self._save(result)
        return result

    def whole(self) -> Reading[T]:
        """Returns all of it, for a file. Raises `ApiError`, and `TooMany` if it is too long."""
        result = self.recent() or Reading()
        for _ in self._steps(result):
            if result.count > MOST:
                raise TooMany
        return result

    def forget(self) -> None:
        """Discards the stored reading."""
        cache.delete(self._key)

    def recent(self) -> Reading[T] | None:
        """Returns the stored reading if it is recent."""
        stored = self._load()
        is_fresh = stored and (clock.now() - stored.read_at).total_seconds() < _FRESH
        return stored if is_fresh else None

    def _begin(self, before: Reading[T] | None) -> Reading[T]:
        result: Reading[T] = Reading()
        self._extend(result, self._at_once)
        if result.fault and before and not result.records:
            before.fault, before.is_old = result.fault, True
            return before
        self._save(result)
        return result

    def _extend(self, reading: Reading[T], most: int) -> None:
        until = time.monotonic() + _PATIENCE
        try:
            for _ in self._steps(reading):
                if reading.count >= most or time.monotonic() > until:
                    return
        except ApiError as error:
            reading.fault = explain(error)

    def _steps(self, reading: Reading[T]) -> Iterator[None]:
        """Adds page after page of what is left. Raises `ApiError`."""
        seen = {self._name(record) for record in self._seen(reading)}
        met: set[tuple[int, str]] = set()
        for _ in range(_MOST_PAGES):
            if reading.window >= len(self._windows):
                return
            position = reading.position
            page = self._page(reading)
            if reading.position != position:
                met.clear()
            met.add((reading.window, reading.position))
            for record in getattr(page, self._paging.records) or ():
                name = self._name(record)
                if name not in seen:
                    seen.add(name)
                    reading.records.append(record)
            following = self._following(page, reading.position)
            # A service that repeats its pages leads nowhere.
            if following and (reading.window, following) not in met:
                reading.position = following
            else:
                reading.window, reading.position = reading.window + 1, ""
                reading.begun_at = reading.count
                seen = seen if not self._by_window else set()
            reading.is_whole = reading.window >= len(self._windows)
            yield

    def _seen(self, reading: Reading[T]) -> list[T]:
        """Returns the records that may be listed again."""
        return reading.records[reading.begun_at :] if self._by_window else reading.records

    def _page(self, reading: Reading[T]) -> Any:
        """Returns the next page of the reading; an expired token begins its window again."""
        window = self._windows[reading.window]
        try:
            return self._fetch(window, reading.position)
        except Invalid:
            if not reading.position or self._is_by_number:
                raise
        reading.position = ""
        return self._fetch(window, "")

    @property
    def _is_by_number(self) -> bool:
        return self._paging.kind is PagingKind.BY_NUMBER

    def _following(self, page: Any, position: str) -> str:
        """Returns the position of the next page; empty after the last."""
        if not self._is_by_number:
            return str(page.next_page_token or "")
        number = int(position or 1)
        here = len(getattr(page, self._paging.records) or ())
        passed, total = number * _PAGE, page.total_records
        is_last = not here or (passed >= total if total is not None else here < _PAGE)
        return "" if is_last else str(number + 1)

    def _fetch(self, window: Days, position: str) -> Any:
        at: dict[str, Any] = {"from": window.from_, "to": window.to, "page_size": _PAGE}
        if position and self._is_by_number:
            at["page_number"] = int(position)
        elif position:
            at["next_page_token"] = position
        query = self._query(**at, **self._given)
        return self._operation(*self._ids, query)

    def _name(self, record: T) -> str:
        values = [getattr(record, field, None) for field in self._paging.key]
        return repr(values) if any(values) else record.model_dump_json(warnings=False)

    def _load(self) -> Reading[T] | None:
        """Returns the stored reading; None if another version of the portal stored it otherwise."""
        stored: Any = cache.get(self._key)
        item = self._paging.item
        try:
            if self._sealed:
                stored = json.loads(unseal(stored).value)
            return Reading(
                [item.model_validate(record, extra="ignore") for record in stored["records"]],
                datetime.fromisoformat(stored["read_at"]),
                *(stored[name] for name in _PROGRESS),
            )
        except (AttributeError, KeyError, TypeError, TokenUnreadable, ValueError):
            return None

    def _save(self, reading: Reading[T]) -> None:
        """Caches what was read, unless nothing was: the next request then reads again."""
        if reading.fault and not reading.records:
            return
        fields = set(self._paging.item.model_fields)
        dump = [
            record.model_dump(mode="json", by_alias=True, include=fields, warnings=False)
            for record in reading.records
        ]
        stored = {
            "records": dump,
            "read_at": reading.read_at.isoformat(),
            **{name: getattr(reading, name) for name in _PROGRESS},
        }
        cache.set(self._key, seal(json.dumps(stored)) if self._sealed else stored, _CACHED)
