"""The management interface as data: objects, limits and operations, without I/O.

`Api` has every family of operations, and `FAMILIES` lists them; the client calls them, the sandbox
serves them, access scopes them, and forms and documents are made from their models.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TypeVar

from portal.contract.accounts import Accounts
from portal.contract.billing import Billing
from portal.contract.chat import Chat
from portal.contract.delegates import Assistants, Schedulers
from portal.contract.devices import Devices
from portal.contract.groups import Groups, ImGroups
from portal.contract.meetings import LIVE_STREAM, Meetings
from portal.contract.metrics import Metrics
from portal.contract.operation import AnyOperation, Caller, Family
from portal.contract.past_sessions import PastMeetings, PastWebinars
from portal.contract.polls import MeetingPolls, WebinarPolls
from portal.contract.recordings import OF_ACCOUNT, Recordings
from portal.contract.registrants import MeetingRegistrants, WebinarRegistrants
from portal.contract.reports import Reports
from portal.contract.telephony import PacAccounts, TelephonyProvider, TspAccounts
from portal.contract.tracking_fields import TrackingFields
from portal.contract.users import Users
from portal.contract.webhooks import Webhooks
from portal.contract.webinars import Panelists, Webinars

F = TypeVar("F", bound=Family)


class _Bound(cached_property[F]):
    """An attribute that is the family, bound to the caller at its first use."""

    def __init__(self, family: type[F]) -> None:
        super().__init__(lambda api: family(api.caller))
        self.family = family


class Api:
    """The service as one object: `api.users.create(NewUser(...))` returns a `CreatedUser`.

    Lists return a page; `api.users.list.all(UserQuery())` walks every record. Raises `ApiError`.
    The families stand in the order of the navigation, in which they are offered.
    """

    users = _Bound(Users)
    assistants = _Bound(Assistants)
    schedulers = _Bound(Schedulers)
    tsp_accounts = _Bound(TspAccounts)
    pac_accounts = _Bound(PacAccounts)
    groups = _Bound(Groups)
    im_groups = _Bound(ImGroups)
    meetings = _Bound(Meetings)
    meeting_registrants = _Bound(MeetingRegistrants)
    meeting_polls = _Bound(MeetingPolls)
    past_meetings = _Bound(PastMeetings)
    webinars = _Bound(Webinars)
    webinar_registrants = _Bound(WebinarRegistrants)
    panelists = _Bound(Panelists)
    webinar_polls = _Bound(WebinarPolls)
    past_webinars = _Bound(PastWebinars)
    recordings = _Bound(Recordings)
    metrics = _Bound(Metrics)
    reports = _Bound(Reports)
    chat = _Bound(Chat)
    accounts = _Bound(Accounts)
    billing = _Bound(Billing)
    tracking_fields = _Bound(TrackingFields)
    devices = _Bound(Devices)
    telephony_provider = _Bound(TelephonyProvider)
    webhooks = _Bound(Webhooks)

    def __init__(self, caller: Caller) -> None:
        self.caller = caller


FAMILIES: tuple[type[Family], ...] = tuple(
    bound.family for bound in vars(Api).values() if isinstance(bound, _Bound)
)


OPERATIONS: Mapping[str, AnyOperation] = {
    operation.name: operation for family in FAMILIES for operation in family.operations()
}

# With what services of today have beside the document.
OPERATIONS_OF_TODAY: Mapping[str, AnyOperation] = {
    **OPERATIONS,
    **{one.name: one for one in (OF_ACCOUNT, LIVE_STREAM)},
}


def operations() -> Iterator[AnyOperation]:
    """Yields every operation of the interface."""
    yield from OPERATIONS.values()
