"""Connections of one admin: added, changed, tried and removed."""

from django.db import transaction
from django.dispatch import Signal

from portal.access import availability
from portal.access.http import Origin
from portal.access.models import Connection
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.client import ClientCredentials
from portal.client.base_url import normalized
from portal.connections import renewal
from portal.connections.services.trial import ServiceAccount, Trial, attempt
from portal.contract.model import MASK, JsonDict

_RECORDED = ("name", "base_url", "way", "dialect", "read_only", "colour")
# Sent with a `connection` that got a new token or secret, and the `origin` of that change.
credentials_changed = Signal()
# Sent with a `connection` that was just added, or got a new token, when all of it is stored.
connection_added = Signal()


def save(
    origin: Origin,
    connection: Connection,
    token: str | None,
    account: ServiceAccount | None = None,
    *,
    client: ClientCredentials | None = None,
    first: renewal.FirstToken | None = None,
) -> None:
    """Stores a connection; without a token it keeps its own. `account` is the service's account,
    `client` the client credentials if tokens are renewed, and `first` the first token."""
    with transaction.atomic():
        new = connection.pk is None
        before = None if new else _audit_data(Connection.objects.get(pk=connection.pk))
        if token:
            connection.set_token(token)
            connection.set_client(client)
        if before and normalized(before["base_url"]) != connection.service:
            connection.people, connection.account_id = None, ""  # it may be another account
        for name, value in _fields(account).items() if account else ():
            setattr(connection, name, value)
        connection.save()
        if token:
            renewal.store_first(connection, first)
            availability.forget(connection.key)
        sent = _audit_data(connection)
        if before is not None:
            changed = {name for name in _RECORDED if before[name] != sent[name]}
            before = {name: before[name] for name in _RECORDED if name in changed}
            sent = {name: sent[name] for name in _RECORDED if name in changed}
        if token:
            sent["token"] = MASK
        if before is not None and not sent:
            return
        record(
            origin,
            Act.CONNECTION_CREATED if new else Act.CONNECTION_CHANGED,
            connection,
            sent=sent,
            before=before,
        )
        availability.clear_health(connection.key)
    if token:
        credentials_changed.send_robust(Connection, connection=connection, origin=origin)


@transaction.atomic
def remove(origin: Origin, connection: Connection) -> None:
    """Deletes the connection with its token and all that was mirrored over it."""
    record(origin, Act.CONNECTION_REMOVED, connection, before=_audit_data(connection))
    connection.delete()
    availability.clear_health(connection.key)


def try_now(connection: Connection) -> Trial:
    """Calls the service over the stored connection. Raises `TokenUnreadable`."""
    renewal.renew_now(connection)
    target, renewed = connection.target(), renewal.tokens_of(connection)
    trial = attempt(target, connection.owner.role, renewed)
    availability.record_health(connection.key, trial.error)
    if trial.passed:
        availability.forget(connection.key)
    if trial.account:
        Connection.objects.filter(pk=connection.pk).update(**_fields(trial.account))
    return trial


def _fields(account: ServiceAccount) -> dict[str, str]:
    fields = {"account_owner": account.owner, "account_plan": account.plan}
    # An answer that does not say which account it is takes back nothing.
    return {"account_id": account.id, **fields} if account.id else fields


def _audit_data(connection: Connection) -> JsonDict:
    return {name: getattr(connection, name) for name in _RECORDED}
