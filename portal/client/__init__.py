"""The service layer: makes an operation's request, sends it, reads the answer."""

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
from portal.contract import Api

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
