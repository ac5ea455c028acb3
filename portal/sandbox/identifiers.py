"""Ids, numbers and times in the formats of the service."""

import base64
import secrets
from datetime import datetime


def new_id() -> str:
    return as_id(secrets.token_bytes(16))


def as_id(octets: bytes) -> str:
    """Returns an id that needs no encoding in a path."""
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def new_uuid() -> str:
    return as_uuid(secrets.token_bytes(16))


def as_uuid(octets: bytes) -> str:
    """Returns a session's UUID, which may contain slashes, as those of a live service do."""
    return base64.b64encode(octets).decode()


def new_personal_meeting_id() -> str:
    return str(secrets.randbelow(9 * 10**9) + 10**9)


def new_host_key() -> str:
    return f"{secrets.randbelow(10**6):06}"


def timestamp(moment: datetime | None) -> str | None:
    """Returns the time as ISO 8601 in GMT, to the second."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None
