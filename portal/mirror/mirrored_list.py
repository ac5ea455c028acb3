"""Mirrored lists: their declaration, and one reading of them, side by side and checked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import timedelta
from time import monotonic
from types import TracebackType
from typing import Any, ClassVar, Self, TypeVar, cast

import structlog
from django.db.models import F, Q
from django.db.models.expressions import CombinedExpression

from portal.access.models import Connection
from portal.client import Api, Invalid, NotFound, token_instead
from portal.config import clock
from portal.config.database import Busy, briefly
from portal.config.logs import with_log_context
from portal.contract.operation import BoundPaged, Paging
from portal.contract.paging import NumberedQuery
from portal.contract.reading import LeftOut, all_left_out_of, left_out_of
from portal.mirror import rows
from portal.mirror.models import VIEWED_WITHIN, MirroredRow, MirrorState
from portal.work import leases
from portal.work.queue import WorkQueue

T = TypeVar("T")
M = TypeVar("M", bound=MirroredRow)
LEASE = timedelta(minutes=1)
_SPACED_BY = timedelta(seconds=30)
_CLOCKS_DIFFER_BY = timedelta(seconds=2)
_AT_ONCE = 4
_LARGEST_PAGE = 300
_RENEWED_EVERY = 0.5  # seconds; how far it has come is asked once a second
_RENEWED_AT_LEAST_EVERY = LEASE.total_seconds() / 4
_log = structlog.get_logger(__name__)
# Gets how many rows were read, of how many.
OnProgress = Callable[[int, int], object]


def nothing_else(_read: int, _expected: int) -> None:
    pass


class ListChangedError(Exception):
    """The list changed while it was read, so a row may be missing."""


class ListReading:
    """The argument of a list's `read`: the service, and where to put what it returns. `on_progress`
    is called whenever the lease is renewed.

    Threads of the reading only call the service; the database is written by the one that reads.
    """

    def __init__(
        self, state: MirrorState, api: Api, on_progress: OnProgress = nothing_else
    ) -> None:
        self._on_progress = on_progress
        self.state = state
        # Records that several lists had in a pass that did not hold still because of it.
        self.doubled: set[rows.Key] = set()
        self.connection = state.connection
        self.api = api
        self._pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="mirror")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def begin(self) -> None:
        """Begins a pass over the lists."""
        self.began = clock.now() - _CLOCKS_DIFFER_BY
        self._read = self._expected = 0
        self.notes: list[str] = []
        self.left_out: list[LeftOut] = []
        self.renew(run=F("run") + 1, read=0, expected=0)

    def renew(self, **progress: int | CombinedExpression) -> None:
        """Keeps the lease. Raises `LeaseLost`."""
        self._renewed = monotonic()
        leases.renew(self.state, LEASE, **progress)
        self._on_progress(self._read, max(self._expected, self._read))

    def side_by_side(self, calls: Iterable[Callable[[], T]]) -> Iterator[T]:
        """Yields the results of calls to the service in their order; a few are in flight at a time.

        The lease is renewed during the wait, however long the service takes.
        """
        under_way: deque[Future[T]] = deque()
        for call in calls:
            under_way.append(self._pool.submit(with_log_context(call)))
            if len(under_way) >= 2 * _AT_ONCE:
                yield self._end_of(under_way.popleft())
        while under_way:
            yield self._end_of(under_way.popleft())

    def pages(
        self, listing: BoundPaged[Any, Any, T], query: NumberedQuery
    ) -> Iterator[Sequence[T]]:
        """Yields the records of a list, page by page. Raises `ListChangedError` if it changed
        meanwhile.

        A list without a total, or with tokens for pages, is walked page after page.
        """
        wanted = query.model_copy(update={"page_size": _LARGEST_PAGE, "page_number": 1})
        [first] = self.side_by_side([lambda: listing(wanted)])
        if first.total_records is None or token_instead(first, 1):
            yield from self._walk(listing, query)
            return
        total, size = first.total_records, len(_records(listing, first)) + len(left_out_of(first))
        self._expected += total
        unread_before = len(self.left_out)
        seen: set[object] = set()
        unread = 0
        for number, page in enumerate(self._all_pages(listing, query, first, total, size), 1):
            if token_instead(page, number):
                del self.left_out[unread_before:]  # they are met again
                yield from self._walk(listing, query)
                return
            records = _records(listing, page)
            if page.total_records != total:
                raise ListChangedError
            seen.update(_keys(listing, records))
            unread += len(left_out_of(page))
            yield self._counted(page, records)
        if len(seen) + unread != total:
            raise ListChangedError

    def store(self, made: Sequence[M], then: rows.Then[M] = rows.no_more) -> int:
        """Writes those rows that are new; see `rows.store`."""
        return rows.store(self.state, made, self.began, then)

    def forget_unseen(self, model: type[M], seen: set[rows.Key]) -> None:
        """Forgets the rows that this pass has not seen, once the lists were read whole. If some
        records could not be read nothing is forgotten: they may be these."""
        if not self.left_out:
            rows.forget_unseen(self.state, model._default_manager.all(), seen, self.began)
            self.state.removals.filter(at__lt=self.began).delete()

    def _all_pages(
        self,
        listing: BoundPaged[Any, Any, T],
        query: NumberedQuery,
        first: object,
        total: int,
        size: int,
    ) -> Iterator[Any]:
        yield first
        if not size:
            return

        def fetch(number: int) -> Callable[[], Any]:
            wanted = query.model_copy(update={"page_size": _LARGEST_PAGE, "page_number": number})
            return lambda: _page_of(listing, wanted)

        # A service may lower the page size: the first page shows which one it keeps to.
        yield from self.side_by_side(fetch(number) for number in range(2, -(-total // size) + 1))

    def _walk(
        self, listing: BoundPaged[Any, Any, T], query: NumberedQuery
    ) -> Iterator[Sequence[T]]:
        for page in listing.pages(query):
            yield self._counted(page, _records(listing, page))

    def _counted(self, page: object, records: Sequence[T]) -> Sequence[T]:
        self.left_out += all_left_out_of(page)
        self._on_page(len(records))
        return records

    def _end_of(self, call: Future[T]) -> T:
        while not wait([call], _RENEWED_AT_LEAST_EVERY).done:
            self.renew()
        return call.result()

    def _on_page(self, count: int) -> None:
        self._read += count
        if monotonic() - self._renewed > _RENEWED_EVERY:
            self.renew(read=self._read, expected=max(self._expected, self._read))


def _records(listing: BoundPaged[Any, Any, T], page: object) -> Sequence[T]:
    return getattr(page, cast(Paging[T], listing.operation.pages).records) or ()


def _keys(listing: BoundPaged[Any, Any, T], records: Sequence[T]) -> Iterator[tuple[Any, ...]]:
    key = cast(Paging[T], listing.operation.pages).key
    return (tuple(getattr(record, name, None) for name in key) for record in records)


def _page_of(listing: BoundPaged[Any, Any, Any], query: NumberedQuery) -> Any:
    """Returns a page that was reported to exist. Raises `ListChangedError`."""
    try:
        return listing(query)
    except (Invalid, NotFound) as error:
        raise ListChangedError from error


@dataclass(frozen=True)
class StoredList(ABC):
    """A list of the service that is copied for each connection. `noun` says what the list is of;
    a viewed copy that is older than `stale_after` is read again."""

    name: str
    noun: str

    stale_after: timedelta = field(default=timedelta(minutes=10), kw_only=True)
    is_by_job: ClassVar[bool] = False  # read host by host, which takes long

    @property
    def counted(self) -> str:
        """Returns the noun that is counted while the list is read."""
        return self.noun

    def state_of(self, connection: Connection) -> MirrorState:
        """Returns the freshness of this connection's copy."""
        return rows.state_of(connection, self.name)

    @abstractmethod
    def request(self, connection: Connection) -> MirrorState:
        """Has the list read again. Returns the state of the copy."""

    @abstractmethod
    def cancel(self, connection: Connection) -> None:
        """Withdraws the request, as far as the reading can be stopped."""

    @abstractmethod
    def is_being_read(self, state: MirrorState) -> bool:
        """Returns whether a newer copy is on its way."""

    def progress(self, state: MirrorState) -> dict[str, object]:  # noqa: ARG002
        """Returns the context by which a page shows how far a reading is, beside its state."""
        return {}

    def mark_viewed(self, connection: Connection) -> MirrorState:
        """Records that the list is being viewed, and has an old copy read again. Returns its state.

        Copies of lists that are not viewed are not kept fresh. If jobs have locked the database,
        the page does not wait for them: the next view is recorded.
        """
        state = rows.cached_state(connection, self.name)
        is_old = (
            not state.failure
            and state.is_older_than(self.stale_after)
            and not self.is_being_read(state)
            and state.is_due(self.stale_after)
        )
        try:
            if is_old or state.is_view_due:
                with briefly():
                    rows.record_view(state)
                    return self.request(connection) if is_old else state
        except Busy:
            _log.info("view of a list not noted", connection=connection.key, list=self.name)
        return state


