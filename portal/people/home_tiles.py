"""The figures of the first page about people and their licences."""

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Count
from django.db.models.functions import TruncMonth
from django.urls import reverse

from portal.access.scope import Scope
from portal.config import clock
from portal.contract.users import Users, UserStatus
from portal.directory.models import MirroredUser
from portal.directory.users import USERS, UserFilter, counts_by_status, find
from portal.mirror.rows import held_state, remembered, remembered_of, states_of
from portal.people.services import seats
from portal.translation import gettext as _
from portal.translation import gettext_lazy, number
from portal.ui.home import HomeColumn, HomeFigure, HomeTile, short

_MONTHS = 12
_DAY = timedelta(days=1)


def _people(scope: Scope) -> HomeFigure:
    url = reverse("people:list", args=[scope.connection.key])
    state = held_state(scope.connection, USERS.name)
    if state.refreshed_at is None:
        return HomeFigure(url, about=_("Load people"))
    counts = counts_by_status(scope)
    said = []
    if pending := counts.get(UserStatus.PENDING, 0):
        said.append(_("%(count)s pending") % {"count": number(pending)})
    if inactive := counts.get(UserStatus.INACTIVE, 0):
        said.append(_("%(count)s deactivated") % {"count": number(inactive)})
    active = _("%(count)s active") % {"count": short(counts.get(UserStatus.ACTIVE, 0))}
    curve = remembered(scope, state, "home-growth", lambda: _growth(scope))
    is_old = state.refreshed_at < clock.now() - _DAY
    return HomeFigure(
        url,
        short(sum(counts.values())),
        active,
        " · ".join(said) or _("All of them are active"),
        curve,
        as_of=state.refreshed_at if is_old else None,
    )


def _growth(scope: Scope) -> list[int]:
    """Returns the number of today's people at the end of each of the last months."""
    known = find(scope, UserFilter()).exclude(created_at=None).order_by()
    since = clock.now() - timedelta(days=365)
    by_month = dict(
        known.filter(created_at__gte=since)
        .annotate(month=TruncMonth("created_at"))
        .values_list("month")
        .annotate(count=Count("pk"))
        .order_by("month")
    )
    before = known.filter(created_at__lt=since).count()
    made = [before]
    for count in by_month.values():
        made.append(made[-1] + count)
    return made[-_MONTHS - 1 :]


def _licences(scope: Scope) -> HomeFigure:
    url = reverse("people:licences", args=[scope.connection.key])
    if held_state(scope.connection, USERS.name).refreshed_at is None:
        return HomeFigure(url, about=_("Load people"))
    known = seats.known(scope)
    used = sum(one.used for one in known)
    each = " · ".join(f"{one.licence.label} {number(one.used)}" for one in known)
    total = [one.total for one in known if one.total]
    if not total:
        return HomeFigure(url, short(used), "", " · ".join((each, _("Set how many you own"))))
    counted = [one for one in known if one.total]
    in_them = sum(one.used for one in counted)
    about = " · ".join(f"{one.licence.label}: {one.free_in_words}" for one in counted)
    unit = _("of %(total)s") % {"total": number(sum(total))}
    return HomeFigure(url, short(in_them), unit, about, share=min(100 * in_them / sum(total), 100))


def _column(scopes: Sequence[Scope]) -> dict[int, str]:
    states = states_of([scope.connection for scope in scopes], USERS.name)
    read = {key: state for key, state in states.items() if state.refreshed_at}
    return {key: number(count) for key, count in remembered_of(read, "all", _counted).items()}


def _counted(connections: list[int]) -> dict[int, int]:
    people = MirroredUser.objects.filter(connection__in=connections).order_by()
    counted = dict(people.values_list("connection").annotate(Count("pk")))
    return {key: counted.get(key, 0) for key in connections}


PEOPLE_COLUMN = HomeColumn(gettext_lazy("People"), 20, _column, needs=(Users.list,))
PEOPLE = HomeTile(gettext_lazy("People"), 20, _people, needs=(Users.list,), of_part=True)
LICENCES_IN_USE = HomeTile(
    gettext_lazy("Licences in use"), 30, _licences, needs=(Users.list,), of_part=True
)
