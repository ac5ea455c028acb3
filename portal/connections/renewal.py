"""Tokens that are renewed: once for all processes of the portal.

A service may end the earlier token with each new one. So one process asks, which has the lease of
the row, and the others go on with what they have, or wait for what it gets. A process that dies
meanwhile leaves a lease that ends by itself.
"""

import threading
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast
from uuid import uuid4

import structlog
from django.conf import settings
from django.db.models import Q

from portal.access.models import Connection, ServiceToken
from portal.access.models.connection import address_policy, columns_of
from portal.access.tokens import TokenUnreadable, seal
from portal.client import (
    ClientCredentials,
    IssuedToken,
    NotIssued,
    Secret,
    Tokens,
    ask_for_token,
    messages,
)
from portal.client.token_endpoint import Reason
from portal.config import clock
from portal.contract.words import Message
from portal.translation.stored import in_english

_TRUSTED_SECONDS = 5.0  # for which a process trusts what it read, though others may know more
_POLL = 0.1
_RETRY_AFTER = timedelta(seconds=10)  # after a failure, or a renewal whose token was refused
_SETTLES = timedelta(seconds=2)  # after its receipt, until a refused token is renewed once more
_OF_NOW = timedelta(seconds=1)  # after its receipt, for which a token is as new as can be
_SCOPES_HOLD = timedelta(minutes=1)  # after its receipt, until a newer one may have more scopes
_LEASE_BEYOND = 5.0  # seconds that a lease lasts longer than a request can
_TRIAL_REQUESTS = 6  # for a token, and those of a form's trial, under one lease
_log = structlog.get_logger("portal.connections")


@dataclass(frozen=True)
class _CachedToken:
    """A token as this process knows it, and until when it need not read the row again."""

    token: Secret
    until: float


def renew_now(connection: Connection) -> None:
    """Has the connection call with a token that has the scopes of now, if its tokens are renewed.

    Raises `TokenUnreadable`.
    """
    if connection.renews:
        ConnectionTokens(connection.pk).renew()


def tokens_of(connection: Connection) -> Tokens | None:
    """Returns the renewed tokens of the connection, or `None` for one that has a token of its
    own."""
    return ConnectionTokens(connection.pk) if connection.renews else None


@dataclass(frozen=True)
class FirstToken:
    """The first token of new credentials, and the moment of its request. No other process renews
    the token of the connection before it is stored, or its `lease` ends."""

    issued: IssuedToken
    asked_at: datetime
    lease: str = ""


def first_token(connection: Connection, credentials: ClientCredentials) -> FirstToken:
    """Asks for a token with what the connection is to sign in with.

    It may end the token that runs, so no other process is to be asking meanwhile, nor to store
    what it got before. Raises `NotIssued`.
    """
    lease = ""
    if connection.pk and connection.renews:
        lease = _lease_of_trial(connection.pk)
    asked_at = clock.now()
    try:
        issued = _ask(credentials, asked_at)
    except NotIssued:
        give_back(lease)
        raise
    return FirstToken(issued, asked_at, lease)


def _ask(credentials: ClientCredentials, asked_at: datetime) -> IssuedToken:
    """Returns a new token. Raises `NotIssued`, also for one that has ended when it comes, such as
    the rest of one that the token URL stores: nothing could be done with it."""
    issued = ask_for_token(credentials, address_policy(), settings.API_TIMEOUT)
    if clock.now() >= asked_at + timedelta(seconds=issued.lifetime):
        raise NotIssued(Message(messages.TOKEN_OVER), "timeout")
    return issued


def _lease_of_trial(connection_pk: int) -> str:
    give_up = time.monotonic() + settings.API_TIMEOUT + _LEASE_BEYOND
    while time.monotonic() < give_up:
        row, _is_new = ServiceToken.objects.get_or_create(connection_id=connection_pk)
        if lease := _acquire_lease(row, clock.now(), requests=_TRIAL_REQUESTS):
            return lease
        time.sleep(_POLL)
    raise NotIssued(Message(messages.TOKEN_BUSY), "timeout")


def give_back(lease: str) -> None:
    """Ends the lease of a token that is not stored, so that the others renew the one they have."""
    if lease:
        ServiceToken.objects.filter(lease=lease).update(lease="", lease_until=None)


def store_first(connection: Connection, first: FirstToken | None) -> None:
    """Stores the first token of what the connection signs in with now; without one, the next call
    asks for it. To be called in the transaction that stores the credentials."""
    if first is None:
        ServiceToken.objects.filter(connection=connection).delete()
        return
    values = columns_of(first.issued) | {
        "sealed": seal(first.issued.token.value),
        "received_at": first.asked_at,
        "is_second": False,
    }
    ServiceToken.objects.update_or_create(connection=connection, defaults=values)


