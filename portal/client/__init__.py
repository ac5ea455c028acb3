"""The service layer: makes an operation's request, sends it, reads the answer."""

from functools import cached_property
from typing import TypeVar

from portal.client.addresses import AddressPolicy, AddressRefused, HostNotAllowed
from portal.client.caller import CLOSES_CLASS, CallEnd, CallWithheld, HttpCaller
from portal.client.dialect import ClassLimits
from portal.client.errors import (
    Answered,
    ApiError,
    Conflict,
    Invalid,
    NotAvailable,
    NotFound,
    OutcomeUnknown,
    ServerFault,
    Throttled,
    TimedOut,
    Unauthorized,
    Unexpected,
    Unreachable,
)
from portal.client.paging import page_at, token_instead
from portal.client.rate_limiter import UNLIMITED, ClassLimiter, LocalRateLimit, Pacing, RateLimiter
from portal.client.redis_rate_limit import (
    LocalMinuteLimit,
    RedisMinuteLimit,
    RedisRateLimit,
    connect_to_redis,
)
from portal.client.retry_policy import (
    GATEWAY_FAULTS,
    RetryPolicy,
    backoff,
    is_asked_to_wait,
)
from portal.client.secret import Secret
from portal.client.token_endpoint import (
    ClientCredentials,
    IssuedToken,
    NotIssued,
    Tokens,
    ask_for_token,
)
from portal.client.transport import NoPicture, Target, fetch_picture
from portal.contract.accounts import Accounts
from portal.contract.billing import Billing
from portal.contract.chat import Chat
from portal.contract.delegates import Assistants, Schedulers
from portal.contract.devices import Devices
from portal.contract.groups import Groups, ImGroups
from portal.contract.meetings import Meetings
from portal.contract.metrics import Metrics
from portal.contract.operation import Caller, Family
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

F = TypeVar("F", bound=Family)
__all__ = [
    "CLOSES_CLASS",
    "GATEWAY_FAULTS",
    "UNLIMITED",
    "AddressPolicy",
    "AddressRefused",
    "Answered",
    "Api",
    "ApiError",
    "CallEnd",
    "CallWithheld",
    "ClassLimiter",
    "ClassLimits",
    "ClientCredentials",
    "Conflict",
    "HostNotAllowed",
    "HttpCaller",
    "Invalid",
    "IssuedToken",
    "LocalMinuteLimit",
    "LocalRateLimit",
    "NoPicture",
    "NotAvailable",
    "NotFound",
    "NotIssued",
    "OutcomeUnknown",
    "Pacing",
    "RateLimiter",
    "RedisMinuteLimit",
    "RedisRateLimit",
    "RetryPolicy",
    "Secret",
    "ServerFault",
    "Target",
    "Throttled",
    "TimedOut",
    "Tokens",
    "Unauthorized",
    "Unexpected",
    "Unreachable",
    "ask_for_token",
    "backoff",
    "connect_to_redis",
    "fetch_picture",
    "is_asked_to_wait",
    "page_at",
    "token_instead",
]


def _bound(family: type[F]) -> "cached_property[F]":
    """Returns an attribute that is the family, bound to the caller when it is first asked for."""
    return cached_property(lambda api: family(api.caller))


class Api:
    """The service as one object: `api.users.create(NewUser(...))` returns a `CreatedUser`.

    Lists return a page; `api.users.list.all(UserQuery())` walks every record. Raises `ApiError`.
    """

    users = _bound(Users)
    assistants = _bound(Assistants)
    schedulers = _bound(Schedulers)
    tsp_accounts = _bound(TspAccounts)
    pac_accounts = _bound(PacAccounts)
    groups = _bound(Groups)
    im_groups = _bound(ImGroups)
    meetings = _bound(Meetings)
    webinars = _bound(Webinars)
    recordings = _bound(Recordings)
    accounts = _bound(Accounts)
    billing = _bound(Billing)
    devices = _bound(Devices)
    telephony_provider = _bound(TelephonyProvider)
    tracking_fields = _bound(TrackingFields)
    webhooks = _bound(Webhooks)
    meeting_polls = _bound(MeetingPolls)
    meeting_registrants = _bound(MeetingRegistrants)
    past_meetings = _bound(PastMeetings)
    webinar_polls = _bound(WebinarPolls)
    webinar_registrants = _bound(WebinarRegistrants)
    panelists = _bound(Panelists)
    past_webinars = _bound(PastWebinars)
    metrics = _bound(Metrics)
    reports = _bound(Reports)
    chat = _bound(Chat)

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
