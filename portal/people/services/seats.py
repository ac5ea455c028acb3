"""Seats of an account, those that are taken, and whether a plan fits.

The interface reports seats in the plans of sub accounts alone; for every other account, and if the
token may not read plans, an administrator states them.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from django.db import models, transaction

from portal.access.http import Origin
from portal.access.models import Connection
from portal.access.roles import RoleRefused
from portal.access.scope import Scope
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.client import Api, ApiError
from portal.config import page_memory
from portal.contract.billing import AccountPlans
from portal.contract.users import LicenceType
from portal.directory import users as mirror
from portal.directory.models import MirroredUser
from portal.directory.users import UserFilter
from portal.jobs.models import ItemState
from portal.jobs.planning import Planning, Tone
from portal.mirror import rows as mirrored
from portal.people.labels import licences_of
from portal.people.models import PlanReading, StatedSeats
from portal.translation import gettext as _, number

SAME = -1  # a licence that a row leaves as it is
COUNTED = (LicenceType.PRO, LicenceType.CORP)
Source = Literal["", "plans", "stated"]


@dataclass(frozen=True)
class Seats:
    """The seats of one licence; `total` is None if it is unknown."""

    licence: LicenceType
    used: int
    total: int | None
    source: Source = ""

    @property
    def free(self) -> int | None:
        return None if self.total is None else self.total - self.used

    @property
    def free_in_words(self) -> str:
        return "" if self.free is None else _("%(count)s free") % {"count": number(self.free)}


@dataclass(frozen=True)
class _Totals:
    """Seats of a connection by licence: of its plan, as it was last read, and as stated."""

    by_plans: dict[int, int] = field(default_factory=dict)
    by_hand: dict[int, int] = field(default_factory=dict)


def stated(connection: Connection) -> dict[int, int]:
    """Returns the numbers that an administrator stated, by licence."""
    return _totals([connection.pk])[connection.pk].by_hand


def _totals(connections: Collection[int]) -> dict[int, _Totals]:
    return page_memory.read_once("seats", connections, _read_totals)


def _read_totals(connections: list[int]) -> dict[int, _Totals]:
    totals = {key: _Totals() for key in connections}
    plans = PlanReading.objects.filter(connection__in=connections, base_hosts__gt=0)
    rows = plans.values_list(
        "connection", models.Value(LicenceType.PRO.value), "base_hosts", models.Value("plans")
    )
    by_hand = StatedSeats.objects.filter(connection__in=connections)
    stated_rows = by_hand.values_list("connection", "licence", "seats", models.Value("stated"))
    for key, licence, seats, source in rows.union(stated_rows, all=True):
        own = totals[key].by_plans if source == "plans" else totals[key].by_hand
        own[licence] = seats
    return totals


@transaction.atomic
def state(origin: Origin, connection: Connection, data: dict[int, int | None]) -> None:
    """Stores the totals that an administrator stated; None deletes one."""
    before = stated(connection)
    StatedSeats.objects.filter(connection=connection).delete()
    given = {licence: seats for licence, seats in data.items() if seats is not None}
    StatedSeats.objects.bulk_create(
        StatedSeats(connection=connection, licence=licence, seats=seats)
        for licence, seats in given.items()
    )
    record(
        origin,
        Act.SEATS_STATED,
        connection,
        sent=_named(given),
        before=_named(before),
    )


def _named(seats: dict[int, int]) -> dict[str, int]:
    return {LicenceType(licence).label: count for licence, count in seats.items()}


def read_plans(api: Api, scope: Scope) -> AccountPlans | None:
    """Returns the account's own plans; None if the service does not report the account of people.
    Raises `ApiError` and `RoleRefused`."""
    person = mirror.find(scope, UserFilter()).values_list("user_id", flat=True).first()
    account_id = api.users.get(person).account_id if person else ""
    return api.billing.plans(account_id) if account_id else None


def seats_by_plans(api: Api, scope: Scope) -> dict[int, int]:
    """Returns the seats of the account's own plan: its hosts are those with a Pro licence. Empty if
    the service, or the role, does not report it."""
    try:
        plans = read_plans(api, scope)
    except (ApiError, RoleRefused):
        return {}
    plan = plans.plan_base if plans else None
    return {LicenceType.PRO.value: plan.hosts} if plan and plan.hosts else {}


def seats_of(scope: Scope, api: Api | None = None) -> list[Seats]:
    """Returns the seats of each licence that is counted, used as far as the list of people shows.

    With `api` the service is asked for the account's plan, which goes before what was stated;
    without it, what the plan was when it was last read. Who is limited to a part of the people
    sees how many of these have a licence, and no total, since that is of all.
    """
    is_whole = not scope.is_narrow
    totals = _totals([scope.connection.pk])[scope.connection.pk] if is_whole else _Totals()
    by_plans = seats_by_plans(api, scope) if api and is_whole else totals.by_plans
    people = mirror.find(scope, UserFilter()).order_by()
    used = mirrored.cached_result(scope, mirror.USERS.name, "licences", lambda: _by_licence(people))
    given = licences_of(scope.connection)
    counted = _seats({int(licence): n for licence, n in used.items()}, by_plans, totals.by_hand)
    return [one for one in counted if one.licence in given or one.used or one.total]


def _by_licence(people: models.QuerySet[MirroredUser]) -> dict[str, int]:
    counted = people.filter(type__in=COUNTED).values_list("type")
    return {str(licence): count for licence, count in counted.annotate(models.Count("pk"))}


def seats_by_connection(connections: Sequence[Connection]) -> dict[int, list[Seats]]:
    """Returns the stored seats of whole connections, by their primary keys; connections without a
    total are left out. Used licences are counted again when the list of people has changed."""
    keys = [one.pk for one in connections]
    totals = {
        key: own
        for key, own in _totals(keys).items()
        if own.by_plans or own.by_hand.keys() & set(COUNTED)
    }
    some = [one for one in connections if one.pk in totals]
    used = mirrored.cached_results(
        mirrored.states_of(some, mirror.USERS.name), "licences", used_licences
    )
    by_connection = {}
    for key, counts in used.items():
        counted = {int(licence): count for licence, count in counts.items()}
        by_connection[key] = _seats(counted, totals[key].by_plans, totals[key].by_hand)
    return by_connection


def used_licences(
    connections: list[int], only: models.Q | None = None
) -> dict[int, dict[str, int]]:
    """Returns how many people have each licence, by connection and licence as text; `only` filters
    the people."""
    own = MirroredUser.objects.filter(connection__in=connections, type__in=COUNTED)
    people = own.filter(only or models.Q()).order_by()
    used: dict[int, dict[str, int]] = {key: {} for key in connections}
    counted = people.values_list("connection", "type").annotate(models.Count("pk"))
    for key, licence, count in counted:
        used[key][str(licence)] = count
    return used


def _seats(
    used: Mapping[int, int], by_plans: Mapping[int, int], by_hand: Mapping[int, int]
) -> list[Seats]:
    seats = []
    for licence in COUNTED:
        source: Source = "plans" if licence in by_plans else "stated" if licence in by_hand else ""
        total = by_plans.get(licence.value, by_hand.get(licence.value))
        seats.append(Seats(licence, used.get(licence.value, 0), total, source))
    return seats


@dataclass
class SeatChanges:
    """Licences before a plan, and what it takes and frees."""

    used: Counter[int] = field(default_factory=Counter)
    taken: Counter[int] = field(default_factory=Counter)
    freed: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, licences: Iterable[int | None]) -> "SeatChanges":
        return cls(used=Counter(int(licence) for licence in licences if licence is not None))

    def count(self, before: int | None, after: int | None) -> None:
        """Counts one person: the licence before and after; None if they are not on the account."""
        if after in (SAME, before):
            return
        if before is not None:
            self.freed[int(before)] += 1
        if after is not None:
            self.taken[int(after)] += 1

    def add_notices(self, planning: Planning) -> None:
        """Adds the notices of a plan on each licence that it changes, against the totals of now."""
        changed = [one for one in COUNTED if self.taken[one.value] or self.freed[one.value]]
        if not changed:
            return
        if planning.scope.is_narrow:  # without a total: that is of the whole account
            self._add_own_notices(planning, changed)
            return
        totals = {one.licence: one.total for one in seats_of(planning.scope, planning.api)}
        for licence in changed:
            used, taken, freed = (
                counts[licence.value] for counts in (self.used, self.taken, self.freed)
            )
            moves = (
                _("these changes use %(taken)s and free %(freed)s")
                if freed
                else _("these changes use %(taken)s")
            ) % {"taken": number(taken), "freed": number(freed)}
            values = {"licence": licence.label, "used": number(used), "moves": moves}
            total = totals.get(licence)
            if total is None:
                if taken:
                    words = _(
                        "%(licence)s licences: %(used)s used, %(moves)s. The total is unknown. Set "
                        "how many you own on the import page."
                    )
                    planning.add_notice("neutral", words % values)
                continue
            free = total - used
            sentence = _(
                "%(licence)s licences: %(used)s of %(total)s used, %(free)s free; %(moves)s."
            ) % {**values, "total": number(total), "free": number(free)}
            tone: Tone = "neutral"
            if taken - freed > free:
                needed = _("%(count)s more are needed.") % {"count": number(taken - freed - free)}
                tone, sentence = "bad", sentence + " " + needed
            elif taken > free:
                suffice = _("They suffice only after the freed ones become available.")
                tone, sentence = "warning", sentence + " " + suffice
            planning.add_notice(tone, sentence)

    def _add_own_notices(self, planning: Planning, changed: Sequence[LicenceType]) -> None:
        for licence in changed:
            values = {
                "licence": licence.label,
                "taken": number(self.taken[licence.value]),
                "freed": number(self.freed[licence.value]),
            }
            words = _("%(licence)s licences: these changes use %(taken)s and free %(freed)s.")
            planning.add_notice("neutral", words % values)


def add_move_notices(planning: Planning, licence: int) -> None:
    """Adds the notices of a plan that gives every person this licence."""
    job = planning.job
    everybody = mirror.find(job.scope, UserFilter()).order_by()
    changes = SeatChanges.of(everybody.values_list("type", flat=True))
    waiting = job.items.filter(state=ItemState.PENDING).values("object_id")
    for before in everybody.filter(user_id__in=waiting).values_list("type", flat=True):
        changes.count(before, licence)
    changes.add_notices(planning)
