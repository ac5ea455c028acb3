"""Sharing a connection with colleagues: given, changed, taken back, left and ended by itself;
`handing_over` changes its owner.

Each is one transaction with its entry in the audit trail, under a lock on the connection, after a
check of the rights of that moment. The form names the last of these entries at the time of its page
(`version_of`): a form from another tab, or sent again, finds another one and changes nothing.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import transaction
from django.db.models import Max, QuerySet

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import Connection, Share, User, every_role, is_role
from portal.access.roles import covers, read_once
from portal.audit.acts import Act
from portal.audit.models import AuditEntry
from portal.audit.narrowing import shown_since
from portal.audit.trail import record
from portal.config import clock
from portal.connections import mails
from portal.contract.model import JsonDict
from portal.translation import gettext as _

_ACTS = (
    Act.CONNECTION_SHARED,
    Act.SHARE_CHANGED,
    Act.SHARE_TAKEN_BACK,
    Act.SHARE_LEFT,
    Act.SHARE_ENDED,
    Act.HAND_OVER_ASKED,
    Act.CONNECTION_HANDED_OVER,
)
Running = Callable[[Connection, User, datetime | None], Iterable[str]]
_reads: list[Running] = []


class NotShared(Exception):
    """A refused change of shares; the text says why."""


def version_of(connection: Connection) -> int:
    """Returns a number that is another after each change of the connection's shares."""
    last: int | None = entries_of(connection.key).aggregate(last=Max("sequence"))["last"]
    return last or 0


def entries_of(key: str) -> QuerySet[AuditEntry]:
    """Returns the changes of the shares of a connection, by its key."""
    return AuditEntry.objects.filter(
        connection_key=key,
        family=Act.CONNECTION_SHARED.family,
        object_id=key,
        operation__in=[act.value for act in _ACTS],
    )


@read_once()
def roles_of(owner: User) -> list[str]:
    """Returns the roles that this owner can give: none with more rights than their own."""
    return [role for role in every_role() if covers(owner.role, role)]


def shared_by(owner: User) -> list[Connection]:
    """Returns the owner's connections that colleagues with an active account have access to."""
    shares = Share.objects.current().filter(connection__owner=owner, user__is_active=True)
    return list(Connection.objects.filter(pk__in=shares.values("connection")))


def shared_with(user: User) -> QuerySet[Connection]:
    """Returns the connections that a user has access to, or had until they were deactivated."""
    given = Share.objects.current().filter(user=user, connection__owner__is_active=True)
    return Connection.objects.filter(pk__in=given.values("connection")).order_by("name")


def colleagues(connection: Connection) -> list[Share]:
    """Returns the shares of users with an active account, by name."""
    shares = connection.shares.current().filter(user__is_active=True).select_related("user")
    return sorted(shares, key=lambda share: str(share.user).casefold())


def give(
    origin: Origin,
    connection: Connection,
    user: User,
    role: str,
    *,
    seen: int,
    limits: dict[str, list[str]],
    ends_at: datetime | None = None,
) -> Share:
    """Shares the connection with a colleague, within limits as of `change_limits`; empty ones limit
    nothing. Without `ends_at` it is shared until it is taken back. Raises `NotShared`."""
    with changing(origin, connection, seen) as owner:
        _require_colleague(owner, user)
        _require_role(owner, role)
        _require_to_come(ends_at)
        for over in Share.objects.over().filter(connection=connection, user=user):
            end(over)
        if Share.objects.filter(connection=connection, user=user).exists():
            raise NotShared(
                _("%(user)s already has access to %(connection)s.")
                % {"user": user, "connection": connection}
            )
        given = {name: values for name, values in limits.items() if values}
        share = Share(connection=connection, user=user, role=role, created_by=owner, **given)
        share.end_at(ends_at)
        share.save(force_insert=True)
        sent = {"role": str(role), **given}
        if ends_at is not None:
            sent["until"] = ends_at.isoformat()
        record_change(origin, Act.CONNECTION_SHARED, connection, user, sent=sent)
    return share


def change_role(origin: Origin, share: Share, role: str, *, seen: int) -> None:
    """Raises `NotShared`."""
    with changing(origin, share.connection, seen) as owner:
        stored = _stored(share)
        _require_role(owner, role)
        if stored.role == role:
            return
        set_role(origin, stored, role)


def set_role(origin: Origin, share: Share, role: str) -> None:
    """Gives a share this role, within a transaction that locks its connection and has checked that
    the actor may."""
    before, share.role = share.role, role
    share.save(update_fields=["role"])
    sent = {"role": str(role)}
    act = Act.SHARE_CHANGED
    record_change(origin, act, share.connection, share.user, sent=sent, before={"role": before})


