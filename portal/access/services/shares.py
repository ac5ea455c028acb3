"""Sharing a connection with colleagues: given, changed, taken back, left and handed over.

Each is one transaction with its entry in the audit trail, under a lock on the connection, after a
check of the rights of that moment. The form names the last of these entries at the time of its page
(`version_of`): a form from another tab, or sent again, finds another one and changes nothing.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.db import transaction
from django.db.models import Max

from portal.access import mails
from portal.access.audit import Act, record
from portal.access.http import Origin
from portal.access.models import AuditEntry, Connection, Share, User
from portal.access.roles import Role, lesser
from portal.config import clock
from portal.contract.model import JsonDict
from portal.translation import gettext as _

_ACTS = (
    Act.CONNECTION_SHARED,
    Act.SHARE_CHANGED,
    Act.SHARE_TAKEN_BACK,
    Act.SHARE_LEFT,
    Act.HAND_OVER_ASKED,
    Act.CONNECTION_HANDED_OVER,
)
_HOLDS = timedelta(hours=24)  # for which a second administrator can confirm
Running = Callable[[Connection, User], Iterable[str]]
_reads: list[Running] = []


class NotShared(Exception):
    """A refused change of shares; the text says why."""


def version_of(connection: Connection) -> int:
    """Returns a number that is another after each change of the connection's shares."""
    entries = AuditEntry.objects.filter(
        connection_key=connection.key,
        family=Act.CONNECTION_SHARED.family,
        object_id=connection.key,
        operation__in=[act.value for act in _ACTS],
    )
    last: int | None = entries.aggregate(last=Max("sequence"))["last"]
    return last or 0


def roles_of(owner: User) -> list[Role]:
    """Returns the roles that this owner can give: none with more rights than their own."""
    return [role for role in Role if lesser(owner.role, role) == role]


def shared_by(owner: User) -> list[Connection]:
    """Returns the owner's connections that colleagues with an active account have access to."""
    shares = Share.objects.filter(connection__owner=owner, user__is_active=True)
    return list(Connection.objects.filter(pk__in=shares.values("connection")))


def colleagues(connection: Connection) -> list[Share]:
    """Returns the shares of users with an active account, by name."""
    shares = connection.shares.filter(user__is_active=True).select_related("user")
    return sorted(shares, key=lambda share: str(share.user).casefold())


def give(
    origin: Origin,
    connection: Connection,
    user: User,
    role: str,
    *,
    seen: int,
    limits: dict[str, list[str]],
) -> Share:
    """Shares the connection with a colleague, within limits as of `change_limits`; empty ones limit
    nothing. Raises `NotShared`."""
    with _changing(origin, connection, seen) as owner:
        _require_colleague(owner, user)
        _require_role(owner, role)
        if Share.objects.filter(connection=connection, user=user).exists():
            raise NotShared(
                _("%(user)s already has access to %(connection)s.")
                % {"user": user, "connection": connection}
            )
        given = {name: values for name, values in limits.items() if values}
        share = Share.objects.create(
            connection=connection, user=user, role=role, created_by=owner, **given
        )
        sent = {"role": str(role), **given}
        _record(origin, Act.CONNECTION_SHARED, connection, user, sent=sent)
    return share


def change_role(origin: Origin, share: Share, role: str, *, seen: int) -> None:
    """Raises `NotShared`."""
    with _changing(origin, share.connection, seen) as owner:
        stored = _stored(share)
        _require_role(owner, role)
        if stored.role == role:
            return
        before, stored.role = stored.role, role
        stored.save(update_fields=["role"])
        _record(
            origin,
            Act.SHARE_CHANGED,
            share.connection,
            share.user,
            sent={"role": str(role)},
            before={"role": before},
        )


def change_limits(origin: Origin, share: Share, limits: dict[str, list[str]], *, seen: int) -> None:
    """Limits the share to families of operations, and to departments and groups, from the next
    request and the next step of a job on; an empty list does not limit. Raises `NotShared`."""
    with _changing(origin, share.connection, seen):
        stored = _stored(share)
        before = {name: getattr(stored, name) for name in limits}
        if before == limits:
            return
        for name, values in limits.items():
            setattr(stored, name, values)
        stored.save(update_fields=list(limits))
        act = Act.SHARE_CHANGED
        _record(origin, act, share.connection, share.user, sent=dict(limits), before=before)


def revoke(origin: Origin, share: Share, *, seen: int) -> None:
    """Ends the colleague's access: no call of theirs begins after this. Raises `NotShared`."""
    with _changing(origin, share.connection, seen):
        stored = _stored(share)
        stored.delete()
        before = {"role": stored.role}
        _record(origin, Act.SHARE_TAKEN_BACK, share.connection, share.user, before=before)


@transaction.atomic
def leave(origin: Origin, share: Share) -> None:
    """Ends the colleague's own access. Raises `NotShared`."""
    Connection.objects.select_for_update().get(pk=share.connection.pk)
    stored = _stored(share)
    if stored.user != origin.actor:
        raise NotShared(_("Only those whom a connection is shared with can leave it."))
    stored.delete()
    _record(origin, Act.SHARE_LEFT, share.connection, share.user, before={"role": stored.role})


