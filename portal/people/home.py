"""Lines and tiles of the first page about licences and people."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.db.models import Count
from django.db.models.functions import TruncMonth
from django.urls import reverse

from portal.access.models import Connection, User
from portal.access.scope import Scope
from portal.config import clock
from portal.contract.users import Users, UserStatus
from portal.directory.models import MirroredUser
from portal.directory.scope_rules import counts_of_unplaced
from portal.directory.users import USERS, UserFilter, counts_by_status, find
from portal.mirror.models import MirrorState
from portal.mirror.rows import (
    cache_state,
    cached_result,
    cached_results,
    cached_state,
    cached_states,
    states_of,
)
from portal.people.licences.use import EVERYBODY, Use, held_by_deactivated
from portal.people.services import seats
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.first_steps import HomeStep, StepState
from portal.ui.home import (
    HomeColumn,
    HomeFigure,
    HomeItem,
    HomeLine,
    HomeLines,
    HomeTile,
    exact,
    short,
)
from portal.ui.states import State

_FEW = 20  # one in so many is few
_MONTHS = 12
_SMALL = 25  # people, below which no curve is shown
_DAY = timedelta(days=1)
OF_DEACTIVATED = {"use": Use.DEACTIVATED.value}  # the list of the licences that are counted here


def _read(_user: User, scopes: Sequence[Scope]) -> HomeLines:
    connections = [scope.connection for scope in scopes]
    seats_of_connections = seats.seats_by_connection(connections)
    counted = [one for one in connections if one.pk in seats_of_connections]
    states = states_of(counted, USERS.name)
    return {
        one.pk: list(_lines(one, seats_of_connections[one.pk], states[one.pk].refreshed_at))
        for one in counted
    }


def licences_of_deactivated(states: Mapping[int, MirrorState]) -> dict[int, dict[str, int]]:
    """Returns how many deactivated people have each licence, without protected ones, by connection
    and licence, as text; `states` are those of the connections' lists of people."""
    return cached_results(states, "reclaimable-licences", _reclaimable)


def _reclaimable(connections: list[int]) -> Mapping[int, dict[str, int]]:
    return seats.used_licences(connections, held_by_deactivated())


def unused_by_leavers(_user: User, scope: Scope) -> int:
    """Returns how many licences could be reclaimed from deactivated people."""
    if scope.is_narrow:
        return 0
    key = scope.connection.pk
    [state] = cached_states(scope.connection, USERS.name)
    return sum(licences_of_deactivated({key: state}).get(key, {}).values())


def _lines(
    connection: Connection, listed: Sequence[seats.Seats], as_of: datetime | None
) -> Iterator[HomeLine]:
    for one in listed:
        if one.total is None or one.free is None or one.free * _FEW > one.total:
            continue
        state: State = "bad" if one.free < 0 else "warning"
        about = {"count": number(abs(one.free)), "licence": one.licence.label}
        if one.free < 0:
            words = _("%(count)s more %(licence)s licences are used than there are") % about
        elif one.free == 0:
            words = _("No %(licence)s licences are left") % about
        else:
            words = (
                ngettext(
                    "%(count)s %(licence)s licence is left",
                    "%(count)s %(licence)s licences are left",
                    one.free,
                )
                % about
            )
        url = reverse("people:licences", args=[connection.key])
        query = urlencode({"type": one.licence.value})
        why = _("%(used)s of %(total)s are used.") % {
            "used": number(one.used),
            "total": number(one.total),
        }
        yield HomeLine(state, words, f"{url}?{query}", why, as_of=as_of)


def _idle(_user: User, scopes: Sequence[Scope]) -> HomeLines:
    states = states_of([scope.connection for scope in scopes], USERS.name)
    loaded = [one for one in scopes if states[one.connection.pk].refreshed_at]
    counts = licences_of_deactivated(
        {one.connection.pk: states[one.connection.pk] for one in loaded}
    )
    return {
        one.connection.pk: list(_deactivated_lines(one.connection, counts[one.connection.pk]))
        for one in loaded
    }


def _deactivated_lines(connection: Connection, counts: dict[str, int]) -> Iterator[HomeLine]:
    count = sum(counts.values())
    if not count:
        return
    words = ngettext(
        "%(count)s licence is held by a deactivated person",
        "%(count)s licences are held by deactivated people",
        count,
    ) % {"count": number(count)}
    why = ", ".join(
        f"{number(counts[str(licence.value)])} {licence.label}"
        for licence in seats.COUNTED
        if counts.get(str(licence.value))
    )
    url = reverse("people:licences", args=[connection.key], query=OF_DEACTIVATED)
    yield HomeLine("warning", words, url, why, verb=_("Reclaim"))


def _unplaced(user: User, scopes: Sequence[Scope]) -> HomeLines:
    """Returns how many people the user has created whom no other limited user sees."""
    narrow = [scope.connection for scope in scopes if scope.is_narrow]
    counts = counts_of_unplaced(user, narrow) if narrow else {}
    return {scope.connection.pk: list(_unplaced_lines(scope, counts)) for scope in scopes}


def _unplaced_lines(scope: Scope, counts: Mapping[int, int]) -> Iterator[HomeLine]:
    if count := counts.get(scope.connection.pk, 0):
        words = ngettext(
            "%(count)s person whom you added has no department or group yet",
            "%(count)s people whom you added have no department or group yet",
            count,
        ) % {"count": number(count)}
        why = _("Until then only you see them, besides those who see the whole account.")
        url = reverse("people:list", args=[scope.connection.key], query={"place": "none"})
        yield HomeLine("warning", words, url, why)


