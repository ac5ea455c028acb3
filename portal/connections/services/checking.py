"""Checks what a connection can be used for: asks each family of operations once, and keeps what
came of it."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from enum import StrEnum, auto
from time import monotonic
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.utils.translation import gettext_noop

from portal.access import availability
from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import Connection, ConnectionCheck
from portal.access.scope import Scope
from portal.access.tokens import TokenUnreadable
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.client import (
    Answered,
    ApiError,
    CallEnd,
    CallWithheld,
    NotAvailable,
    NotFound,
    RetryPolicy,
    Unexpected,
)
from portal.client.messages import MESSAGES
from portal.config import clock
from portal.config.celery import enqueue
from portal.connections.api import caller_for
from portal.connections.renewal import renew_now
from portal.connections.scopes import held_by, is_master
from portal.connections.services import reopening
from portal.connections.services.probes import PROBES, Met, Probe
from portal.contract.path import NotAnId
from portal.contract.reading import left_out_of
from portal.translation.stored import in_english

TASK = "access.check_connection"
SLOW = 2000  # milliseconds
_BUDGET = 60.0  # seconds for all of it
_SILENT_AT_MOST = 2  # in a row, after which the service is taken to be away
_POLICY = RetryPolicy(attempts=2, seconds=6.0)

NO_TOKEN = gettext_noop("The stored token cannot be decrypted. Enter it again.")
NO_ACCESS = gettext_noop("The owner of the connection is deactivated.")
NOT_ASKED = gettext_noop("Not asked: the service had not answered before, or the time was up.")
STORED_MESSAGES = (NO_TOKEN, NO_ACCESS, NOT_ASKED, *MESSAGES)


class State(StrEnum):
    """Outcome of asking a family.

    `EMPTY` answered that there is nothing of what it was asked about, which it would not without
    the scope; `MASTER` lacks a scope that only the app of a master account can have; `ROLE` was not
    asked, since the portal allows it neither to the owner.
    """

    WORKS = auto()
    EMPTY = auto()
    SLOW = auto()
    SCOPE = auto()
    MASTER = auto()
    PERMISSION = auto()
    PLAN = auto()
    SERVICE = auto()
    UNREADABLE = auto()
    REFUSED = auto()
    SILENT = auto()
    ROLE = auto()
    NOT_ASKED = auto()


@dataclass(frozen=True)
class Finding:
    """Outcome of asking one family: which `scopes` the token lacks, or that the answer was
    `lacking` a field. `words` are the service's, or the portal's in English."""

    family: str
    operation: str
    state: str
    milliseconds: int = 0
    scopes: list[str] = field(default_factory=list)
    lacking: str = ""
    words: str = ""


def request_check(connection: Connection, origin: Origin | None = None) -> None:
    """Has a worker check the connection, unless one is about to; a check that has begun ends, since
    what it asked before may be otherwise now. The trail has who asked for it, but for what follows
    from saving the connection."""
    last = ConnectionCheck.objects.filter(connection=connection).first()
    if last and last.moves and last.started_at is None:
        return
    check = _begin(connection, origin)
    enqueue(TASK, check.pk, check.run)


def remind(check: ConnectionCheck) -> None:
    """Wakes a worker once more for a check that none has taken."""
    if check.moves and check.started_at is None:
        enqueue(TASK, check.pk, check.run)


def check_now(connection: Connection, origin: Origin | None = None) -> ConnectionCheck:
    check = _begin(connection, origin)
    carry_out(check.pk, check.run)
    check.refresh_from_db()
    return check


def carry_out(pk: int, run: str) -> None:
    """Does a check that was asked for, unless it is being done, or another was asked for since."""
    waiting = ConnectionCheck.objects.filter(pk=pk, run=run)
    if not waiting.filter(started_at=None).update(started_at=clock.now()):
        return
    connection = Connection.objects.select_related("owner").get(last_check=pk)
    scope = scope_of(connection.owner, connection)
    findings: list[dict[str, object]] = []
    problem = NO_ACCESS if scope.is_nothing else ""
    try:
        if not scope.is_nothing:
            renew_now(connection)
            reopening.reopen(connection)
        for finding in () if scope.is_nothing else _findings(scope):
            findings.append(asdict(finding))
            if not waiting.update(findings=findings):
                return
    except TokenUnreadable:
        problem = NO_TOKEN
    except CallWithheld:
        problem = NO_ACCESS
    waiting.update(ended_at=clock.now(), problem=problem)


@transaction.atomic
def _begin(connection: Connection, origin: Origin | None) -> ConnectionCheck:
    begun = {
        "run": uuid4().hex,
        "asked_at": clock.now(),
        "started_at": None,
        "ended_at": None,
        "problem": "",
        "findings": [],
    }
    check, _is_new = ConnectionCheck.objects.update_or_create(connection=connection, defaults=begun)
    availability.forget(connection.key)
    if origin:
        record(origin, Act.CONNECTION_CHECKED, connection)
    return check


def _findings(scope: Scope) -> Iterator[Finding]:
    ends: list[CallEnd] = []
    caller = caller_for(
        scope, only_reads=True, retry_policy=_POLICY, on_end=ends.append, asks_always=True
    )
    met = Met(account=scope.connection.account_id or "me")
    has_masters = is_master(held_by(scope.connection))
    give_up, silent = monotonic() + _BUDGET, 0
    for probe in PROBES.values():
        name = probe.operation.family, probe.operation.name
        if not scope.may(probe.operation):
            yield Finding(*name, State.ROLE)
        elif silent >= _SILENT_AT_MOST or monotonic() > give_up:
            yield Finding(*name, State.NOT_ASKED, words=NOT_ASKED)
        else:
            ends.clear()
            finding = _ask(caller, probe, met, ends, has_masters=has_masters)
            silent = silent + 1 if finding.state == State.SILENT else 0
            yield finding


def _ask(caller: Any, probe: Probe, met: Met, ends: list[CallEnd], *, has_masters: bool) -> Finding:
    name = probe.operation.family, probe.operation.name
    try:
        answer = caller(probe.call(met))
    except NotAnId:
        return Finding(*name, State.EMPTY)
    except ApiError as error:
        return _failed(error, *name, _milliseconds(ends), has_masters=has_masters)
    met.learn(probe.operation, answer)
    milliseconds = _milliseconds(ends)
    if lacking := left_out_of(answer):
        return Finding(*name, State.UNREADABLE, milliseconds, lacking=lacking[0].field)
    return Finding(*name, State.SLOW if milliseconds > SLOW else State.WORKS, milliseconds)


def _milliseconds(ends: list[CallEnd]) -> int:
    return round(ends[-1].answered_in * 1000) if ends else 0


def _failed(
    error: ApiError, family: str, operation: str, milliseconds: int, *, has_masters: bool
) -> Finding:
    with in_english():
        words = error.message
    if isinstance(error, NotAvailable):
        state = State(error.lack)
        if state == State.SCOPE and is_master(error.scopes) and not has_masters:
            state = State.MASTER
        return Finding(family, operation, state, milliseconds, list(error.scopes), words=words)
    if isinstance(error, NotFound):
        return Finding(family, operation, State.EMPTY, milliseconds)
    if isinstance(error, Unexpected) and error.status < 400:
        return Finding(
            family, operation, State.UNREADABLE, milliseconds, lacking=error.field, words=words
        )
    if error.reason == "own_limit":
        return Finding(family, operation, State.NOT_ASKED, words=words)
    answers = isinstance(error, Answered) or error.is_sign_in
    state = State.REFUSED if answers else State.SILENT
    return Finding(family, operation, state, milliseconds, words=words)
