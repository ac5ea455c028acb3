"""Rules that limit the operations of a kind of session in a share: by the session's host."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from portal.access.scope import Limit, Outside, Scope, ScopeRule
from portal.client import NotFound
from portal.contract.operation import AnyOperation, Call, Caller
from portal.directory.scope_rules import OUTSIDE, by_person, require_named, require_within
from portal.sessions.mirror import host_of
from portal.sessions.specs import SessionSpec


def rules_of(spec: SessionSpec) -> dict[str, ScopeRule]:
    """Returns the rules of all operations about one session of the kind, by their names.

    Participants of a session of the scope, such as its registrants, belong to it.
    """
    of_session = by_session(spec)
    families = (spec.operations, spec.registrants, spec.polls, *spec.families)
    return {
        **{one.name: of_session for family in families for one in family.operations()},
        spec.of_user.name: by_person(),
        spec.create.name: by_person(hosts_named),
        spec.update.name: ScopeRule(Limit.BY_SESSION, partial(_of_change, spec)),
    }


def by_session(spec: SessionSpec) -> ScopeRule:
    """Returns the rule of operations on a session of the kind, by its number."""
    return ScopeRule(Limit.BY_SESSION, partial(_of_session, spec))


def by_instance(reading: AnyOperation) -> ScopeRule:
    """Returns the rule of operations on a past instance, which reports its own host."""
    return ScopeRule(Limit.BY_SESSION, partial(_of_instance, reading))


def hosts_named(plan: object) -> Iterator[str | None]:
    """Yields the people that the plan of a session makes its host or an alternative host."""
    yield getattr(plan, "schedule_for", None)
    others = getattr(getattr(plan, "settings", None), "alternative_hosts", None) or ""
    yield from (one.strip() for one in others.replace(",", ";").split(";"))


def _of_session(spec: SessionSpec, scope: Scope, call: Call[object], caller: Caller) -> None:
    number = str(call.ids[0])
    host = host_of(scope.connection, spec.family, number)
    require_within(call, scope, host or _read_host(spec, call, caller, number))


def _read_host(spec: SessionSpec, call: Call[object], caller: Caller, number: str) -> str:
    """The host of a session that the mirror does not know."""
    for reading in spec.host_readings:
        try:
            return _host_in(caller(reading.call(number)))
        except NotFound:
            continue
    raise Outside(call.operation, OUTSIDE)


def _host_in(answer: Any) -> str:
    return str(answer.host_id or getattr(answer, "user_email", ""))


def _of_change(spec: SessionSpec, scope: Scope, call: Call[object], caller: Caller) -> None:
    _of_session(spec, scope, call, caller)
    require_named(call, scope, hosts_named(call.body))


def _of_instance(reading: AnyOperation, scope: Scope, call: Call[object], caller: Caller) -> None:
    require_within(call, scope, _host_in(caller(reading.call(str(call.ids[0])))))
