"""Defining, changing and deleting roles.

Each is one transaction with its entry in the audit trail. A change works from the next request on.
No actor gives by it what they could not give otherwise: to a member of the team as
`portal.connections.standing` has it, and by a share of a connection only what they may do there
themselves. Who has a role that is deleted gets another one with it, by the same rules.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import override

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import Connection, CustomRole, Share, User, is_role
from portal.access.roles import Role, covers, lesser, resolved, rights_of, with_rights
from portal.access.scope import Scope
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.config import clock
from portal.connections.services import shares
from portal.connections.standing import is_less, is_less_on
from portal.contract.model import JsonDict
from portal.team import accounts, mails
from portal.team.roles.definition import Grants, in_words, is_no_less
from portal.translation import gettext as _, speaking_to


class RoleChangeRefused(Exception):
    """A refused change of a role; the text says why."""


@dataclass(frozen=True)
class Affected:
    """A user who has a role, in the team or by a share, and the role as that leaves it to them,
    before a change and after it."""

    user: User
    share: Share | None
    before: str
    after: str

    @property
    def gains(self) -> list[str]:
        """Returns what the user gains, in words."""
        return in_words(rights_of(self.after) - rights_of(self.before))

    @property
    def losses(self) -> list[str]:
        """Returns what the user loses, in words."""
        return in_words(rights_of(self.before) - rights_of(self.after))


def members_of(role: CustomRole) -> list[User]:
    """Returns the users whose role in the team it is, deactivated ones too."""
    return list(User.objects.filter(role=role.key).order_by("email"))


def shares_of(role: CustomRole) -> list[Share]:
    """Returns the shares that give it."""
    given = Share.objects.current().filter(role=role.key)
    ordered = given.order_by("connection__name", "user__email")
    return list(ordered.select_related("user", "connection__owner"))


def affected_by(role: CustomRole, after: str) -> list[Affected]:
    """Returns all who have the role, with what they would gain and lose if it were this one, as
    `with_rights` and `resolved` return it."""
    before = with_rights(role.key, role.grants)
    rows = [Affected(one, None, before, after) for one in members_of(role)]
    for share in shares_of(role):
        pair = (_by_share(share, before), _by_share(share, after))
        rows.append(Affected(share.user, share, *pair))
    return rows


@transaction.atomic
def define(origin: Origin, *, name: str, description: str, grants: Grants) -> CustomRole:
    """Raises `RoleChangeRefused`."""
    actor = _administrator(origin)
    _require_name(name)
    _require_own(actor, with_rights("custom-", grants))
    role = CustomRole.objects.create(
        name=name, description=description, grants=grants, created_by=actor
    )
    record(
        origin,
        Act.ROLE_DEFINED,
        object_id=role.key,
        label=name,
        sent=_facts(name, description, grants),
    )
    return role


def change(
    origin: Origin, role: CustomRole, *, name: str, description: str, grants: Grants, seen: int
) -> bool:
    """Returns whether that changes anything. `seen` is the version that the form showed. Those who
    have the role are told by mail what they gain and lose. Raises `RoleChangeRefused`."""
    with _changing(origin, role, seen) as (stored, actor):
        _require_name(name, but=stored)
        before, after = with_rights(role.key, stored.grants), with_rights(role.key, grants)
        old = _facts(stored.name, stored.description, stored.grants)
        new = _facts(name, description, grants)
        if old == new:
            return False
        if rights_of(before) != rights_of(after):
            _require_own(actor, after)
            _require_standing(actor, stored, before, after)
            affected = affected_by(stored, after)
        else:
            affected = []
        if not is_no_less(after, before):
            stored.narrowed_at = clock.now()
        stored.name, stored.description, stored.grants = name, description, grants
        stored.version, stored.changed_at = stored.version + 1, clock.now()
        stored.save()
        changed = [key for key, value in new.items() if old[key] != value]
        record(
            origin,
            Act.ROLE_CHANGED,
            object_id=role.key,
            label=name,
            before={key: old[key] for key in changed},
            sent={key: new[key] for key in changed},
        )
        for one in affected:
            if one.user.is_active and rights_of(one.before) != rights_of(one.after):
                with speaking_to(one.user):
                    mails.tell_role_changed(one.user, origin, name, one.gains, one.losses)
    return True


def delete(origin: Origin, role: CustomRole, *, seen: int, to: str = "") -> None:
    """Deletes a role. Those who have it get the role `to`, and are told by mail. Raises
    `RoleChangeRefused`, also if a user has the role and there is no other for them."""
    with _changing(origin, role, seen, to) as (stored, actor):
        if affected := affected_by(stored, resolved(to)):
            _replace(origin, actor, stored, to, affected)
        stored.deleted_at, stored.version = clock.now(), stored.version + 1
        stored.save(update_fields=["deleted_at", "version"])
        before = _facts(stored.name, stored.description, stored.grants)
        record(origin, Act.ROLE_DELETED, object_id=role.key, label=stored.name, before=before)


def _replace(
    origin: Origin, actor: User, role: CustomRole, to: str, affected: Sequence[Affected]
) -> None:
    if to == role.key or not is_role(to):
        raise RoleChangeRefused(
            _("Somebody has the role %(role)s. Choose another role for them.") % {"role": role}
        )
    _require_standing(actor, role, with_rights(role.key, role.grants), resolved(to))
    for one in affected:
        if one.share is None:
            try:
                accounts.change_role(origin, one.user, to)
            except accounts.AccountChangeRefused as refusal:
                raise RoleChangeRefused(str(refusal)) from refusal
            continue
        connection = one.share.connection
        if not covers(connection.owner.role, to):
            raise RoleChangeRefused(
                _("The owner of %(connection)s cannot give that role. Choose another one.")
                % {"connection": connection}
            )
        shares.set_role(origin, one.share, to)
        for person in {one.user, connection.owner}:
            with speaking_to(person):
                mails.tell_share_role(
                    person, origin, one.share, role.name, gains=one.gains, losses=one.losses
                )


@contextmanager
def _changing(
    origin: Origin, role: CustomRole, seen: int, to: str = ""
) -> Iterator[tuple[CustomRole, User]]:
    """Locks the role, after the connections that are shared by it and with the role `to` that
    comes in its place."""
    with transaction.atomic():
        actor = _administrator(origin)
        if to:
            shared = Share.objects.filter(role=role.key).values("connection")
            list(Connection.objects.select_for_update().filter(pk__in=shared).order_by("pk"))
            both = CustomRole.objects.select_for_update().filter(key__in=[role.key, to])
            list(both.order_by("pk"))
        stored = CustomRole.objects.current().select_for_update().filter(pk=role.pk).first()
        if stored is None:
            raise RoleChangeRefused(_("This role no longer exists."))
        if stored.version != seen:
            raise RoleChangeRefused(
                _("The role has changed since you opened this page. Check it and try again.")
            )
        yield stored, actor


def _administrator(origin: Origin) -> User:
    actor = User.objects.filter(pk=origin.actor.pk).first() if origin.actor else None
    if actor is None or not actor.is_active or not actor.is_administrator:
        raise RoleChangeRefused(_("Only administrators can manage the team."))
    return actor


def _require_name(name: str, but: CustomRole | None = None) -> None:
    taken = CustomRole.objects.current().filter(name__iexact=name)
    if but is not None:
        taken = taken.exclude(pk=but.pk)
    built_in = {str(role.label).casefold() for role in Role}
    with override("en"):
        built_in |= {str(role.label).casefold() for role in Role}
    if name.casefold() in built_in or taken.exists():
        raise RoleChangeRefused(_("There is a role named %(name)s already.") % {"name": name})


def _require_own(actor: User, role: str) -> None:
    if not is_no_less(actor.role, role):
        raise RoleChangeRefused(_("A role cannot do more than you can."))


def _require_standing(actor: User, role: CustomRole, before: str, after: str) -> None:
    """Raises `RoleChangeRefused` for an actor who may not change what a user with the role may
    do."""
    for user in members_of(role):
        if any(is_less(actor, user, one) for one in (before, after) if one):
            raise RoleChangeRefused(
                _(
                    "%(user)s has this role and can do more than you on a connection. Define "
                    "another role instead."
                )
                % {"user": user}
            )
    # What a role of the holder or the owner hides for now counts: others can raise these.
    gains = not is_no_less(before, after)
    for share in shares_of(role):
        is_owner = share.connection.owner_id == actor.pk
        is_less_there = is_less_on(actor, share.user, share.user.role, share.connection)
        if is_owner or not (gains or is_less_there):
            continue
        if is_less_there or not _may_give(actor, share, after):
            raise RoleChangeRefused(
                _(
                    "%(user)s has this role on %(connection)s, where you cannot give what it "
                    "would allow. Only the owner of that connection can, or define another role "
                    "instead."
                )
                % {"user": share.user, "connection": share.connection}
            )


def _may_give(actor: User, share: Share, role: str) -> bool:
    """Returns whether the actor may do themselves, now and not for some hours alone, what the share
    would allow by this role to a holder without a lesser one."""
    own = scope_of(actor, share.connection)
    families, departments, groups = map(
        frozenset, (share.families, share.departments, share.groups)
    )
    theirs = Scope(share.user, share.connection, role, families, departments, groups)
    return own.elevation is None and own.covers(theirs.limits)


def _by_share(share: Share, role: str) -> str:
    """Returns what the holder of a share may do if it gives this role."""
    return lesser(lesser(share.user.role, role), share.connection.owner.role)


def _facts(name: str, description: str, grants: Grants) -> JsonDict:
    rights = [f"{family}.{effect}" for family in sorted(grants) for effect in grants[family]]
    return {"name": name, "description": description, "rights": rights}
