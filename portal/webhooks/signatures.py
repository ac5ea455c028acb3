"""Signatures of notifications, and the question whose address a webhook has.

    x-zm-signature: v0=<HMAC-SHA256 of "v0:<time>:<body>" in hexadecimal>
    x-zm-request-timestamp: <time, in seconds since 1970>

The body is signed as it was sent, byte by byte. Names of headers and version are each
subscription's own, since services differ in these alone.
"""

import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.utils.crypto import constant_time_compare

from portal.config import clock

TOLERANCE = 300  # seconds
VALIDATION = "endpoint.url_validation"
_LONGEST_TOKEN = 1_000
_TIMESTAMP = re.compile(r"[0-9]{1,16}")
_IN_MILLISECONDS = 10**11  # later than the year 5000 in seconds


@dataclass(frozen=True)
class SigningScheme:
    """A service's headers for the signature and its time, and the version before both."""

    signature_header: str
    timestamp_header: str
    version: str

    def signature(self, secret: str, timestamp: str, body: bytes) -> str:
        """Returns the signature of a body as its header has it."""
        signed = f"{self.version}:{timestamp}:".encode() + body
        return f"{self.version}={_hmac(secret, signed)}"

    def secret_of(
        self, secrets: Sequence[str], headers: Mapping[str, str], body: bytes
    ) -> str | None:
        """Returns the secret that the body was signed with, None if it was none of these.

        It takes the same time whichever it is.
        """
        signature = headers.get(self.signature_header, "").strip()
        timestamp = headers.get(self.timestamp_header, "").strip()
        matching = [
            secret
            for secret in secrets
            if constant_time_compare(self.signature(secret, timestamp, body), signature)
        ]
        return matching[0] if matching else None

    def is_recent(self, headers: Mapping[str, str]) -> bool:
        """Returns whether a body was signed within the tolerance, by the database's clock."""
        timestamp = headers.get(self.timestamp_header, "").strip()
        if not _TIMESTAMP.fullmatch(timestamp):
            return False
        seconds = int(timestamp)
        if seconds >= _IN_MILLISECONDS:
            seconds //= 1000
        return abs(clock.now().timestamp() - seconds) <= TOLERANCE


def challenge_answer(secret: str, notification: Mapping[str, object]) -> dict[str, str] | None:
    """Returns the answer to the question whether this address is the subscriber's, None of any
    other notification. The service asks when the address is entered and every 72 hours."""
    payload = notification.get("payload")
    token = payload.get("plainToken") if isinstance(payload, dict) else None
    if notification.get("event") != VALIDATION or not isinstance(token, str):
        return None
    if not 0 < len(token) <= _LONGEST_TOKEN:
        return None
    return {"plainToken": token, "encryptedToken": _hmac(secret, token.encode(errors="replace"))}


def _hmac(secret: str, signed: bytes) -> str:
    return hmac.new(secret.encode(), signed, sha256).hexdigest()