UNPLACED = HomeItem(
    gettext_lazy("People whom you added"),
    61,
    _unplaced,
    needs=(Users.list,),
    for_limited=True,
)
IDLE = HomeItem(gettext_lazy("Licences of deactivated people"), 62, _idle, needs=(Users.list,))
LICENCES = HomeItem(gettext_lazy("Licences"), 60, _read, needs=(Users.list,))


def _people(scope: Scope) -> HomeFigure:
    url = reverse("people:list", args=[scope.connection.key])
    state = cached_state(scope.connection, USERS.name)
    cache_state(scope.connection, state)  # for the counts below
    if state.refreshed_at is None:
        return HomeFigure(url, about=_("Load people"))
    counts = counts_by_status(scope)
    phrases = []
    if pending := counts.get(UserStatus.PENDING, 0):
        phrases.append(_("%(count)s pending") % {"count": number(pending)})
    if inactive := counts.get(UserStatus.INACTIVE, 0):
        phrases.append(_("%(count)s deactivated") % {"count": number(inactive)})
    active = _("%(count)s active") % {"count": short(counts.get(UserStatus.ACTIVE, 0))}
    total = sum(counts.values())
    curve = cached_result(scope, USERS.name, "home-growth", lambda: _growth(scope))
    is_old = state.refreshed_at < clock.now() - _DAY
    return HomeFigure(
        url,
        short(total),
        active,
        " · ".join(phrases) or _("All of them are active"),
        curve if total >= _SMALL else (),
        as_of=state.refreshed_at if is_old else None,
        exact=exact(total),
    )


def _growth(scope: Scope) -> list[int]:
    """Returns the number of today's people at the end of each of the last months."""
    dated = find(scope, UserFilter()).exclude(created_at=None).order_by()
    since = clock.now() - timedelta(days=365)
    by_month = dict(
        dated.filter(created_at__gte=since)
        .annotate(month=TruncMonth("created_at"))
        .values_list("month")
        .annotate(count=Count("pk"))
        .order_by("month")
    )
    before = dated.filter(created_at__lt=since).count()
    made = [before]
    for count in by_month.values():
        made.append(made[-1] + count)
    return made[-_MONTHS - 1 :]


def _licences(scope: Scope) -> HomeFigure:
    url = reverse("people:licences", args=[scope.connection.key], query={"use": EVERYBODY})
    if cached_state(scope.connection, USERS.name).refreshed_at is None:
        return HomeFigure(url, about=_("Load people"))
    seats_now = seats.seats_of(scope)
    used = sum(one.used for one in seats_now)
    each = " · ".join(f"{one.licence.label} {number(one.used)}" for one in seats_now)
    total = [one.total for one in seats_now if one.total]
    if not total:
        may_set = scope.can_call(Users.create) and not scope.is_narrow
        about = " · ".join((each, _("Set the total"))) if may_set else each
        return HomeFigure(url, short(used), "", about, exact=exact(used))
    counted = [one for one in seats_now if one.total]
    in_them = sum(one.used for one in counted)
    about = " · ".join(f"{one.licence.label}: {one.free_in_words}" for one in counted)
    unit = _("of %(total)s") % {"total": number(sum(total))}
    share = min(100 * in_them / sum(total), 100)
    return HomeFigure(url, short(in_them), unit, about, share=share, exact=exact(in_them))


def _column(scopes: Sequence[Scope]) -> dict[int, str]:
    states = states_of([scope.connection for scope in scopes], USERS.name)
    read = {key: state for key, state in states.items() if state.refreshed_at}
    return {key: number(count) for key, count in cached_results(read, "all", _counted).items()}


def _counted(connections: list[int]) -> dict[int, int]:
    people = MirroredUser.objects.filter(connection__in=connections).order_by()
    counted = dict(people.values_list("connection").annotate(Count("pk")))
    return {key: counted.get(key, 0) for key in connections}


def _say_seats(scope: Scope) -> StepState | None:
    if not scope.can_call(Users.create) or scope.is_narrow:
        return None
    url = reverse("people:import-seats", args=[scope.connection.key])
    return StepState(bool(seats.seats_by_connection([scope.connection])), f"{url}?next=licences")


def _free(scopes: Sequence[Scope]) -> dict[int, str]:
    seats_of_connections = seats.seats_by_connection([scope.connection for scope in scopes])
    return {
        key: number(sum(one.free for one in each if one.free is not None))
        for key, each in seats_of_connections.items()
    }


SAY_SEATS = HomeStep(gettext_lazy("Say how many licences you own"), 30, _say_seats)
FREE_COLUMN = HomeColumn(gettext_lazy("Licences free"), 30, _free, needs=(Users.list,))
PEOPLE_COLUMN = HomeColumn(gettext_lazy("People"), 20, _column, needs=(Users.list,))
PEOPLE = HomeTile(gettext_lazy("People"), 20, _people, needs=(Users.list,), for_limited=True)
LICENCES_IN_USE = HomeTile(
    gettext_lazy("Licences in use"), 30, _licences, needs=(Users.list,), for_limited=True
)
