"""Required second factors: the roles of `REQUIRE_SECOND_FACTOR`, and those that administrators
chose beside them, each from a day on."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from portal.access.http import Origin
from portal.access.models import Elevation, SecondFactorRule, User
from portal.access.roles import Role, least_like, read_once
from portal.audit import wording
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.config import clock, page_memory
from portal.translation import gettext as _

# Recovery codes alone are none: they run out.
_KINDS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


class SecondFactorRefused(Exception):
    """A refused choice that could lock all users out; the text says why."""


@dataclass(frozen=True)
class RoleState:
    """A role with the number of its active users, and those among them without a second factor."""

    role: Role
    count: int
    without: list[User]
    since: datetime | None
    is_configured: bool

    @property
    def is_required(self) -> bool:
        """Returns whether the requirement is in force by now."""
        return self.is_configured or (self.since is not None and self.since <= clock.now())


def factors_of(user: User) -> QuerySet[Authenticator]:
    factors: QuerySet[Authenticator] = Authenticator.objects.filter(user=user, type__in=_KINDS)
    return factors


def has_one(user: User) -> bool:
    return factors_of(user).exists()


def is_missing(user: User) -> bool:
    """Returns whether this user needs a second factor now, for their role or one that they have for
    some hours, and has none. Called for every page: the rule comes first, which most roles do not
    have."""
    if user.role in settings.REQUIRE_SECOND_FACTOR:
        return not has_one(user)
    due = (role for role, since in _rules().items() if since <= clock.now())
    required = {*settings.REQUIRE_SECOND_FACTOR, *due}
    if not required:
        return False
    own = Elevation.objects.filter(share__user=user, ends_at__gt=clock.now())
    is_required = least_like(user.role) in required or own.filter(role__in=required).exists()
    return is_required and not has_one(user)


def is_required_of(role: Role) -> bool:
    """Returns whether people of this role need one, now or from a day on."""
    return role.value in settings.REQUIRE_SECOND_FACTOR or role.value in _rules()


def due_from(user: User) -> datetime | None:
    """Returns the moment from which this user, who has no second factor, will need one."""
    role = least_like(user.role)
    if role in settings.REQUIRE_SECOND_FACTOR:
        return None
    since = _rules().get(role)
    return None if since is None or since <= clock.now() or has_one(user) else since


def _rules() -> Mapping[str, datetime]:
    """Returns the moments from which roles need one, by role; a page reads them once."""

    def read(_keys: list[str]) -> dict[str, dict[str, datetime]]:
        return {"": dict(SecondFactorRule.objects.values_list("role", "since"))}

    return page_memory.read_once("second-factor-rules", [""], read)[""]


@read_once()
def states() -> list[RoleState]:
    """Returns the state of each built-in role, that with the most rights first; users of a defined
    role count for the one that it is like."""
    factors = Authenticator.objects.filter(user=OuterRef("pk"), type__in=_KINDS)
    people = list(User.objects.filter(is_active=True).annotate(has_factor=Exists(factors)))
    roles = {user.pk: least_like(user.role) for user in people}
    since = _rules()
    return [
        RoleState(
            role=role,
            count=sum(roles[user.pk] == role for user in people),
            without=[user for user in people if roles[user.pk] == role and not user.has_factor],
            since=since.get(role.value),
            is_configured=role.value in settings.REQUIRE_SECOND_FACTOR,
        )
        for role in reversed(Role)
    ]


@transaction.atomic
def require(origin: Origin, wanted: Mapping[Role, datetime | None]) -> bool:
    """Requires a second factor of these roles, each from a moment on, or no more. Returns whether
    that is a change.

    Raises `SecondFactorRefused` if administrators would need one and the acting one has none: so at
    least one administrator can go on.
    """
    rules = {rule.role: rule.since for rule in SecondFactorRule.objects.select_for_update()}
    changed = {
        role: since
        for role, since in wanted.items()
        if rules.get(role.value) != since and role.value not in settings.REQUIRE_SECOND_FACTOR
    }
    if changed.get(Role.ADMINISTRATOR) and not (origin.actor and has_one(origin.actor)):
        raise SecondFactorRefused(
            _(
                "Set up two-factor authentication for your own account first. Then one "
                "administrator at least can sign in."
            )
        )
    for role, since in changed.items():
        if since is None:
            SecondFactorRule.objects.filter(role=role.value).delete()
        else:
            SecondFactorRule.objects.update_or_create(role=role.value, defaults={"since": since})
    if changed:
        record(
            origin,
            Act.SECOND_FACTOR_RULE,
            before={role.value: _day(rules.get(role.value)) for role in changed},
            sent={role.value: _day(since) for role, since in changed.items()},
        )
    return bool(changed)


def _day(since: datetime | None) -> str:
    return (
        wording.REQUIRED_FROM % {"day": timezone.localdate(since)}
        if since
        else wording.NOT_REQUIRED
    )
