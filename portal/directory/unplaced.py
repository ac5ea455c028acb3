"""People whom a user has created who sees a part of the account, until they are in a department or
group.

A creation names no department: that is a call after it. Until then the person would be outside of
every part, and lost to their maker. So who created whom is stored before the creation leaves, and
ends with the first department or group. To all others the person stays outside.
"""

from datetime import timedelta
from typing import Any

from portal.access.scope import Limit, Outside, Scope, ScopeRule
from portal.client import ApiError
from portal.config import clock
from portal.connections import rate_limits
from portal.contract.operation import Call, Caller
from portal.contract.users import CreatedUser, NewUser, UserDetails, Users, UserStatus
from portal.directory import users
from portal.directory.models import UnplacedPerson
from portal.directory.scope_rules import OUTSIDE, is_within
from portal.mirror.values import moment

# A service's machines may differ, and it may report whole seconds only.
_CLOCKS_DIFFER_BY = timedelta(seconds=5)
_LONGEST = timedelta(hours=1)  # that a creation without an answer may have taken


class PersonCreation:
    """One creation by a user who sees a part of the account."""

    def __init__(self, scope: Scope, call: Call[object]) -> None:
        """Stores who creates whom. What was begun and not answered shortly before stays: it may
        have created the person."""
        wanted = call.body
        if not isinstance(wanted, NewUser):
            raise TypeError(wanted)
        self._wanted, self._connection = wanted, scope.connection
        new = {"begun_at": clock.now(), "status": users.status_after(wanted.action).value}
        self._row, self._is_new = UnplacedPerson.objects.get_or_create(
            connection=scope.connection,
            maker=scope.user,
            email=wanted.user_info.email.casefold(),
            defaults=new,
        )
        if not self._is_new and not self._row.user_id and _is_over(self._row):
            self._is_new = True
            UnplacedPerson.objects.filter(pk=self._row.pk).update(**new)

    def done(self, answer: CreatedUser) -> None:
        UnplacedPerson.objects.filter(pk=self._row.pk).update(user_id=answer.id)
        users.record_written(self._connection, {answer.id: users.as_created(self._wanted)})

    def failed(self, error: Exception) -> None:
        may_have_happened = isinstance(error, ApiError) and error.may_have_happened
        if self._is_new and not may_have_happened:
            self._row.delete()


def _is_over(row: UnplacedPerson) -> bool:
    return clock.now() - row.begun_at > _LONGEST


def _require_maker(scope: Scope, call: Call[object], _: Caller) -> None:
    """Requires a user, as whose own the person is visible afterwards."""
    if scope.user is None:
        raise Outside(call.operation, OUTSIDE)


def _read_person(scope: Scope, call: Call[object], ask: Caller) -> None:
    """Requires that the person is within the scope; one whose creation was not answered gets there
    by being read."""
    name = str(call.ids[0])
    if is_within(scope, name):
        return
    begun = UnplacedPerson.objects.filter(
        connection=scope.connection, maker=scope.user, email=name.casefold(), user_id=""
    ).first()
    if begun is None:
        raise Outside(call.operation, OUTSIDE)
    details: Any = ask(call)
    if not _is_created_by(begun, details):
        raise Outside(call.operation, OUTSIDE)
    UnplacedPerson.objects.filter(pk=begun.pk).update(user_id=details.id)
    users.put_written(scope.connection, details, UserStatus(begun.status))


def _is_created_by(begun: UnplacedPerson, details: UserDetails) -> bool:
    """Returns whether a person without department and group was surely created by what was begun,
    by the service's clock."""
    created = moment(details.created_at)
    since = rate_limits.earliest(begun.connection.base_url, begun.begun_at)
    if created is None or since is None or details.dept or details.group_ids:
        return False
    is_theirs = (details.email or "").casefold() == begun.email
    return is_theirs and since - _CLOCKS_DIFFER_BY <= created <= since + _LONGEST


RULES = {
    Users.create.name: ScopeRule(Limit.BY_PERSON, _require_maker, creation=PersonCreation),
    Users.get.name: ScopeRule(Limit.BY_PERSON, _read_person),
}