def hand_over(
    origin: Origin, connection: Connection, to: User, *, name: str, keeps: str, seen: int
) -> bool:
    """Makes a colleague with a share the owner; the token goes along unseen.

    `keeps` is the role that the former owner keeps on it, empty for none; `name` is its new name.
    The owner hands over. If they are deactivated, an administrator does, other than the new owner
    and without limits on it, once another administrator has asked for the same; the first only
    asks, unless there is no other. The former owner gets a mail about what others did. Returns
    whether it was handed over. Raises `NotShared`.
    """
    with _changing(origin, connection, seen, by_administrators=True) as owner:
        _require_disinterested(origin, owner, connection, to)
        share = Share.objects.filter(connection=connection, user=to, user__is_active=True).first()
        if share is None:
            raise NotShared(
                _("%(to)s has no access to %(connection)s. Share it with them first.")
                % {"to": to, "connection": connection}
            )
        if Connection.objects.filter(owner=to, name=name).exists():
            raise NotShared(
                _("%(to)s already has a connection named %(name)s. Enter another name.")
                % {"to": to, "name": name}
            )
        if keeps and lesser(to.role, keeps) != keeps:
            raise NotShared(_("%(to)s cannot give more than their own role.") % {"to": to})
        wanted = {"owner": to.email, "name": name, "keeps": keeps}
        by = "" if owner.pk == _pk(origin) else _asked_by(origin, connection, wanted)
        others = [] if owner.pk == _pk(origin) or by else _others(origin, connection, to)
        if others:
            asked = asked_of(connection)
            _record(origin, Act.HAND_OVER_ASKED, connection, to, sent=wanted)
            if asked is None or not _is_for(asked, wanted):  # else they have the mail
                mails.ask_to_confirm(others, origin.email, connection, to)
            return False
        share.delete()
        former_name = connection.name
        before = {"owner": owner.email, "name": former_name}
        Connection.objects.filter(pk=connection.pk).update(owner=to, name=name)
        connection.owner, connection.name = to, name
        if keeps:
            Share.objects.create(connection=connection, user=owner, role=keeps, created_by=to)
        sent = {"owner": to.email, "name": name}
        if keeps:
            sent["former_owner_keeps"] = Role(keeps).label
        if name == before["name"]:
            del sent["name"], before["name"]
        act = Act.CONNECTION_HANDED_OVER
        _record(origin, act, connection, to, sent=sent, before=before, approved_by=by)
        if owner != origin.actor:
            mails.tell_former_owner(owner, origin.email, former_name, to)
    return True


def asked_of(connection: Connection) -> AuditEntry | None:
    """Returns the entry of an administrator's request for a hand-over, as long as another can
    confirm it: no share has changed since."""
    last = AuditEntry.objects.filter(sequence=version_of(connection)).first()
    is_open = last is not None and last.operation == Act.HAND_OVER_ASKED
    return last if is_open and last and clock.now() - last.time < _HOLDS else None


def _asked_by(origin: Origin, connection: Connection, wanted: dict[str, str]) -> str:
    """Returns the address of another administrator who asked for exactly this, or an empty text."""
    asked = asked_of(connection)
    if asked is None or asked.actor_id == _pk(origin):
        return ""
    return asked.email if _is_for(asked, wanted) else ""


def _is_for(asked: AuditEntry, wanted: dict[str, str]) -> bool:
    sent = asked.sent or {}
    return all((sent.get(key) or "") == value for key, value in wanted.items())


def _others(origin: Origin, connection: Connection, to: User) -> list[User]:
    """Returns the other administrators who could confirm it."""
    people = User.objects.filter(is_active=True, role=Role.ADMINISTRATOR)
    people = people.exclude(pk__in=[_pk(origin), to.pk])
    return [person for person in people if may_hand_over(person, connection)]


def _pk(origin: Origin) -> int | None:
    return origin.actor.pk if origin.actor else None


def may_hand_over(person: User, connection: Connection) -> bool:
    """Returns whether the person is the connection's owner, or its owner is deactivated and the
    person an administrator without any limits on it."""
    if connection.owner_id == person.pk:
        return True
    if connection.owner.is_active or not person.is_administrator:
        return False
    share = Share.objects.filter(connection=connection, user=person).first()
    return share is None or not share.is_limited


def _require_disinterested(origin: Origin, owner: User, connection: Connection, to: User) -> None:
    """Raises `NotShared` for an administrator who would gain by it, or has limits on it."""
    actor = User.objects.get(pk=origin.actor.pk) if origin.actor else None
    if actor is None or actor == owner:
        return
    if to == actor:
        raise NotShared(_("You cannot hand a connection over to yourself."))
    connection.owner = owner
    if not may_hand_over(actor, connection):
        words = _("Only %(owner)s can hand over %(connection)s while their account is active.")
        if not owner.is_active:
            words = _("You cannot hand over %(connection)s: your access to it is limited.")
        raise NotShared(words % {"owner": owner, "connection": connection})


@contextmanager
def _changing(
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
    result = Share.objects.select_related("user").filter(pk=share.pk).first()
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


def _require_role(owner: User, role: str) -> None:
    if role not in roles_of(owner):
        raise NotShared(_("Choose a role that is not more than your own."))


def _record(
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
    """Adds functions that `running_by` calls."""
    _reads.extend(reads)


def running_by(share: Share) -> list[str]:
    """Returns all that runs by the share now, in words."""
    return [words for read in _reads for words in read(share.connection, share.user)]