def change_limits(origin: Origin, share: Share, limits: dict[str, list[str]], *, seen: int) -> None:
    """Limits the share to families of operations, and to departments and groups, from the next
    request and the next step of a job on; an empty list does not limit. Raises `NotShared`."""
    with changing(origin, share.connection, seen):
        stored = _stored(share)
        before = {name: getattr(stored, name) for name in limits}
        if before == limits:
            return
        for name, values in limits.items():
            setattr(stored, name, values)
        stored.save(update_fields=list(limits))
        act = Act.SHARE_CHANGED
        record_change(origin, act, share.connection, share.user, sent=dict(limits), before=before)


def change_end(origin: Origin, share: Share, ends_at: datetime | None, *, seen: int) -> None:
    """Has the share end by itself at another time, or not at all. One that has ended is given anew
    instead. Raises `NotShared`."""
    with changing(origin, share.connection, seen):
        stored = _stored(share)
        _require_to_come(ends_at)
        before = stored.ends_at
        if before == ends_at:
            return
        stored.end_at(ends_at)
        stored.save(update_fields=["ends_at", "remind_at"])
        record_change(
            origin,
            Act.SHARE_CHANGED,
            share.connection,
            share.user,
            sent={"until": _until(ends_at)},
            before={"until": _until(before)},
        )


def revoke(origin: Origin, share: Share, *, seen: int) -> None:
    """Ends the colleague's access: no call of theirs begins after this. Raises `NotShared`."""
    with changing(origin, share.connection, seen):
        stored = _stored(share)
        stored.delete()
        before = {"role": stored.role}
        record_change(origin, Act.SHARE_TAKEN_BACK, share.connection, share.user, before=before)


@transaction.atomic
def leave(origin: Origin, share: Share) -> None:
    """Ends the colleague's own access. Raises `NotShared`."""
    Connection.objects.select_for_update().get(pk=share.connection.pk)
    stored = _stored(share)
    if stored.user != origin.actor:
        raise NotShared(_("Only those whom a connection is shared with can leave it."))
    stored.delete()
    record_change(
        origin, Act.SHARE_LEFT, share.connection, share.user, before={"role": stored.role}
    )


def end(share: Share) -> None:
    """Takes away a share whose time is over, within a transaction that locks its connection: the
    entry in the trail has no actor, and both are mailed."""
    before = {"role": share.role, "until": _until(share.ends_at)}
    share.delete()
    record_change(Origin(), Act.SHARE_ENDED, share.connection, share.user, before=before)
    mails.tell_of_end(share)


@contextmanager
def changing(
    origin: Origin, connection: Connection, seen: int, *, by_administrators: bool = False
) -> Iterator[User]:
    """Makes one change at a time and yields the owner, who has to be the actor; or, if
    `by_administrators`, an administrator of the portal."""
    with transaction.atomic():
        stored = Connection.objects.select_for_update().filter(pk=connection.pk).first()
        actor = User.objects.filter(pk=origin.actor.pk).first() if origin.actor else None
        if stored is None or actor is None or not actor.is_active:
            raise NotShared(_("This connection no longer exists."))
        is_allowed = by_administrators and actor.is_administrator
        if stored.owner_id != actor.pk and not is_allowed:
            raise NotShared(_("You no longer own this connection."))
        if seen != version_of(connection):
            raise NotShared(
                _("Who has access has changed since you opened this page. Check it and try again.")
            )
        yield stored.owner


def _stored(share: Share) -> Share:
    result = Share.objects.current().select_related("user").filter(pk=share.pk).first()
    if result is None:
        raise NotShared(
            _("%(user)s no longer has access to %(connection)s.")
            % {"user": share.user, "connection": share.connection}
        )
    return result


def _require_colleague(owner: User, user: User) -> None:
    if user == owner:
        raise NotShared(_("You own this connection yourself."))
    if not User.objects.filter(pk=user.pk, is_active=True).exists():
        raise NotShared(_("The account of %(user)s is deactivated.") % {"user": user})


def _require_to_come(ends_at: datetime | None) -> None:
    if ends_at is not None and ends_at <= clock.now():
        raise NotShared(_("Choose a time that is still to come."))


def _until(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""


def _require_role(owner: User, role: str) -> None:
    if not is_role(role) or not covers(owner.role, role):
        raise NotShared(_("Choose a role that is not more than your own."))


def record_change(
    origin: Origin,
    act: Act,
    connection: Connection,
    user: User,
    *,
    sent: JsonDict | None = None,
    before: JsonDict | None = None,
    approved_by: str = "",
) -> None:
    """Records a change of the connection's shares, with the colleague."""
    record(
        origin,
        act,
        connection,
        sent={"colleague": user.email, **(sent or {})},
        before=before,
        approved_by=approved_by,
    )


def register(*reads: Running) -> None:
    """Adds functions that `running_by` calls, with the moment from which on it tells, if any."""
    _reads.extend(reads)


def running_by(share: Share, reader: User) -> list[str]:
    """Returns all that runs by the share now, in words; to its holder without what is from before
    their limits."""
    connection, user = share.connection, share.user
    since = shown_since(scope_of(user, connection)) if reader == user else None
    return [words for read in _reads for words in read(connection, user, since)]
