"""One reading call of each family of operations, for one record."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from portal.config import clock
from portal.contract.accounts import Accounts
from portal.contract.billing import Billing
from portal.contract.chat import Chat
from portal.contract.dashboards import SessionsQuery
from portal.contract.delegates import Assistants, Schedulers
from portal.contract.devices import Devices
from portal.contract.groups import Groups, ImGroups
from portal.contract.meetings import Meetings, MeetingsQuery
from portal.contract.metrics import Metrics
from portal.contract.operation import AnyOperation, Call
from portal.contract.paging import NumberedQuery, TokenDaysQuery
from portal.contract.past_sessions import PastMeetings, PastWebinars
from portal.contract.polls import MeetingPolls, WebinarPolls
from portal.contract.recordings import Recordings, RecordingsQuery
from portal.contract.registrants import MeetingRegistrants, RegistrantsQuery, WebinarRegistrants
from portal.contract.reports import Reports
from portal.contract.telephony import PacAccounts, TelephonyProvider, TspAccounts
from portal.contract.tracking_fields import TrackingFields
from portal.contract.usage import HostsQuery
from portal.contract.users import UserQuery, Users
from portal.contract.webhooks import Webhooks
from portal.contract.webinars import Panelists, Webinars

_LISTS = {
    Users.list.name: "user",
    Accounts.list.name: "account",
    Meetings.of_user.name: "meeting",
    Webinars.of_user.name: "webinar",
}
_RECORDS = {"user": "users", "account": "accounts", "meeting": "meetings", "webinar": "webinars"}
_one = NumberedQuery(page_size=1)
_one_registrant = RegistrantsQuery(page_size=1)


@dataclass
class Met:
    """Ids for probes: of the first records in the answers so far, or else of the caller, and of
    sessions that do not exist."""

    user: str = "me"
    account: str = "me"
    meeting: str = "99999999999"
    webinar: str = "99999999999"

    def learn(self, operation: AnyOperation, answer: object) -> None:
        """Takes the id of the first record of a list."""
        field = _LISTS.get(operation.name)
        records = getattr(answer, _RECORDS[field], None) if field else None
        if field and records and records[0].id:
            setattr(self, field, str(records[0].id))


@dataclass(frozen=True)
class Probe:
    """A reading operation, and its call by the ids so far."""

    operation: AnyOperation
    call: Callable[[Met], Call[object]]


def _yesterday() -> dict[str, object]:
    day = (clock.now() - timedelta(days=1)).date()
    return {"from": day, "to": day, "page_size": 1}


def _plain(operation: AnyOperation, query: object = None) -> Probe:
    return Probe(operation, lambda _met: operation.call(*([query] if query else [])))


def _of(name: str, operation: AnyOperation, query: object = None) -> Probe:
    pieces = [query] if query else []
    return Probe(operation, lambda met: operation.call(getattr(met, name), *pieces))


def _lately(operation: AnyOperation, query: Any, name: str = "") -> Probe:
    def call(met: Met) -> Call[object]:
        ids = [getattr(met, name)] if name else []
        return operation.call(*ids, query(**_yesterday()))

    return Probe(operation, call)


# In the order in which they are asked: those that others learn an id of come first.
PROBES: Mapping[str, Probe] = {
    probe.operation.family: probe
    for probe in (
        _plain(Users.list, UserQuery(page_size=1)),
        _of("user", Meetings.of_user, MeetingsQuery(page_size=1)),
        _of("user", Webinars.of_user, _one),
        _lately(Recordings.of_user, RecordingsQuery, "user"),
        _plain(Groups.list),
        _plain(ImGroups.list),
        _of("user", Assistants.list),
        _of("user", Schedulers.list),
        _of("user", TspAccounts.list),
        _of("user", PacAccounts.list),
        _of("meeting", MeetingRegistrants.list, _one_registrant),
        _of("meeting", MeetingPolls.list),
        _of("meeting", PastMeetings.instances),
        _of("webinar", WebinarRegistrants.list, _one_registrant),
        _of("webinar", WebinarPolls.list),
        _of("webinar", Panelists.list),
        _of("webinar", PastWebinars.instances),
        _lately(Metrics.meetings, SessionsQuery),
        _lately(Reports.users, HostsQuery),
        _lately(Chat.sessions, TokenDaysQuery),
        _plain(Devices.list),
        _plain(TrackingFields.list),
        _plain(TelephonyProvider.get),
        _plain(Webhooks.list),
        _plain(Accounts.list, _one),
        _of("account", Billing.plans),
    )
}
