"""`Api`: every family of the interface as an attribute."""

from functools import cached_property

from portal.contract.accounts import Accounts
from portal.contract.billing import Billing
from portal.contract.chat import Chat
from portal.contract.delegates import Assistants, Schedulers
from portal.contract.devices import Devices
from portal.contract.groups import Groups, ImGroups
from portal.contract.meetings import Meetings
from portal.contract.metrics import Metrics
from portal.contract.operation import Caller
from portal.contract.past_sessions import PastMeetings, PastWebinars
from portal.contract.polls import MeetingPolls, WebinarPolls
from portal.contract.recordings import Recordings
from portal.contract.registrants import MeetingRegistrants, WebinarRegistrants
from portal.contract.reports import Reports
from portal.contract.telephony import PacAccounts, TspAccounts
from portal.contract.telephony_provider import TelephonyProvider
from portal.contract.tracking_fields import TrackingFields
from portal.contract.users import Users
from portal.contract.webhooks import Webhooks
from portal.contract.webinars import Panelists, Webinars


class Api:
    """The service as one object: `api.users.create(NewUser(...))` returns a `CreatedUser`.

    Lists return a page; `api.users.list.all(UserQuery())` walks every record. Raises `ApiError`.
    """

    def __init__(self, caller: Caller) -> None:
        self.caller = caller

    @cached_property
    def users(self) -> Users:
        return Users(self.caller)

    @cached_property
    def assistants(self) -> Assistants:
        return Assistants(self.caller)

    @cached_property
    def schedulers(self) -> Schedulers:
        return Schedulers(self.caller)

    @cached_property
    def tsp_accounts(self) -> TspAccounts:
        return TspAccounts(self.caller)

    @cached_property
    def pac_accounts(self) -> PacAccounts:
        return PacAccounts(self.caller)

    @cached_property
    def groups(self) -> Groups:
        return Groups(self.caller)

    @cached_property
    def im_groups(self) -> ImGroups:
        return ImGroups(self.caller)

    @cached_property
    def meetings(self) -> Meetings:
        return Meetings(self.caller)

    @cached_property
    def webinars(self) -> Webinars:
        return Webinars(self.caller)

    @cached_property
    def recordings(self) -> Recordings:
        return Recordings(self.caller)

    @cached_property
    def accounts(self) -> Accounts:
        return Accounts(self.caller)

    @cached_property
    def billing(self) -> Billing:
        return Billing(self.caller)

    @cached_property
    def devices(self) -> Devices:
        return Devices(self.caller)

    @cached_property
    def telephony_provider(self) -> TelephonyProvider:
        return TelephonyProvider(self.caller)

    @cached_property
    def tracking_fields(self) -> TrackingFields:
        return TrackingFields(self.caller)

    @cached_property
    def webhooks(self) -> Webhooks:
        return Webhooks(self.caller)

    @cached_property
    def meeting_polls(self) -> MeetingPolls:
        return MeetingPolls(self.caller)

    @cached_property
    def meeting_registrants(self) -> MeetingRegistrants:
        return MeetingRegistrants(self.caller)

    @cached_property
    def past_meetings(self) -> PastMeetings:
        return PastMeetings(self.caller)

    @cached_property
    def webinar_polls(self) -> WebinarPolls:
        return WebinarPolls(self.caller)

    @cached_property
    def webinar_registrants(self) -> WebinarRegistrants:
        return WebinarRegistrants(self.caller)

    @cached_property
    def panelists(self) -> Panelists:
        return Panelists(self.caller)

    @cached_property
    def past_webinars(self) -> PastWebinars:
        return PastWebinars(self.caller)

    @cached_property
    def metrics(self) -> Metrics:
        return Metrics(self.caller)

    @cached_property
    def reports(self) -> Reports:
        return Reports(self.caller)

    @cached_property
    def chat(self) -> Chat:
        return Chat(self.caller)
