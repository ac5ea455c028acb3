"""Handing a connection over: by its owner, or once they are deactivated by two administrators."""

from datetime import datetime, timedelta

from portal.access.http import Origin
from portal.access.models import Connection, Share, User, is_role, label_of
from portal.access.roles import Role, covers
from portal.audit.account_history import AccountHistory
from portal.audit.acts import Act
from portal.audit.models import AuditEntry
from portal.config import clock
from portal.connections import mails
from portal.connections.services.shares import NotShared, changing, record_change, version_of
from portal.connections.standing import is_another, is_limited_on
from portal.translation import gettext as _

_HOLDS = timedelta(hours=24)  # for which a second administrator can confirm


def hand_over(
    origin: Origin, connection: Connection, to: User, *, name: str, keeps: str, seen: int
) -> bool:
    """Makes a colleague with a share the owner; the token goes along unseen.

    `keeps` is the role that the former owner keeps on it, empty for none; `name` is its new name.
    The owner hands over. If they are deactivated, an administrator does, other than the new owner
    and without limits on it, once another administrator (`standing.is_another`) has asked for the
    same; the first only asks, unless there is no other. The former owner gets a mail about what
    others did. Returns whether it was handed over. Raises `NotShared`.
    """
    with changing(origin, connection, seen, by_administrators=True) as owner:
        _require_disinterested(origin, owner, connection, to)
        shares = Share.objects.current().filter(connection=connection, user__is_active=True)
        share = shares.filter(user=to).first()
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
        if keeps and not (is_role(keeps) and covers(to.role, keeps)):
            raise NotShared(_("%(to)s cannot give more than their own role.") % {"to": to})
        wanted = {"owner": to.email, "name": name, "keeps": keeps}
        by = "" if owner.pk == _pk(origin) else _asked_by(origin, connection, to, wanted)
        others = [] if owner.pk == _pk(origin) or by else _others(origin, connection, to)
        if others:
            asked = asked_of(connection)
            record_change(origin, Act.HAND_OVER_ASKED, connection, to, sent=wanted)
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
            sent["former_owner_keeps"] = label_of(keeps)
        if name == before["name"]:
            del sent["name"], before["name"]
        act = Act.CONNECTION_HANDED_OVER
        record_change(origin, act, connection, to, sent=sent, before=before, approved_by=by)
        if owner != origin.actor:
            mails.tell_former_owner(owner, origin.email, former_name, to)
    return True


def asked_of(connection: Connection) -> AuditEntry | None:
    """Returns the entry of an administrator's request for a hand-over, as long as another can
    confirm it: no share has changed since."""
    last = AuditEntry.objects.filter(sequence=version_of(connection)).first()
    is_open = last is not None and last.operation == Act.HAND_OVER_ASKED
    return last if is_open and last and clock.now() - last.time < _HOLDS else None


def _asked_by(origin: Origin, connection: Connection, to: User, wanted: dict[str, str]) -> str:
    """Returns the address of another administrator who asked for exactly this, or an empty text.
    Raises `NotShared` if the actor does not count as another beside that one."""
    asked = asked_of(connection)
    if asked is None or asked.actor_id in (None, _pk(origin)) or not _is_for(asked, wanted):
        return ""
    _require_another(origin, connection, [asked.actor_id, to.pk])
    return asked.email


def _is_for(asked: AuditEntry, wanted: dict[str, str]) -> bool:
    sent = asked.sent or {}
    return all((sent.get(key) or "") == value for key, value in wanted.items())


def _others(origin: Origin, connection: Connection, to: User) -> list[User]:
    """Returns the other administrators who could confirm it."""
    people = User.objects.filter(is_active=True, role=Role.ADMINISTRATOR)
    involved, since = [pk for pk in (_pk(origin), to.pk) if pk], _closed_since(connection)
    return [
        person
        for person in people.exclude(pk__in=involved)
        if may_hand_over(person, connection)
        and is_another(AccountHistory(person), than=involved, since=since)
    ]


def _closed_since(connection: Connection) -> datetime:
    """Returns when the owner was deactivated, with which a hand-over by others begins."""
    return AccountHistory(connection.owner).deactivated_at or clock.now()


def _pk(origin: Origin) -> int | None:
    return origin.actor.pk if origin.actor else None


def may_hand_over(person: User, connection: Connection) -> bool:
    """Returns whether the person is the connection's owner, or its owner is deactivated and the
    person an administrator without any limits on it."""
    if connection.owner_id == person.pk:
        return True
    if connection.owner.is_active or not person.is_administrator:
        return False
    return not is_limited_on(person, connection)


def _require_another(origin: Origin, connection: Connection, involved: list[int]) -> None:
    """Raises `NotShared` for an administrator who is not another than these."""
    since = _closed_since(connection)
    if origin.actor and not is_another(AccountHistory(origin.actor), than=involved, since=since):
        raise NotShared(
            _(
                "You do not count as another administrator here: you have had your role since the "
                "owner was deactivated, or who asked or gets the connection invited, promoted or "
                "reset you."
            )
        )


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
    _require_another(origin, connection, [to.pk])
