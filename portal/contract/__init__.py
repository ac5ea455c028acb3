"""The management interface as data: objects, limits and operations, without I/O.

`FAMILIES` lists every family of operations; the client calls them, the sandbox serves them, access
scopes them, and forms and documents are made from their models.
"""

from collections.abc import Iterator

from portal.contract.accounts import Accounts
from portal.contract.billing import Billing
from portal.contract.chat import Chat
from portal.contract.delegates import Assistants, Schedulers
from portal.contract.devices import Devices
from portal.contract.groups import Groups, ImGroups
from portal.contract.meetings import Meetings
from portal.contract.metrics import Metrics
from portal.contract.operation import AnyOperation, Family
from portal.contract.past_sessions import PastMeetings, PastWebinars
from portal.contract.polls import MeetingPolls, WebinarPolls
from portal.contract.recordings import Recordings
from portal.contract.registrants import MeetingRegistrants, WebinarRegistrants
from portal.contract.reports import Reports
from portal.contract.telephony import PacAccounts, TelephonyProvider, TspAccounts
from portal.contract.tracking_fields import TrackingFields
from portal.contract.users import Users
from portal.contract.webhooks import Webhooks
from portal.contract.webinars import Panelists, Webinars

# In the order of the navigation, in which they are offered.
FAMILIES: tuple[type[Family], ...] = (
    Users,
    Assistants,
    Schedulers,
    TspAccounts,
    PacAccounts,
    Groups,
    ImGroups,
    Meetings,
    MeetingRegistrants,
    MeetingPolls,
    PastMeetings,
    Webinars,
    WebinarRegistrants,
    Panelists,
    WebinarPolls,
    PastWebinars,
    Recordings,
    Metrics,
    Reports,
    Chat,
    Accounts,
    Billing,
    TrackingFields,
    Devices,
    TelephonyProvider,
    Webhooks,
)


def operations() -> Iterator[AnyOperation]:
    """Every operation of the interface."""
    for family in FAMILIES:
        yield from family.operations()
