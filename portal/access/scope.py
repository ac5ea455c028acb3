"""The rights of a user over a connection: an argument of all that lists, finds, counts, exports,
mails or stores data of its account.

A scope can be limited to the people of departments and groups, and their sessions. Domains declare
how each operation is limited then, and which of their pages show nothing else. An operation without
a declaration is refused, and so is all that belongs to the account as a whole, such as its billing.

A connection by itself gives no right to see anything. A user's scope comes from
`portal.access.grants`, when it is needed and never when something was saved. Code that needs all of
the account, for any user, gives a reason: `Scope.whole`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from django.core.exceptions import PermissionDenied

from portal.access.models import Connection, Elevation, Share, User
from portal.access.roles import Role, covers, is_custom, may, read_families, resolved
from portal.client import ApiError
from portal.contract.operation import AnyOperation, Call, Caller, Effect, Family
from portal.translation import gettext as _

# Limits have no default: code that makes an unlimited scope says so.
UNLIMITED: frozenset[str] = frozenset()
_NO_FAMILY = frozenset({"-"})
# Role, families, departments and groups.
Limits = list[Any]
# Of the rooms that all domains share; what they list is narrowed where it is read.
_pages: set[str] = {"changes", "jobs", "lists:columns", "mirror:search", "mirror:start"}


class Limit(StrEnum):
    """The ways in which an operation is limited for limited shares."""

    BY_PERSON = "by person"  # untranslated: a rule. What it is done to belongs to one of them
    BY_SESSION = "by session"  # untranslated: a rule. The same for a session by its host
    FILTERED = "filtered"  # what it returns is narrowed to them
    OPEN = "open"  # it is not about people
    REFUSED = "refused"  # there is no part of it


# They get the scope of the caller. The first raises `Outside`, or `Protected` for what a body
# names, and reads through its own caller. The second gets the answer, of the operation's type.
Check = Callable[["Scope", Call[object], Caller], None]
Narrow = Callable[["Scope", Any], Any]


class Outside(ApiError):
    """A call for an object outside of a limited scope: nothing was sent.

    To its caller the object does not exist.
    """

    def _leaves_open(self) -> bool:
        return False


class PageOutOfScope(PermissionDenied):
    """A page that shows more than a limited scope."""


class BeforeLimits(PageOutOfScope):
    """A page about the user's own work from before their scope was limited as it is now."""


class Follower(Protocol):
    """Is told how a write ended, unless that was by an unexpected error."""

    def done(self, answer: Any) -> None:
        """Follows the answer of the service."""

    def failed(self, error: Exception) -> None:
        """Follows a failure, or a write that did not leave."""


@dataclass(frozen=True)
class ScopeRule:
    """The limit of an operation: `check` runs before the call, `narrow` reduces its answer.

    `creation` is called for a narrow scope when all checks are passed, before the call leaves: what
    is created has to be within the scope of its maker.
    """

    limit: Limit
    check: Check | None = None
    narrow: Narrow | None = None
    creation: Callable[["Scope", Call[object]], Follower] | None = None


REFUSED = ScopeRule(Limit.REFUSED)
OPEN = ScopeRule(Limit.OPEN)
_rules: dict[str, ScopeRule] = {}


def register_rules(rules: Mapping[str, ScopeRule]) -> None:
    """Limits the operations of these names so from now on."""
    _rules.update(rules)


def rule_of(operation: AnyOperation) -> ScopeRule:
    return _rules.get(operation.name, REFUSED)


def refused(*families: type[Family]) -> dict[str, ScopeRule]:
    """Returns rules that refuse all operations of some families to limited scopes."""
    return {one.name: REFUSED for family in families for one in family.operations()}


def register_pages(names: Iterable[str]) -> None:
    """Opens these pages, by the names of their URLs or namespaces, to limited scopes: they show
    nothing else."""
    _pages.update(names)


class NotWhole(ValueError):
    """A limited scope for data that several users share."""


