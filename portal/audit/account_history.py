"""The makers of an account, and the users who gave it its role or a way in, by the audit trail.

An account is `made` by the users who invite it, give it a role, activate it, or were shown an
address that sets its first password: what it does may be done by them. On the machine itself it can
be vouched for as that of another person; then nothing from before counts.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.conf import settings
from django.db.models import Q

from portal.access.models import User
from portal.audit.acts import Act
from portal.audit.models import AuditEntry
from portal.config import clock

_GIVES_ROLE = {Act.MEMBER_CREATED.value, Act.MEMBER_ROLE.value, Act.MEMBER_ACTIVATED.value}
# After a sign-in by an address that another user asked for.
_OPENED_FOR = timedelta(hours=1)
_RESET_FOR = timedelta(days=30)


@dataclass(frozen=True)
class AccountHistory:
    """The entries of the trail about an account, read once."""

    person: User

    @cached_property
    def _entries(self) -> list[AuditEntry]:
        """Returns what was done to the account, and its sign-ins of just now, the newest first."""
        of_member = Q(family=Act.MEMBER_CREATED.family)
        opened = Q(
            family=Act.SIGN_IN.family,
            operation=Act.SIGN_IN.value,
            time__gt=clock.now() - _OPENED_FOR,
        )
        own = AuditEntry.objects.filter(connection_key="", object_id=str(self.person.pk))
        return list(own.filter(of_member | opened))

    @cached_property
    def _acts(self) -> list[AuditEntry]:
        """Returns what was done to the account, the newest first."""
        return [one for one in self._entries if one.family == Act.MEMBER_CREATED.family]

    @cached_property
    def _since_vouched(self) -> list[AuditEntry]:
        acts = []
        for entry in self._acts:
            if entry.operation == Act.MEMBER_VOUCHED:
                break
            acts.append(entry)
        return acts

    @property
    def deactivated_at(self) -> datetime | None:
        """Returns when the account was last deactivated."""
        ends = (one.time for one in self._acts if one.operation == Act.MEMBER_DEACTIVATED)
        return next(ends, None)

    @property
    def role_since(self) -> datetime:
        """Returns since when the account has had its role without a break."""
        given = (entry.time for entry in self._acts if entry.operation in _GIVES_ROLE)
        return next(given, self.person.created_at)

    @property
    def makers(self) -> frozenset[int]:
        """Returns the primary keys of the other users who made the account."""
        made = (entry.actor_id for entry in self._since_vouched if _makes(entry))
        return frozenset(pk for pk in made if pk not in (None, self.person.pk))

    @cached_property
    def depends_on(self) -> frozenset[int]:
        """Returns the users who made the account, those who made them, and so on, and those who
        have lately opened it."""
        found: frozenset[int] = frozenset()
        makers = self.makers | self._openers
        while makers:
            found |= makers
            above = User.objects.filter(pk__in=makers)
            makers = frozenset().union(*(AccountHistory(one).makers for one in above)) - found
        return found

    @property
    def _openers(self) -> frozenset[int]:
        """Returns those who took its second factors away lately, or whose address opened it just
        now."""
        now = clock.now()
        reset = {
            entry.actor_id
            for entry in self._since_vouched
            if entry.operation == Act.MEMBER_FACTORS_RESET and entry.time > now - _RESET_FOR
        }
        opened = (one for one in self._entries if one.family == Act.SIGN_IN.family)
        emails = {(entry.sent or {}).get("link_made_by") for entry in opened} - {None}
        reset |= {one.actor_id for one in self._since_vouched if emails and one.email in emails}
        return frozenset(pk for pk in reset if pk not in (None, self.person.pk))

    def link_by_another(self) -> AuditEntry | None:
        """Returns the entry of an address that another user asked for, if the account's password
        was set since, while that worked, and the account was not signed in to after it."""
        linked = next((one for one in self._acts if one.operation == Act.MEMBER_INVITED), None)
        if linked is None or linked.actor_id == self.person.pk:
            return None
        own = AuditEntry.objects.filter(
            connection_key="", object_id=str(self.person.pk), actor=self.person
        )
        last = timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)
        password = own.filter(
            family=Act.PASSWORD_CHANGED.family,
            operation=Act.PASSWORD_CHANGED.value,
            time__range=(linked.time, linked.time + last),
        ).first()
        if password is None:
            return None
        sign_ins = own.filter(family=Act.SIGN_IN.family, operation=Act.SIGN_IN.value)
        return None if sign_ins.filter(time__gt=password.time).exists() else linked


def _makes(entry: AuditEntry) -> bool:
    if entry.operation == Act.MEMBER_INVITED:
        # Releases before this recorded nothing of it, and showed each.
        return bool((entry.sent or {}).get("link_shown", True))
    return entry.operation in _GIVES_ROLE
