"""Rate limiters and clocks of the services that connections call, shared by all calls."""

import os
import time
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from django.conf import settings
from redis import Redis

from portal.access.models import Connection
from portal.client import (
    UNLIMITED,
    ClassLimiter,
    ClassLimits,
    LocalMinuteLimit,
    LocalRateLimit,
    Pacing,
    RateLimiter,
    RedisMinuteLimit,
    RedisRateLimit,
    RetryPolicy,
    connect_to_redis,
    is_asked_to_wait,
    limits,
)
from portal.client.dialect import UNKNOWN, DayLimit
from portal.client.limits import Quota
from portal.config import cache, clock
from portal.contract.operation import Call, Weight

_TRUSTED_SECONDS = 1.0  # for which a class counts as open, though others may know more
_DAY = 86_400
# Calls without a waiting user: they come after those with one, and give up later.
BACKGROUND = RetryPolicy(attempts=5, seconds=60.0)
# One of many calls beside each other: its caller tries again, in its turn.
ONE_OF_MANY = replace(BACKGROUND, repeats=is_asked_to_wait)
_MOST_RATE_LIMITERS = 4096
_MOST_HOLDS = 500
_PREFIX = "switchboard:pace:"
Holds = dict[str, list[Any]]  # by operation and object: until when, and why


@dataclass(frozen=True)
class DayCount:
    """Counts what was asked today of classes that share a limit."""

    weights: tuple[Weight, ...]
    used: int
    limit: int

    @property
    def left(self) -> int:
        return max(self.limit - self.used, 0)


@dataclass(frozen=True)
class HeldOperation:
    """An operation that the service accepts none of for a while, on one object or person, or on
    none that its path names."""

    operation: str
    seconds: float
    words: str


def _name_of(call: Call[object]) -> str:
    return f"{call.operation.name} {call.ids[0] if call.ids else ''}"


def tomorrow() -> datetime:
    """Returns 00:00 UTC, when limits of a day begin anew."""
    today = clock.now().replace(hour=0, minute=0, second=0, microsecond=0)
    return today + timedelta(days=1)