@dataclass(frozen=True)
class Scope:
    """The rights of a user over a connection; without a user, those of the portal itself.

    An empty set of `families`, `departments` or `groups` (ids) does not limit. `share` is None for
    the owner. `elevation` is what gives the user a greater role for some hours, without which they
    have that of the share. `reason` says why the portal itself sees all of the account.

    A defined role has the rights of the moment at which the scope was made. The families that it
    may not read are outside of it, as if the share were limited to the others.
    """

    user: User | None
    connection: Connection
    role: str
    families: frozenset[str]
    departments: frozenset[str]
    groups: frozenset[str]
    share: Share | None = None
    elevation: Elevation | None = field(default=None, compare=False)
    reason: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if is_custom(self.role):
            role = resolved(self.role)
            families = read_families(role)
            if self.families:
                families &= self.families
            object.__setattr__(self, "role", role)
            object.__setattr__(self, "families", families or _NO_FAMILY)

    @classmethod
    def whole(cls, connection: Connection, reason: str, role: str = Role.VIEWER) -> "Scope":
        """Returns the scope of the portal itself over all of the account: `reason` says in words
        what for."""
        if not reason:
            raise ValueError("The whole scope needs a reason.")
        return cls(None, connection, role, UNLIMITED, UNLIMITED, UNLIMITED, reason=reason)

    @classmethod
    def nothing(cls, user: User, connection: Connection) -> "Scope":
        """Returns the scope of a user without access: it allows no operation and shows no
        people."""
        return cls(user, connection, "", UNLIMITED, UNLIMITED, UNLIMITED)

    @property
    def is_owner(self) -> bool:
        return self.user is not None and self.connection.owner_id == self.user.pk

    @property
    def elevated_to(self) -> str:
        """Returns the role that the user has for some hours alone; mostly empty."""
        return self.role if self.elevation else ""

    @property
    def is_nothing(self) -> bool:
        return not self.role

    @property
    def is_narrow(self) -> bool:
        """Returns whether it shows some of the people alone, or none."""
        return bool(self.departments or self.groups) or self.is_nothing

    @property
    def is_limited(self) -> bool:
        """Returns whether it has limits beside the role."""
        return bool(self.families) or self.is_narrow

    @property
    def rights(self) -> tuple[object, ...]:
        """Returns a value that is equal for all with equal rights over one connection. Those of a
        narrow scope are its user's alone, who sees the people that they have created too."""
        role, *limits = self.limits
        whose = self.user.pk if self.user is not None and self.is_narrow else None
        return (self.connection.pk, whose, role, *map(tuple, limits))

    @property
    def limits(self) -> Limits:
        """Returns role and limits as they can be stored, for `covers`."""
        families, departments, groups = map(sorted, (self.families, self.departments, self.groups))
        return [self.role, families, departments, groups]

    def covers(self, limits: Limits) -> bool:
        """Returns whether it allows and shows all that a scope with these `limits` did."""
        role, *narrowings = limits
        mine = (self.families, self.departments, self.groups)
        return (
            not self.is_nothing
            and covers(self.role, role)
            and all(
                not own or (then and own.issuperset(then))
                for own, then in zip(mine, narrowings, strict=True)
            )
        )

    @property
    def account(self) -> str:
        """Returns the account in words, without anything that limits hide."""
        connection = self.connection
        if not self.is_limited:
            return connection.account
        plan = connection.account_plan
        return _("%(plan)s plan") % {"plan": plan} if plan else ""

    def may(self, operation: AnyOperation) -> bool:
        """Returns whether role and limits allow the operation; a read-only connection may still
        refuse."""
        if not may(self.role, operation):
            return False
        is_within = not self.families or operation.family in self.families
        return is_within and (not self.is_narrow or rule_of(operation).limit is not Limit.REFUSED)

    def can_call(self, operation: AnyOperation) -> bool:
        """Returns whether `request.api` would send the operation: if the scope may call it, and
        for a write, if the connection is not read-only."""
        is_read_only = self.connection.read_only and operation.effect is not Effect.READ
        return not is_read_only and self.may(operation)

    def shows(self, page: str) -> bool:
        """Returns whether the page with this URL name shows no more than the scope."""
        return not self.is_narrow or page in _pages or page.partition(":")[0] in _pages


ReadChoices = Callable[[Scope], "ScopeChoices"]


@dataclass(frozen=True)
class ScopeChoices:
    """Choices for a limited share: departments, and groups as pairs of an id and a name."""

    departments: Sequence[str] = ()
    groups: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class ScopeCount:
    """The rows of one list that a scope shows, for users who may call the operation."""

    title: str
    needs: AnyOperation
    count: Callable[[Scope], int]


_choices: list[ReadChoices] = []
_counts: list[ScopeCount] = []


def register_choices(read: ReadChoices) -> None:
    """Asks this from now on what departments and groups an account has, by an owner's scope."""
    _choices.append(read)


def register_counts(*counts: ScopeCount) -> None:
    _counts.extend(counts)


def counted(scope: Scope) -> list[tuple[str, int | None, int]]:
    """Returns of each list what a scope shows, None if it may not be seen, and of how many."""
    whole = Scope.whole(scope.connection, "its owner sees what a share shows")
    return [
        (one.title, one.count(scope) if scope.may(one.needs) else None, one.count(whole))
        for one in _counts
    ]


def choices_of(scope: Scope) -> ScopeChoices:
    """Returns the departments and groups of the account, as mirrored, by an owner's scope."""
    read = [each(scope) for each in _choices]
    return ScopeChoices(
        [name for each in read for name in each.departments],
        [group for each in read for group in each.groups],
    )
