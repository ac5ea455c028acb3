"""A greater role on a shared connection for some hours: asked for with a reason, decided by another
user, and over by itself.

The owner decides, or an administrator of the whole connection who counts as another user than who
asks (`standing.is_another`). It is never more than the owner's role, and keeps the limits of the
share. It is not renewed: who needs more asks again.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.db import transaction

from portal.access.http import Origin
from portal.access.models import Connection, Elevation, Share, User
from portal.access.roles import Role, covers, lesser
from portal.audit.account_history import AccountHistory
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.config import clock
from portal.connections import mails
from portal.connections.approval_rules import approvers_of, is_approver
from portal.connections.standing import is_another
from portal.contract.model import JsonDict
from portal.sign_in import second_factor
from portal.translation import gettext as _

HOURS = (1, 2, 4, 8)
_WAITS = timedelta(hours=24)


class NotElevated(Exception):
    """A refused change of an elevation; the text says why."""


def roles_for(share: Share) -> list[Role]:
    """Returns the built-in roles that the holder of a share can ask for: those with more rights
    than they have by it, up to the owner's."""
    owner = share.connection.owner
    own = lesser(lesser(share.user.role, share.role), owner.role)
    return [
        role
        for role in Role
        if role != own and covers(owner.role, role) and (not own or covers(role, own))
    ]


def of_share(share: Share) -> Elevation | None:
    """Returns the elevation of a share that waits or is in force."""
    elevation = Elevation.objects.select_related("approved_by").filter(share=share).first()
    return None if elevation is None or elevation.is_over else elevation


def may_decide(person: User, elevation: Elevation) -> bool:
    """Returns whether a user decides about a request, or ends what was approved: the owner, or an
    administrator of the whole connection who is another than who asked."""
    share = elevation.share
    if person.pk == share.user_id or not person.is_active:
        return False
    if person.pk == share.connection.owner_id:
        return True
    return is_approver(person, share.connection) and is_another(
        AccountHistory(person), than=[share.user_id], since=elevation.asked_at
    )


def deciders(elevation: Elevation) -> list[User]:
    """Returns the owner and the others who may decide."""
    share = elevation.share
    connection = share.connection
    others = approvers_of(
        connection, other_than=[share.user_id, connection.owner_id], since=elevation.asked_at
    )
    return [connection.owner, *others]


def ask(origin: Origin, share: Share, role: str, hours: int, reason: str) -> Elevation:
    """Asks for a role for so many hours. Raises `NotElevated`."""
    with _locked(share) as stored:
        if origin.actor != stored.user:
            raise NotElevated(_("Only those whom a connection is shared with ask for more."))
        before = Elevation.objects.filter(share=stored).first()
        if before is not None and before.is_over:
            end(before)
        elif before is not None:
            raise NotElevated(_("You have asked already."))
        if role not in roles_for(stored) or hours not in HOURS or not reason.strip():
            raise NotElevated(
                _("Choose a role that is more than yours, and no more than the owner's.")
            )
        _require_second_factor(stored.user, role)
        elevation = Elevation.objects.create(
            share=stored,
            role=role,
            hours=hours,
            reason=reason.strip(),
            lapses_at=clock.now() + _WAITS,
        )
        _record(origin, Act.ELEVATION_ASKED, elevation)
        mails.ask_to_elevate(elevation, deciders(elevation))
    return elevation


def approve(origin: Origin, share: Share, asked: int) -> Elevation:
    """Gives what was asked for, from now on: `asked` is the primary key of the request that the
    page showed. Raises `NotElevated`."""
    with _deciding(origin, share, asked) as (elevation, actor):
        if not elevation.is_waiting:
            raise NotElevated(_("This was approved already."))
        if elevation.role not in roles_for(elevation.share):
            raise NotElevated(_("The owner's role does not allow this any more."))
        _require_second_factor(elevation.share.user, elevation.role)
        elevation.approved_by = actor
        elevation.ends_at = clock.now() + timedelta(hours=elevation.hours)
        elevation.save(update_fields=["approved_by", "ends_at"])
        _record(origin, Act.ELEVATION_APPROVED, elevation)
        mails.tell_of_elevation(elevation, Act.ELEVATION_APPROVED)
    return elevation


def stop(origin: Origin, share: Share, asked: int) -> None:
    """Declines a request, or ends early what was approved. Raises `NotElevated`."""
    with _deciding(origin, share, asked) as (elevation, _actor):
        declines = elevation.is_waiting
        act = Act.ELEVATION_DECLINED if declines else Act.ELEVATION_TAKEN_BACK
        elevation.delete()
        _record(origin, act, elevation)
        mails.tell_of_elevation(elevation, act)


def give_back(origin: Origin, share: Share) -> None:
    """Withdraws the colleague's own request, or ends their elevation early. Raises
    `NotElevated`."""
    with _locked(share) as stored:
        elevation = Elevation.objects.filter(share=stored).first()
        if origin.actor != stored.user or elevation is None or elevation.is_over:
            raise NotElevated(_("This has ended already."))
        withdraws = elevation.is_waiting
        elevation.delete()
        act = Act.ELEVATION_WITHDRAWN if withdraws else Act.ELEVATION_TAKEN_BACK
        _record(origin, act, elevation)
        if not withdraws:
            mails.tell_of_elevation(elevation, act)


def end(elevation: Elevation) -> None:
    """Takes away what has ended or lapsed by itself, within a transaction that locks its
    connection: the entry in the trail has no actor, and both are mailed."""
    act = Act.ELEVATION_LAPSED if elevation.ends_at is None else Act.ELEVATION_ENDED
    elevation.delete()
    _record(Origin(), act, elevation)
    mails.tell_of_elevation(elevation, act)


@contextmanager
def _locked(share: Share) -> Iterator[Share]:
    with transaction.atomic():
        Connection.objects.select_for_update().filter(pk=share.connection_id).first()
        every = Share.objects.current().select_related("user", "connection__owner")
        stored = every.filter(pk=share.pk).first()
        if stored is None or not (stored.user.is_active and stored.connection.owner.is_active):
            raise NotElevated(_("This access has ended."))
        yield stored


@contextmanager
def _deciding(origin: Origin, share: Share, asked: int) -> Iterator[tuple[Elevation, User]]:
    with _locked(share) as stored:
        elevation = Elevation.objects.filter(share=stored, pk=asked).first()
        if elevation is None or elevation.is_over:
            raise NotElevated(_("This request has ended, or was made anew. Check it again."))
        elevation.share = stored
        actor = User.objects.filter(pk=origin.actor.pk).first() if origin.actor else None
        if actor is None or not may_decide(actor, elevation):
            raise NotElevated(_("You cannot decide about this request."))
        yield elevation, actor


def _require_second_factor(user: User, role: str) -> None:
    if second_factor.is_required_of(Role(role)) and not second_factor.has_one(user):
        raise NotElevated(
            _("This role needs two-factor authentication, which %(user)s has not set up.")
            % {"user": user}
        )


def _record(origin: Origin, act: Act, elevation: Elevation) -> None:
    share = elevation.share
    sent: JsonDict = {
        "colleague": share.user.email,
        "role": elevation.role,
        "hours": elevation.hours,
        "reason": elevation.reason,
    }
    if elevation.ends_at is not None:
        sent["until"] = elevation.ends_at.isoformat()
    record(origin, act, share.connection, sent=sent)