@dataclass(frozen=True)
class MirroredList(StoredList):
    """A list that one pass reads: `read` brings the copy up to date."""

    read: Callable[[ListReading], None]

    def request(self, connection: Connection) -> MirrorState:
        """Requests a newer copy, and wakes a worker.

        While a copy is being read, another is read after it: the request may be about records that
        are read already.
        """
        state = self.state_of(connection)
        now = clock.now()
        MirrorState.objects.filter(pk=state.pk).update(requested_at=now)
        state.requested_at = now
        REFRESHES.wake(state.pk)
        return state

    def request_spaced(self, connection: Connection) -> MirrorState:
        """Requests a newer copy after one of many reports: at once, unless the copy is new or being
        read. Then one more is read after a while."""
        state, now = self.state_of(connection), clock.now()
        if not state.is_running and state.is_older_than(_SPACED_BY):
            return self.request(connection)
        due = max(now, state.refreshed_at or now) + _SPACED_BY
        waits = Q(requested_at__gt=now) | Q(requested_at__isnull=False, lease=None)
        MirrorState.objects.filter(pk=state.pk).exclude(waits).update(requested_at=due)
        return state

    def cancel(self, connection: Connection) -> None:
        """Withdraws a request that no worker has taken up; a reading ends by itself."""
        state = self.state_of(connection)
        MirrorState.objects.filter(pk=state.pk, lease=None).update(requested_at=None)

    def is_being_read(self, state: MirrorState) -> bool:
        return state.is_wanted


