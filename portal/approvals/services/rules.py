"""The rules of a connection: set by its owner, weakened only with another's approval."""

from collections.abc import Collection

from django.db import transaction

from portal.access.http import Origin
from portal.access.models import ApprovalRule, Connection, User
from portal.approvals.models import OPEN, ApprovalRequest, RequestKind
from portal.approvals.services.submitting import request
from portal.approvals.subjects import ApprovalRefused, ApprovalSubject
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.config import clock
from portal.connections.approval_rules import approvers_of, rule_of
from portal.contract import operations
from portal.contract.model import JsonDict
from portal.contract.operation import AnyOperation, Effect
from portal.translation import gettext as _

# What is suggested beside all that has no way back: what costs money.
_COSTS = ("accounts", "billing")


class RuleSubject(ApprovalSubject):
    kind = RequestKind.RULE

    def needs(self, asked: ApprovalRequest) -> Collection[AnyOperation]:  # noqa: ARG002
        return ()

    def approved(self, asked: ApprovalRequest, origin: Origin) -> bool:
        """Sets the rules that were asked for; refused where others hold by now."""
        if limits_of(asked.connection) != asked.before:
            raise ApprovalRefused(_("The approval rules were changed since this was asked for."))
        by = origin.actor.email if origin.actor else ""
        _store(asked.origin, asked.connection, asked.sent or {}, approved_by=by)
        return True


def suggested() -> list[str]:
    """Returns the operations that are chosen at first."""
    return [
        each.name
        for each in operations()
        if each.effect is Effect.DESTRUCTIVE
        or (each.family in _COSTS and each.effect is not Effect.READ)
    ]


def limits_of(connection: Connection) -> dict[str, object]:
    """The rules as data; without any, those that ask for nothing."""
    return (rule_of(connection) or ApprovalRule(connection=connection)).limits()


def is_weaker(old: JsonDict, new: JsonDict) -> bool:
    """Returns whether less waits for approval, or an approval goes further, than before."""
    if set(old["operations"]) - set(new["operations"]):
        return True
    for name in ("job_rows", "destructive_job_rows"):
        if old[name] is not None and (new[name] is None or new[name] > old[name]):
            return True
    return any(new[name] > old[name] for name in ("request_hours", "approval_hours"))


def others_than(connection: Connection, owner: User | None) -> list[User]:
    """Returns who could approve what the owner asks for from now on."""
    return approvers_of(connection, other_than=[owner.pk] if owner else [], since=clock.now())


def asks_for_something(limits: dict[str, object]) -> bool:
    return not ApprovalRule(**limits).asks_for_nothing


def change(
    origin: Origin, connection: Connection, limits: dict[str, object], reason: str
) -> ApprovalRequest | None:
    """Sets the rules, or asks for the approval of weaker ones if another administrator can give it.

    Raises `ApprovalRefused` if there is no other administrator who could approve what the rules
    hold back.
    """
    old = limits_of(connection)
    others = others_than(connection, origin.actor)
    if asks_for_something(limits) and is_weaker(limits, old) and not others:
        raise ApprovalRefused(
            _(
                "Share this connection with another administrator first: as long as nobody else "
                "can approve, you would lock yourself out. Whom you invited, promoted or reset "
                "does not count."
            )
        )
    if old == limits:
        return None
    if others and asks_for_something(old) and is_weaker(old, limits):
        waiting = ApprovalRequest.objects.filter(
            connection=connection, kind=RequestKind.RULE, state__in=OPEN
        )
        if waiting.exists():
            raise ApprovalRefused(
                _("Other changes of these rules await approval. Withdraw them first.")
            )
        if not reason.strip():
            raise ApprovalRefused(_("Say why: another administrator has to approve weaker rules."))
        return request(
            origin,
            connection,
            RequestKind.RULE,
            reason,
            title="Change the approval rules",  # untranslated: stored
            operation=Act.APPROVAL_RULES_SET.value,
            family="connection",
            object_id=connection.key,
            object_label=connection.name,
            sent=limits,
            before=old,
        )
    with transaction.atomic():
        _store(origin, connection, limits)
    return None


def _store(
    origin: Origin, connection: Connection, limits: dict[str, object], approved_by: str = ""
) -> None:
    old = limits_of(connection)
    ApprovalRule.objects.update_or_create(connection=connection, defaults=limits)
    changed = [name for name in limits if limits[name] != old[name]]
    record(
        origin,
        Act.APPROVAL_RULES_SET,
        connection,
        sent={name: limits[name] for name in changed},
        before={name: old[name] for name in changed},
        approved_by=approved_by,
    )
