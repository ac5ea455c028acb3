"""The service layer: makes an operation's request, sends it, reads the answer."""

from portal.client.addresses import AddressPolicy, AddressRefused
from portal.client.api import Api
from portal.client.caller import HttpCaller
from portal.client.errors import (
    Answered,
    ApiError,
    Conflict,
    Invalid,
    NotFound,
    OutcomeUnknown,
    ServerFault,
    Throttled,
    TimedOut,
    Unauthorized,
    Unexpected,
    Unreachable,
)
from portal.client.gate import Gate
from portal.client.pace import UNLIMITED, LocalPace
from portal.client.patience import Patience, is_asked_to_wait
from portal.client.pictures import NoPicture, fetch_picture
from portal.client.redis_pace import RedisPace, connect_to_redis
from portal.client.secret import Secret
from portal.client.transport import Target

__all__ = [
    "UNLIMITED",
    "AddressPolicy",
    "AddressRefused",
    "Answered",
    "Api",
    "ApiError",
    "Conflict",
    "Gate",
    "HttpCaller",
    "Invalid",
    "LocalPace",
    "NoPicture",
    "NotFound",
    "OutcomeUnknown",
    "Patience",
    "RedisPace",
    "Secret",
    "ServerFault",
    "Target",
    "Throttled",
    "TimedOut",
    "Unauthorized",
    "Unexpected",
    "Unreachable",
    "connect_to_redis",
    "fetch_picture",
    "is_asked_to_wait",
]
