"""Search for a session that may have been created by a request without an answer.

Sessions have no key of their own, so one is searched for that is alike: same host, topic, type and
start, and not there when the plan was made. If the service reports that it was created since the
request was first sent, it is the one; any other is reason enough not to send the request again,
whatever age the service reports.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from portal.client import Api, NotFound
from portal.contract.sessions import SessionSummary
from portal.jobs.job_types import ItemVerdict, Settled
from portal.sessions.services.listing import sessions_of
from portal.sessions.services.session import Details
from portal.sessions.specs import SessionSpec
from portal.translation import gettext as _
from portal.ui.times import aware

# A service's machines may differ, and it may report whole seconds only.
_CLOCKS_DIFFER_BY = timedelta(seconds=5)
# By the service's clock, asked once the service has answered; `None` where that is unknown.
SentAt = Callable[[], datetime | None]


@dataclass(frozen=True)
class Sought:
    """A session that was to be created. `moments` are its first times, empty without a fixed one;
    `before` the numbers of those of this topic at planning; `twins` is the number of rows that ask
    for the very same."""

    host_id: str
    topic: str
    type: int
    moments: frozenset[datetime]
    before: frozenset[str]
    twins: int = 1


def numbers_by_topic(found: Iterable[SessionSummary]) -> dict[str, list[str]]:
    """The numbers of a host's sessions, by their topic."""
    known: dict[str, list[str]] = {}
    for one in found:
        numbers = known.setdefault(one.topic, [])
        if str(one.id) not in numbers:
            numbers.append(str(one.id))
    return known


def settle(api: Api, spec: SessionSpec, sought: Sought, sent_at: SentAt) -> Settled:
    """Returns what became of it; `sent_at` says when it was first sent. Raises `ApiError`."""
    found = {
        str(one.id): aware(one.created_at) if one.created_at else None
        for one in sessions_of(api, spec, sought.host_id)
        if one.topic == sought.topic and one.type == sought.type
    }
    found = {
        number: created
        for number, created in found.items()
        if number not in sought.before and _begins_as(api, spec, number, sought.moments)
    }
    since = sent_at()
    surely = [
        number
        for number, created in found.items()
        if since and created and created >= since - _CLOCKS_DIFFER_BY
    ]
    if not found:
        return Settled(ItemVerdict.NOT_SEEN)
    if sought.twins > 1:
        return _of_twins(len(found), sought.twins)
    if len(surely) == 1:
        return Settled(ItemVerdict.DONE, surely[0], _("Found on the service."))
    listed = ", ".join(found)
    words = _(
        "Similar new ones on the service: %(listed)s. It is unknown whether this row created one."
    ) % {"listed": listed}
    return Settled(ItemVerdict.UNCERTAIN, message=words)


def _of_twins(found: int, twins: int) -> Settled:
    if found == twins:
        words = _("Found on the service, among %(twins)s identical rows of the table.") % {
            "twins": twins
        }
        return Settled(ItemVerdict.DONE, message=words)
    words = _(
        "%(twins)s rows are identical, and %(found)s of them exist on the service. Check them "
        "there."
    ) % {"twins": twins, "found": found}
    return Settled(ItemVerdict.UNCERTAIN, message=words)


def _begins_as(api: Api, spec: SessionSpec, number: str, moments: frozenset[datetime]) -> bool:
    """Returns whether the session begins as planned; read alone, as not all lists contain times."""
    if not moments:
        return True
    try:
        details: Details = spec.calls(api).get(number)
    except NotFound:
        return False
    starts = [details.start_time, *details.starts]
    return any(aware(start) in moments for start in starts if start)
