"""Walks a list to its end, whatever changes while it is read (spec 2.3).

No record is handed out twice, and none that was there all the time is missed:

- by number: a list that shrinks moves records onto pages that were read before, so it is walked
  again; short pages, an unknown total and a page size that the service lowers end nothing early;
- by number, where answers carry a token and no number, or another than was asked for: by these
  tokens all the same;
- by token: a token that has expired (after 15 minutes) starts the list again.

Each page comes with the records that were not handed out before. A service that repeats pages or
tokens without end is `Unexpected`.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, Generic, TypeVar, cast

from portal.client import messages
from portal.client.errors import ApiError, Invalid, NotFound, Unexpected
from portal.contract.model import Model
from portal.contract.operation import Call, Caller, Paging, PagingKind
from portal.contract.reading import left_out_of
from portal.contract.words import Message

R = TypeVar("R")
_WALKS = 3
_IDLE_PAGES = 5
_MOST_PAGES = 10_000


def walk(send: Callable[[Call[R]], R], call: Call[R]) -> Iterator[R]:
    """The pages of a paged call, in the largest size allowed unless the query names one."""
    paging = call.operation.pages
    if paging is None:
        raise TypeError(f"{call.operation.name} is not paged")
    pages = _Pages(send, call, paging)
    return pages.by_token() if paging.kind is PagingKind.BY_TOKEN else pages.by_number()


class _Pages(Generic[R]):
    def __init__(self, send: Callable[[Call[R]], R], call: Call[R], paging: Paging[Any]) -> None:
        self._send = send
        self._call = call
        self._records = paging.records
        self._handed_out = _HandedOut(paging.key)
        self._first = _in_large_pages(call.query or cast(Any, call.operation.query)())

    def by_number(self) -> Iterator[R]:
        for _walk in range(_WALKS):
            if (yield from self._once_by_number()):
                return

    def by_token(self) -> Iterator[R]:
        while True:
            before = self._handed_out.count
            expired = yield from self._once_by_token()
            if expired is None:
                return
            if self._handed_out.count == before:
                raise expired

    def _once_by_number(self) -> Generator[R, None, bool]:
        """Yields records by page number. Returns whether the list held still, so that none was
        missed."""
        self._handed_out.begin_again()
        query: Any = self._first
        passed = (query.page_number - 1) * query.page_size
        total: int | None = None
        still = True
        while True:
            try:
                page = self._page(query)
            except (Invalid, NotFound):
                if total is None or passed < total:
                    raise
                return still  # there is no page beyond the last
            before, total = total, _count(getattr(page, "total_records", None))
            still = still and (before is None or total is None or total >= before)
            token, fresh = token_instead(page, query.page_number), self._sifted(page)
            if not token or query is self._first or getattr(fresh, self._records):
                yield fresh
            if token:
                return (yield from self._after(token))
            here = len(getattr(page, self._records) or ()) + len(left_out_of(page))
            passed += here
            if not here or passed == total:
                return still
            query = query.model_copy(update={"page_number": query.page_number + 1})

    def _after(self, token: str) -> Generator[R, None, bool]:
        """The pages from this token on, of a list that was begun by number."""
        tokens: set[str] = set()
        while token:
            if token in tokens:
                raise self._endless()
            tokens.add(token)
            page = self._send(replace(self._call, query=self._first, next_page_token=token))
            yield self._sifted(page)
            token = _token_of(page)
        return True

    def _once_by_token(self) -> Generator[R, None, ApiError | None]:
        """The refusal of a token that was good before, if that ended the walk."""
        self._handed_out.begin_again()
        query: Any = self._first
        tokens: set[str] = set()
        while True:
            try:
                page: Any = self._page(query)
            except Invalid as refusal:
                if not tokens:
                    raise
                return refusal
            yield self._sifted(page)
            token = page.next_page_token
            if not token or not isinstance(token, str):
                return None
            if token in tokens:
                raise self._endless()
            tokens.add(token)
            query = query.model_copy(update={"next_page_token": token})

    def _page(self, query: Model) -> R:
        return self._send(replace(self._call, query=query))

    def _sifted(self, page: R) -> R:
        records = getattr(page, self._records) or []
        fresh = self._handed_out.sift(records)
        if self._handed_out.idle_pages > _IDLE_PAGES or self._handed_out.pages > _MOST_PAGES:
            raise self._endless()
        if len(fresh) == len(records):
            return page
        return cast(R, cast(Model, page).model_copy(update={self._records: fresh}))

    def _endless(self) -> Unexpected:
        return Unexpected(
            self._call.operation,
            Message(messages.ENDLESS_PAGES),
            status=200,
        )


class _HandedOut:
    """The records that were handed out, over all walks of a list.

    Records with a key are distinguished by it. Of those without, as many of a kind are handed
    out as one walk has met.
    """

    def __init__(self, key: tuple[str, ...]) -> None:
        self._key = key
        self._ever: Counter[str] = Counter()
        self.begin_again()

    @property
    def count(self) -> int:
        return self._ever.total()

    def begin_again(self) -> None:
        self._this_walk: Counter[str] = Counter()
        self.pages = self.idle_pages = 0

    def sift(self, records: list[object]) -> list[object]:
        """Those records of a page that are to be handed out."""
        before = len(self._this_walk)
        fresh = []
        for record in records:
            name, is_unique = self._name(record)
            self._this_walk[name] += 1
            if self._ever[name] < (1 if is_unique else self._this_walk[name]):
                self._ever[name] += 1
                fresh.append(record)
        self.pages += 1
        self.idle_pages = self.idle_pages + 1 if len(self._this_walk) == before else 0
        return fresh

    def _name(self, record: object) -> tuple[str, bool]:
        values = [getattr(record, field, None) for field in self._key]
        if any(values):
            return repr(values), True
        whole = record.model_dump_json(warnings=False) if isinstance(record, Model) else record
        return repr(whole), False


def token_instead(page: Any, number: int) -> str:
    """The token of the next page, where an answer has one and does not have the page number that
    was asked for: it is the first page then, whichever was meant."""
    is_numbered = "page_number" in page.model_fields_set and page.page_number == number
    return "" if is_numbered else _token_of(page)


def page_at(caller: Caller, call: Call[R]) -> R:
    """One page of a list that is declared by number. Where the service pages it by token, the pages
    before it are read as well."""
    query = cast(Any, call.query)
    page = caller(call)
    if query.page_number == 1 or not token_instead(page, query.page_number):
        return page
    first = replace(call, query=query.model_copy(update={"page_number": 1}))
    pages = islice(caller.pages(first), query.page_number)
    *_before, last = pages
    return last


def _token_of(page: object) -> str:
    token = getattr(page, "next_page_token", "")
    return token if isinstance(token, str) else ""


def _in_large_pages(query: Any) -> Any:
    if "page_size" in query.model_fields_set:
        return query
    limits = type(query).model_fields["page_size"].metadata
    largest = next((limit.le for limit in limits if hasattr(limit, "le")), query.page_size)
    return query.model_copy(update={"page_size": largest})


def _count(total: object) -> int | None:
    return total if isinstance(total, int) else None