class ConnectionTokens:
    """The tokens of one connection, for any number of threads."""

    def __init__(self, connection_pk: int) -> None:
        self._connection_pk = connection_pk
        self._lock = threading.Lock()
        self._cached: _CachedToken | None = None

    def current(self) -> Secret:
        cached = self._cached
        if cached and time.monotonic() < cached.until:
            return cached.token
        with self._lock:
            cached = self._cached
            if cached and time.monotonic() < cached.until:
                return cached.token
            return self._read(None)

    def instead_of(self, refused: Secret) -> Secret | None:
        with self._lock:
            cached = self._cached
            if cached and cached.token != refused:
                return cached.token
            row = self._row()
            is_same = row.received_at is not None and row.token == refused
            if is_same and self._age(row) < _RETRY_AFTER:
                if row.is_second:
                    return None  # two that are as new as this: it is not the token
                # Another program may have ended it by getting one for itself.
                time.sleep(max((_SETTLES - self._age(row)).total_seconds(), 0.0))
            return self._read(refused)

    def newer_than(self, lacking: Secret) -> Secret | None:
        with self._lock:
            row = self._row()
            if row.received_at is None or row.token != lacking:
                return self._read(lacking)
            return self._anew(row) if self._age(row) >= _SCOPES_HOLD else None

    def renew(self) -> None:
        """Gets a token that has the scopes of now, unless there is one of this moment."""
        with self._lock:
            row = self._row()
            if row.received_at is not None and self._age(row) >= _OF_NOW:
                self._anew(row)

    def _anew(self, row: ServiceToken) -> Secret | None:
        """Returns another token than that of the row, or `None` where there is none: it goes on."""
        try:
            return self._read(row.token)
        except NotIssued:
            return None

    @staticmethod
    def _age(row: ServiceToken) -> timedelta:
        return clock.now() - cast(datetime, row.received_at)

    def _row(self) -> ServiceToken:
        row, _is_new = ServiceToken.objects.get_or_create(connection_id=self._connection_pk)
        return row

    def _read(self, refused: Secret | None) -> Secret:
        """Returns the token of the row, which is renewed before that where it is time to, once: a
        new one is used as long as it lives."""
        is_new = False
        give_up = time.monotonic() + 2 * (settings.API_TIMEOUT + _LEASE_BEYOND)
        while time.monotonic() < give_up:
            row, now = self._row(), clock.now()
            token = _usable(row, now, refused)
            if token and (is_new or now < _ends_at(row) - row.margin):
                return self._cache(token, (_ends_at(row) - row.margin - now).total_seconds())
            if is_new:
                raise NotIssued(Message(messages.TOKEN_OVER), "timeout")
            has_failed = row.failed_at is not None and now - row.failed_at < _RETRY_AFTER
            if token and (has_failed or not _may_lease(row, now)):
                return self._cache(token, min(1.0, (_ends_at(row) - now).total_seconds()))
            if has_failed:
                raise NotIssued(row.failure_in_words, cast(Reason, row.reason))
            if lease := _acquire_lease(row, now):
                is_second = refused is not None and row.received_at is not None
                try:
                    self._renew(row, lease, is_second and self._age(row) < _RETRY_AFTER)
                    is_new = True
                except NotIssued:
                    if not token:
                        raise
            elif not token:
                time.sleep(_POLL)
        raise NotIssued(Message(messages.TOKEN_BUSY), "timeout")

    def _renew(self, row: ServiceToken, lease: str, is_second: bool) -> None:
        leased = ServiceToken.objects.filter(pk=row.pk, lease=lease)
        connection = Connection.objects.get(pk=self._connection_pk)
        asked_at = clock.now()
        try:
            issued = _ask(connection.credentials, asked_at)
        except NotIssued as failure:
            with in_english():
                words = failure.message
            leased.update(
                lease="",
                lease_until=None,
                failure=words,
                reason=failure.reason,
                failed_at=clock.now(),
            )
            _log.warning("token not renewed", connection=connection.key, reason=failure.reason)
            raise
        except TokenUnreadable:
            leased.update(lease="", lease_until=None)
            raise
        # Nothing is stored by a process that was held up until another one had its lease.
        leased.update(
            sealed=seal(issued.token.value),
            received_at=asked_at,
            is_second=is_second,
            **columns_of(issued),
        )
        _log.info("token renewed", connection=connection.key, lifetime=issued.lifetime)

    def _cache(self, token: Secret, seconds: float) -> Secret:
        self._cached = _CachedToken(token, time.monotonic() + min(seconds, _TRUSTED_SECONDS))
        return token


def _ends_at(row: ServiceToken) -> datetime:
    return cast(datetime, row.received_at) + timedelta(seconds=row.lifetime)


def _usable(row: ServiceToken, now: datetime, refused: Secret | None) -> Secret | None:
    if not row.sealed or row.received_at is None or now >= _ends_at(row):
        return None
    token = row.token
    return None if token == refused else token


def _may_lease(row: ServiceToken, now: datetime) -> bool:
    return row.lease_until is None or row.lease_until < now


def _acquire_lease(row: ServiceToken, now: datetime, requests: int = 1) -> str:
    """Returns the lease of this process, empty where another one has it or has just renewed."""
    lease = uuid4().hex
    free = Q(lease_until=None) | Q(lease_until__lt=now)
    until = now + timedelta(seconds=requests * settings.API_TIMEOUT + _LEASE_BEYOND)
    as_read = ServiceToken.objects.filter(
        free, pk=row.pk, received_at=row.received_at, failed_at=row.failed_at
    )
    return lease if as_read.update(lease=lease, lease_until=until) else ""


def gives_away(connection: Connection, text: str) -> bool:
    """Returns whether a text has what the connection signs in with."""
    row = ServiceToken.objects.filter(connection=connection).first() if connection.renews else None
    issued = row.token if row else None
    return any(each.value in text for each in (connection.token, issued) if each)
