"""People of the account as forms, pages and jobs name them: by a search, by id or by email."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from time import sleep
from typing import Any

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Lower
from pydantic import TypeAdapter, ValidationError

from portal.access.scope import Scope
from portal.contract.types import Email
from portal.contract.users import UserStatus
from portal.directory import users as mirror
from portal.directory.models import MirroredUser
from portal.directory.scope_rules import visible_people
from portal.directory.users import USERS, UserFilter
from portal.jobs.planning import Planning, Unplannable
from portal.mirror import values
from portal.mirror.mirrored_list import ListChangedError
from portal.mirror.refresh import read_now
from portal.translation import gettext as _
from portal.ui.addresses import people_in
from portal.ui.autocomplete import Pick, PickField, PickSource

_SUGGESTED = 8
_EMAIL: TypeAdapter[str] = TypeAdapter(Email)


@dataclass(frozen=True)
class Colleague:
    """A person on the account; without a mirrored row only the id or email is set."""

    id: str
    name: str
    email: str = ""
    timezone: str = ""
    licence: int | None = None
    is_listed: bool = True
    has_left: bool = False
    initials: str = ""
    dept: str = ""
    status: str = ""

    @property
    def key(self) -> str:
        """Returns the id for a path, or the email if the service gave no id."""
        return self.id or self.email

    def pick(self, *, by_email: bool = False) -> Pick:
        """Returns the person as a picker offers them."""
        detail = self.email if self.email != self.name else ""
        value = self.email if by_email and self.email else self.id
        return Pick(value, self.name, detail, self.initials, self._absence)

    @property
    def problem(self) -> str:
        """Returns the problem of an address that was typed; empty for a person with an id."""
        if self.id:
            return ""
        try:
            _EMAIL.validate_python(self.email)
        except ValidationError:
            return _("Not an email address, such as name@example.com.")
        return ""

    @property
    def _absence(self) -> str:
        if self.status == UserStatus.INACTIVE:
            return _("Deactivated")
        return _("Not on the account any more") if self.has_left else ""


def initials(first: str, last: str, otherwise: str = "") -> str:
    """At most two letters that stand for a person without a picture."""
    letters = f"{(first or '')[:1]}{(last or '')[:1]}" or otherwise[:1]
    return letters.upper()


def from_row(row: MirroredUser) -> Colleague:
    name = row.name or row.email
    letters = initials(row.first_name, row.last_name, name)
    return Colleague(
        row.user_id,
        name,
        row.email,
        row.timezone,
        row.type,
        initials=letters,
        dept=row.dept,
        status=row.status,
    )


def reported(scope: Scope, people: Iterable[tuple[str, str]]) -> list[Colleague]:
    """Returns people that the service reports by id, email or both, with their mirrored data."""
    pairs = [(user_id.replace("\x00", ""), email.replace("\x00", "")) for user_id, email in people]
    wanted = Q(user_id__in=[user_id for user_id, _ in pairs if user_id])
    rows = mirror.find(scope, UserFilter())
    if emails := {email.lower() for _, email in pairs if "@" in email}:
        rows, wanted = rows.annotate(lower=Lower("email")), wanted | Q(lower__in=emails)
    listed = [from_row(row) for row in rows.filter(wanted)] if any(map(any, pairs)) else []
    by_name = {one.email.lower(): one for one in listed} | {one.id: one for one in listed}
    by_name.pop("", None)
    return [
        by_name.get(user_id) or by_name.get(email.lower()) or _unknown(user_id, email)
        for user_id, email in pairs
    ]


def _unknown(user_id: str, email: str) -> Colleague:
    name = email or user_id
    email = email if email != user_id else ""
    return Colleague(user_id, name, email, is_listed=False, initials=name[:1].upper())


def called(scope: Scope, names: Iterable[str]) -> list[Colleague]:
    """Returns the people with these ids or emails, in their order."""
    return reported(scope, [(name, name) for name in names])


def colleague(scope: Scope, name: str) -> Colleague:
    [match] = called(scope, [name])
    return match


def marked(scope: Scope, people: Iterable[Colleague]) -> list[Colleague]:
    """Marks those who are in none of the lists of the service. Who sees a part of
    the people cannot tell, nor can anybody before the lists were read."""
    is_certain = not scope.is_narrow and mirror.state_of(scope.connection).refreshed_at is not None
    return [one if one.is_listed else replace(one, has_left=is_certain) for one in people]


def find(
    scope: Scope,
    search: str,
    *,
    besides: Collection[str] = (),
    rows: "QuerySet[MirroredUser] | None" = None,
    most: int = _SUGGESTED,
) -> list[Colleague]:
    """Returns people that match a search by name, email or department, but for ids or emails
    `besides`.

    They are active; or else of `rows`, which has been searched already. A list of people that was
    pasted finds all of them.
    """
    if not search.strip():
        return []
    if rows is None and ("<" in search or search.count("@") > 1):
        emails = [one.email.lower() for one in people_in(search) if one.email]
        active = mirror.find(scope, UserFilter(statuses=[UserStatus.ACTIVE]))
        rows, most = active.annotate(lower=Lower("email")).filter(lower__in=emails), len(emails)
    if rows is None:
        rows = mirror.find(scope, UserFilter(search=search, statuses=[UserStatus.ACTIVE]))
    without = list(besides)
    rows = rows.exclude(Q(user_id__in=without) | Q(email__in=without))
    return [from_row(row) for row in rows[:most]]


Find = Callable[[str, Collection[str]], list[Colleague]]  # by a search, but for ids or emails


class PeopleField(PickField):
    """A field that picks people by id; with `by_email` by email, if there is one."""

    def __init__(self, *, by_email: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.by_email = by_email

    def offer_people(self, scope: Scope, address: str, finder: Find | None = None) -> None:
        """Offers the people that `finder` finds, by default all active ones; `address` answers the
        search."""
        self.offer(self.source(scope, finder), address)

    def source(self, scope: Scope, finder: Find | None = None) -> PickSource:
        def picks(people: Iterable[Colleague]) -> list[Pick]:
            return [one.pick(by_email=self.by_email) for one in people]

        def search(text: str, picked: Collection[str]) -> list[Pick]:
            return picks(finder(text, picked) if finder else find(scope, text, besides=picked))

        return PickSource(search, lambda names: picks(marked(scope, called(scope, names))))


_STATUSES = (UserStatus.ACTIVE.value, UserStatus.INACTIVE.value)
_POLL_EVERY = 0.5  # seconds


def hosts(planning: Planning, wanted: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Returns the ids and emails of all active and inactive people, or of those `wanted` by their
    ids: active ones first, then who signed in lately.

    An old list of people, or one that was never read, is refreshed first: people missing from it
    would be left out. Raises `ApiError`, `Unplannable`, `TokenUnreadable` and `LeaseLost`.
    """
    scope = planning.scope
    if not wanted or len(_stored(scope, wanted)) < len(set(wanted)):
        _read_people_if_old(planning)
    return _stored(scope, wanted)