class SharedClosures:
    """Closures of one account of a service, shared by its connections: classes of operations, and
    single operations on one object or person."""

    def __init__(self, pace_key: str, limits: ClassLimits = UNKNOWN) -> None:
        self._pace_key = pace_key
        self._limits = limits
        self._trusted_until: dict[Weight, float] = {}
        self._closures: dict[Weight, tuple[float, str]] = {}
        self._holds: Holds = {}
        self._holds_trusted_until = 0.0
        self._counted: dict[str, int] = {}
        self._allowed: dict[str, int] = {}

    def held(self, call: Call[object]) -> tuple[float, str]:
        """Returns for how many seconds more this operation is held, and the service's words."""
        now = time.monotonic()
        if now > self._holds_trusted_until:
            self._holds = cache.get(self._holds_key) or {}
            self._holds_trusted_until = now + _TRUSTED_SECONDS
        until, words = self._holds.get(_name_of(call)) or (0.0, "")
        return max(until - clock.now().timestamp(), 0.0), words

    def hold(self, call: Call[object], seconds: float, words: str) -> None:
        """Holds this operation on the object or person that its path names first."""
        now = clock.now().timestamp()
        stored: Holds = cache.get(self._holds_key) or {}
        holds = {name: hold for name, hold in stored.items() if hold[0] > now}
        holds[_name_of(call)] = [now + seconds, words]
        while len(holds) > _MOST_HOLDS:
            del holds[min(holds, key=lambda name: holds[name][0])]
        cache.set(self._holds_key, holds, _DAY)
        self._holds_trusted_until = 0.0

    def cache_keys(self) -> list[str]:
        """Returns the keys of the cache of all that is closed, held or counted here."""
        by_day = [key(one) for one in self._limits.days for key in (self._day_key, self._limit_key)]
        return [self._holds_key, *map(self._cache_key, Weight), *by_day]

    def all_held(self) -> list[HeldOperation]:
        """Returns the operations that are held, by the last to be free again."""
        now = clock.now().timestamp()
        stored: Holds = cache.get(self._holds_key) or {}
        holds = [
            HeldOperation(name.partition(" ")[0], until - now, words)
            for name, (until, words) in stored.items()
            if until > now
        ]
        return sorted(holds, key=lambda hold: -hold.seconds)

    def release(self) -> None:
        """Has all operations sent again that are held."""
        cache.delete(self._holds_key)
        cache.delete(self._waits_key)
        cache.set(f"calls-reopened:{self._pace_key}", clock.now().timestamp(), _DAY)
        self._holds_trusted_until = 0.0

    def opened_at(self) -> float:
        """Returns the time of the last `release`, in seconds since 1970."""
        return cache.get(f"calls-reopened:{self._pace_key}") or 0.0

    def waits(self, seconds: float, words: str) -> None:
        """Says that a call waits so long, since the service has refused it for now."""
        until = clock.now().timestamp() + seconds
        known = cache.get(self._waits_key) or {"until": 0.0, "words": ""}
        if until > known["until"] + 1 or (words and words != known["words"]):
            wait = {"until": max(until, known["until"]), "words": words or known["words"]}
            cache.set(self._waits_key, wait, int(seconds) + 1)

    def wait(self) -> tuple[float, str]:
        """Returns for how many seconds more calls wait, and the service's words."""
        known = cache.get(self._waits_key) or {"until": 0.0, "words": ""}
        return max(known["until"] - clock.now().timestamp(), 0.0), known["words"]

    def closed(self, weight: Weight) -> tuple[float, str]:
        """Returns for how many seconds more, and the service's words; 0 for an open class."""
        now = time.monotonic()
        if now > self._trusted_until.get(weight, 0.0):
            closure: dict[str, Any] = cache.get(self._cache_key(weight)) or {}
            self._closures[weight] = closure.get("until", 0.0), closure.get("words", "")
            self._trusted_until[weight] = now + _TRUSTED_SECONDS
        until, words = self._closures[weight]
        return max(until - clock.now().timestamp(), 0.0), words

    def all_closed(self) -> dict[Weight, tuple[float, str]]:
        """Returns the same for all classes that are closed."""
        keys = {self._cache_key(weight): weight for weight in Weight}
        results = {keys[key]: closure for key, closure in cache.get_many(keys).items()}
        left = {
            weight: closure["until"] - clock.now().timestamp()
            for weight, closure in results.items()
        }
        return {
            weight: (left[weight], results[weight]["words"]) for weight in left if left[weight] > 0
        }

    def close(self, weight: Weight, seconds: float, words: str, *, of_day: bool = False) -> None:
        closure = {"until": clock.now().timestamp() + seconds, "words": words}
        for each in self._limits.together_with(weight) if of_day else (weight,):
            cache.set(self._cache_key(each), closure, int(seconds) + 1)
            self._trusted_until.pop(each, None)

    def open(self, weight: Weight) -> None:
        """Has calls of the class sent again, and what was counted today forgotten."""
        cache.delete(self._cache_key(weight))
        self._trusted_until.pop(weight, None)
        if shared := self._limits.a_day(weight):
            key = self._day_key(shared)
            if (cache.get(key) or 0) > self._limit_of(shared):
                cache.delete(key)
                self._counted.pop(key, None)

    def count(self, weight: Weight) -> float:
        """Counts a call that is about to leave. Returns 0, or for how many seconds none may."""
        shared = self._limits.a_day(weight)
        if shared is None:
            return 0.0
        key = self._day_key(shared)
        used = cache.add_one(key, _DAY)
        self._counted[key] = used
        if used <= self._limit_of(shared):
            return 0.0
        seconds = (tomorrow() - clock.now()).total_seconds()
        self.close(weight, seconds, "", of_day=True)
        return seconds

    def heard(self, weight: Weight, quota: Quota) -> None:
        """Heeds what the service says that it allows a day, and what is left of it."""
        shared = self._limits.a_day(weight)
        if shared is None or not quota.limit:
            return
        if quota.limit != self._limit_of(shared):
            self._allowed[shared.name] = quota.limit
            cache.set(self._limit_key(shared), quota.limit, _DAY)
        key = self._day_key(shared)
        used = quota.limit - (quota.limit if quota.remaining is None else quota.remaining)
        if used > self._counted.get(key, 0):
            self._counted[key] = used
            cache.set(key, used, _DAY)

    def days(self) -> list[DayCount]:
        """Returns what was asked today, of each limit that is for a day."""
        return [
            DayCount(one.weights, cache.get(self._day_key(one)) or 0, self._limit_of(one))
            for one in self._limits.days
        ]

    def _limit_of(self, shared: DayLimit) -> int:
        if shared.name not in self._allowed:
            self._allowed[shared.name] = cache.get(self._limit_key(shared)) or shared.requests
        return self._allowed[shared.name]

    def _day_key(self, shared: DayLimit) -> str:
        return f"class-day:{self._pace_key}:{shared.name}:{clock.now():%Y-%m-%d}"

    def _limit_key(self, shared: DayLimit) -> str:
        return f"class-day-limit:{self._pace_key}:{shared.name}"

    @property
    def _holds_key(self) -> str:
        return f"calls-held:{self._pace_key}"

    @property
    def _waits_key(self) -> str:
        return f"calls-wait:{self._pace_key}"

    def _cache_key(self, weight: Weight) -> str:
        return f"class-closed:{self._pace_key}:{weight}"