MIRRORED_LISTS: dict[str, MirroredList] = {}
REFRESHES = WorkQueue(
    model=MirrorState,
    task="mirror.refresh",
    waiting=lambda: Q(requested_at__lte=clock.now()),
    supported=lambda: Q(kind__in=MIRRORED_LISTS),
    length=lambda: LEASE,
    since="requested_at",
    related=("connection__owner",),
    at_night=lambda: Q(viewed_at=None) | Q(viewed_at__lte=clock.now() - VIEWED_WITHIN),
    account="connection",
    swept_every=15.0,
)


def request_all(states: Collection[MirrorState]) -> None:
    """Requests newer copies of several lists that one pass reads, and wakes workers."""
    if not states:
        return
    missing = [one for one in states if one.pk is None]
    MirrorState.objects.bulk_create(missing, ignore_conflicts=True)
    now, wanted = clock.now(), dict[str, list[int]]()
    for one in states:
        wanted.setdefault(one.kind, []).append(one.connection_id)
    for kind, connections in wanted.items():
        rows_of_kind = MirrorState.objects.filter(kind=kind, connection__in=connections)
        rows_of_kind.update(requested_at=now)
    REFRESHES.wake_free()


def register(kind: MirroredList) -> None:
    """Reads this list too from now on."""
    MIRRORED_LISTS[kind.name] = kind
