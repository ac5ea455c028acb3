"""Lists of one host's recordings, whatever range the service allows at once."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta

from portal.client import Api, Invalid
from portal.contract.reading import LeftOut, all_left_out_of
from portal.contract.recordings import RecordedMeeting, RecordingsQuery
from portal.mirror.values import text
from portal.recordings.rows import ListedRecording

_PAGE = 300
_DAY = timedelta(days=1)
_MONTH = 30 * _DAY


def recordings_of(
    api: Api, host: str, first: date, last: date, left_out: list[LeftOut] | None = None
) -> list[ListedRecording]:
    """All recordings of a host that began on these days of GMT, in the trash or not; `left_out`
    gets those that cannot be read.

    Raises `ApiError`.
    """
    left_out = [] if left_out is None else left_out
    found: dict[str, ListedRecording] = {}
    for is_trash in (False, True):
        for one in _listed(api, host, first, last, is_trash=is_trash, left_out=left_out):
            listed = found.setdefault(text(one.uuid), ListedRecording(one))
            (listed.trashed if is_trash else listed.kept).extend(one.recording_files)
    return list(found.values())


def _listed(
    api: Api, host: str, first: date, last: date, *, is_trash: bool, left_out: list[LeftOut]
) -> Iterable[RecordedMeeting]:
    """Asked for at once; a service that cuts the range, or refuses it, is asked month by month."""
    try:
        whole = _pages(api, host, first, last, is_trash=is_trash, left_out=left_out)
    except Invalid:
        if last - first <= _MONTH:
            raise
        whole = None
    if whole is not None:
        return whole
    return [
        one
        for begin, end in _months(first, last)
        for one in _pages(api, host, begin, end, is_trash=is_trash, left_out=left_out) or ()
    ]


def _pages(
    api: Api, host: str, first: date, last: date, *, is_trash: bool, left_out: list[LeftOut]
) -> Sequence[RecordedMeeting] | None:
    """The recordings of these days; None where the service answered for fewer of them."""
    days = {"from": first, "to": last}
    query = RecordingsQuery(page_size=_PAGE, trash=is_trash, **days)
    found: list[RecordedMeeting] = []
    for page in api.recordings.of_user.pages(host, query):
        if page.from_ is not None and page.from_ > first and last - first > _MONTH:
            return None
        found += page.meetings
        left_out += all_left_out_of(page)
    return found


def _months(first: date, last: date) -> Iterator[tuple[date, date]]:
    """Windows of a month at most, the latest first, without a gap or a day twice."""
    end = last
    while end >= first:
        begin = max(end - _MONTH + _DAY, first)
        yield begin, end
        end = begin - _DAY