def rate_limiter_of(connection: Connection) -> Pacing:
    """The rate limiter of the account that the connection leads to, shared by all processes with
    `REDIS_URL`; one for each class of operations where the connection's dialect names limits."""
    # A forked process must not wait for threads that it does not have.
    return _rate_limiter(connection.pace_key, connection.limits, os.getpid())


def closures_of(connection: Connection) -> SharedClosures:
    """The classes of operations that are used up for a while, of the account it leads to."""
    return SharedClosures(connection.pace_key, connection.limits)


@lru_cache(_MOST_RATE_LIMITERS)
def _rate_limiter(key: str, limits: ClassLimits, _process: int) -> Pacing:
    if not limits:
        return _by_second(key, None)
    limiters = {weight: _of_class(key, limits, weight) for weight in Weight}
    return ClassLimiter(limiters, dict(limits.classes))


def _of_class(key: str, limits: ClassLimits, weight: Weight) -> tuple[RateLimiter, str]:
    name = f"{key}:{weight}"
    requests = limits.a_minute(weight)
    if requests is None:
        return _by_second(name, limits.a_second(weight)), "second"
    if settings.REDIS_URL:
        shared = RedisMinuteLimit(_redis(settings.REDIS_URL), f"{_PREFIX}{name}", requests)
        return RateLimiter(shared), "minute"
    return RateLimiter(LocalMinuteLimit(requests)), "minute"


def _by_second(name: str, requests: int | None) -> RateLimiter:
    ceiling = min(settings.API_RATE_LIMIT or UNLIMITED, requests or UNLIMITED)
    if settings.REDIS_URL:
        return RateLimiter(RedisRateLimit(_redis(settings.REDIS_URL), f"{_PREFIX}{name}", ceiling))
    return RateLimiter(LocalRateLimit(ceiling))


@lru_cache(1)
def _redis(url: str) -> Redis:
    return connect_to_redis(url)


def ahead_of(service: str) -> float | None:
    """Returns by how many seconds at most; `None` where this machine knows nothing of it."""
    measured = limits.ahead_of(service)
    return measured.most + clock.ahead().total_seconds() if measured else None


def earliest(service: str, moment: datetime) -> datetime | None:
    """Returns the earliest that a moment by our clock may be by the service's."""
    seconds = ahead_of(service)
    return None if seconds is None else moment - timedelta(seconds=seconds)