def _stored(scope: Scope, wanted: Sequence[str]) -> list[tuple[str, str]]:
    people = mirror.find(scope, UserFilter(statuses=_STATUSES, ids=wanted or None))
    by_last_sign_in = F("last_login_time").desc(nulls_last=True)
    ordered = people.order_by("status", by_last_sign_in, "id")
    return list(ordered.values_list("user_id", "email"))


def _read_people_if_old(planning: Planning) -> None:
    """Reads them here, or waits for the worker that does."""
    connection = planning.job.connection

    def progress(read: int, expected: int) -> None:
        planning.progress(read, expected, _("Loading people"))

    while (state := mirror.state_of(connection)).is_older_than(USERS.stale_after):
        progress(state.read, state.expected)
        try:
            if state.is_running or not read_now(USERS.request(connection).pk, progress):
                sleep(_POLL_EVERY)
        except ListChangedError as changed:
            if state.refreshed_at is None:
                words = values.shown(values.CHANGING % {"what": USERS.noun})
                raise Unplannable(words) from changed
            return  # who was added a moment ago comes with the next reading


_BATCH = 500


@dataclass(frozen=True)
class PeopleByEmail:
    """A person of the account, as mirrored."""

    id: str
    name: str
    department: str


NOBODY = PeopleByEmail("", "", "")


def mirrored_by_email(scope: Scope, emails: Iterable[str]) -> dict[str, PeopleByEmail]:
    """Returns the mirrored people, by the emails as they were given."""
    wanted = sorted({email for email in emails if email})
    people = visible_people(scope)
    return {
        email: PeopleByEmail(user_id, name, department)
        for start in range(0, len(wanted), _BATCH)
        for email, user_id, name, department in people.filter(
            email__in=wanted[start : start + _BATCH]
        ).values_list("email", "user_id", "name", "dept")
    }
