"""Limits that an answer of the service names: their kind, and how long they last."""

import math
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final, Literal

from portal.client.secret import Secret

_RESOLUTION = 1.0  # seconds: a `Date` has no fractions
_MOST_SERVICES = 4096
_ahead_of: dict[str, "Ahead"] = {}
_lock = threading.Lock()
_LONGEST_WAIT = 86_400.0  # seconds
_SOON = 60.0  # seconds
_LONGEST_NAME = 60
_DESCRIBED = ("Category", "Type", "Limit", "Remaining")  # untranslated: names of headers
_THING = r"(?:user|host|person|registrant|panelist|participant|meeting|webinar|recording)"
_ONE_THING = re.compile(
    rf"\b(?:(?:this|one)(?: particular| single)?|for the(?: particular| single)?) {_THING}\b"
    rf"|\bper[- ]{_THING}\b|\b{_THING}'s\b",
    re.IGNORECASE,
)
_WHOLE_CLASS = re.compile(r"\brate limit for this API\b", re.IGNORECASE)
_SINCE_1970 = 1_000_000_000  # seconds: what is less is a time from now on
# What a refusal for the number of requests holds back: all operations of a `class`, the one
# `operation` on the object or person that its path names, or the `request` alone.
Reach = Literal["class", "operation", "request"]
_UNIT = re.compile(r"second|qps|minute|qpm|daily|day", re.IGNORECASE)
_UNITS: Final[dict[str, Literal["second", "minute", "day"]]] = {
    "second": "second",
    "qps": "second",
    "minute": "minute",
    "qpm": "minute",
    "daily": "day",
    "day": "day",
}
_OF_A_DAY = re.compile(r"\b(?:daily|(?:a|per)[- ]day)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Ahead:
    """Seconds by which this machine's clock is ahead: at least, and at most."""

    least: float
    most: float


def learn(service: str, sent: float, came: float, date: str) -> None:
    """Takes an answer into account that came, by this machine's clock, between these times."""
    reported = date_of(date)
    if reported is None:
        return
    theirs = reported.timestamp()
    result = Ahead(sent - theirs - _RESOLUTION, came - theirs)
    with _lock:
        if earlier := _ahead_of.get(service):
            both = Ahead(max(earlier.least, result.least), min(earlier.most, result.most))
            # Where they contradict each other a clock was set in between.
            result = both if both.least <= both.most else result
        elif len(_ahead_of) >= _MOST_SERVICES:
            _ahead_of.clear()
        _ahead_of[service] = result


def ahead_of(service: str) -> Ahead | None:
    """The answers of this process say it; `None` before the first one that has a `Date`."""
    return _ahead_of.get(service)


def date_of(text: str) -> datetime | None:
    """A date of HTTP; `None` where it is none."""
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Quota:
    """One of the service's limits, in its own names; empty or `None` where it says nothing."""

    category: str = ""
    type: str = ""
    limit: int | None = None
    remaining: int | None = None

    def __str__(self) -> str:
        counted = "" if self.limit is None else str(self.limit)
        if self.remaining is not None:
            counted = f"{self.remaining}/{counted or '?'}"
        return ": ".join(words for words in (self.name, counted) if words)

    @property
    def unit(self) -> Literal["", "second", "minute", "day"]:
        """Returns the time that the limit is for, by the words of its type."""
        match = _UNIT.search(self.type)
        return _UNITS[match[0].casefold()] if match else ""

    @property
    def name(self) -> str:
        return ", ".join(words for words in (self.category, self.type) if words)


def quota_of(headers: Mapping[str, str], token: Secret) -> Quota | None:
    """The limit that the answer's `X-RateLimit-*` describe, `None` without any."""
    texts = [token.hide(headers.get(f"X-RateLimit-{name}", "")) for name in _DESCRIBED]
    category, type_, *numbers = (
        "".join(c for c in text if c.isprintable()).strip()[:_LONGEST_NAME] for text in texts
    )
    limit, remaining = (
        int(text) if text.isascii() and text.isdecimal() and len(text) <= 12 else None
        for text in numbers
    )
    if not (category or type_) and limit is None and remaining is None:
        return None
    return Quota(category, type_, limit, remaining)


def reach_of(words: str, quota: Quota | None, retry_after: float | None) -> Reach:
    """Returns what a refusal holds back.

    A single user, registrant or other thing that it names is its own affair. Beyond that only
    headers, or the words "rate limit for this API", name a class. What is over soon is waited for
    by all: by "this user" some services mean the caller.
    """
    if retry_after is not None and retry_after <= _SOON:
        return "class"
    if _ONE_THING.search(f"{words} {quota.name.replace('_', ' ') if quota else ''}"):
        return "request"
    names_class = (quota and quota.name) or _WHOLE_CLASS.search(words)
    return "class" if retry_after is None or names_class else "operation"


def until_tomorrow(headers: Mapping[str, str]) -> float:
    """Seconds until 00:00 UTC, when limits of a day begin anew, by the service's own clock."""
    now = date_of(headers.get("Date", "")) or datetime.now(UTC)  # untranslated: a header
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return (midnight + timedelta(days=1) - now).total_seconds()


def is_of_a_day(words: str, quota: Quota | None) -> bool:
    """Returns whether a refusal names the limit of a day."""
    if quota and quota.unit:
        return quota.unit == "day"
    return bool(_OF_A_DAY.search(words))


def seconds_to_wait(headers: Mapping[str, str]) -> float | None:
    """`Retry-After`, given in seconds, as a date of HTTP or of ISO 8601, or else
    `X-RateLimit-Reset`, in seconds from now on or since 1970; a day at most.

    A date is read by the service's own clock, where the answer has its time.
    """
    text = headers.get("Retry-After", "").strip()
    text = text or _moment(headers.get("X-RateLimit-Reset", "").strip())
    try:
        seconds = float(text)
    except ValueError:
        try:
            until = date_of(text) or datetime.fromisoformat(text)
        except ValueError:
            return None
        until = until if until.tzinfo else until.replace(tzinfo=UTC)
        now = date_of(headers.get("Date", "")) or datetime.now(UTC)  # untranslated: a header
        seconds = (until - now).total_seconds()
    return min(max(0.0, seconds), _LONGEST_WAIT) if math.isfinite(seconds) else None


def _moment(text: str) -> str:
    """Returns a time in seconds since 1970 in the form of ISO 8601; any other text as it is."""
    try:
        seconds = float(text)
        is_moment = math.isfinite(seconds) and seconds >= _SINCE_1970
        return datetime.fromtimestamp(seconds, UTC).isoformat() if is_moment else text
    except (ValueError, OverflowError, OSError):
        return text
