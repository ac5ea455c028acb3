"""Lines of the first page about licences that run out, by the stated or reported totals."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from urllib.parse import urlencode

from django.db.models import Count
from django.urls import reverse

from portal.access.models import Connection, User
from portal.access.scope import Scope
from portal.contract.users import Users, UserStatus
from portal.directory.models import MirroredUser
from portal.directory.users import USERS
from portal.mirror.rows import remembered_of, states_of
from portal.people.services import seats
from portal.translation import gettext as _
from portal.translation import gettext_lazy, ngettext, number
from portal.ui.home import HomeItem, HomeLine, HomeLines
from portal.ui.states import State

_FEW = 20  # one in so many is few


def _read(_user: User, scopes: Sequence[Scope]) -> HomeLines:
    connections = [scope.connection for scope in scopes]
    known = seats.known_of(connections)
    counted = [one for one in connections if one.pk in known]
    states = states_of(counted, USERS.name)
    return {
        one.pk: list(_lines(one, known[one.pk], states[one.pk].refreshed_at)) for one in counted
    }


def held_by_deactivated(connections: Sequence[Connection]) -> dict[int, dict[str, int]]:
    """Returns how many deactivated people have each licence, by connection and licence, as text."""
    found = remembered_of(states_of(connections, USERS.name), "idle-licences", _held)
    return {key: dict(counts) for key, counts in found.items()}


def _held(connections: list[int]) -> dict[int, dict[str, int]]:
    people = MirroredUser.objects.filter(
        connection__in=connections, type__in=seats.COUNTED, status=UserStatus.INACTIVE
    )
    found: dict[int, dict[str, int]] = {key: {} for key in connections}
    counted = people.order_by().values_list("connection", "type").annotate(Count("pk"))
    for key, licence, count in counted:
        found[key][str(licence)] = count
    return found


def unused_by_leavers(_user: User, scope: Scope) -> int:
    """Returns how many licences could be reclaimed from deactivated people."""
    if scope.is_narrow:
        return 0
    key = scope.connection.pk
    return sum(held_by_deactivated([scope.connection]).get(key, {}).values())


def _lines(
    connection: Connection, known: Sequence[seats.Seats], as_of: datetime | None
) -> Iterator[HomeLine]:
    for one in known:
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
    known = [one for one in scopes if states[one.connection.pk].refreshed_at]
    counts = held_by_deactivated([scope.connection for scope in known])
    return {
        one.connection.pk: list(_held_lines(one.connection, counts[one.connection.pk]))
        for one in known
    }


def _held_lines(connection: Connection, counts: dict[str, int]) -> Iterator[HomeLine]:
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
    url = reverse("people:licences", args=[connection.key])
    yield HomeLine("warning", words, url, why, verb=_("Reclaim"))


IDLE = HomeItem(gettext_lazy("Licences of deactivated people"), 62, _idle, needs=(Users.list,))
LICENCES = HomeItem(gettext_lazy("Licences"), 60, _read, needs=(Users.list,))
