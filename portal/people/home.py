"""Lines of the first page about licences that run out, by the stated or reported totals."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from urllib.parse import urlencode

from django.urls import reverse

from portal.access.models import Connection, User
from portal.access.scope import Scope
from portal.contract.users import Users
from portal.directory.users import USERS
from portal.mirror.rows import states_of
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


LICENCES = HomeItem(gettext_lazy("Licences"), 60, _read, needs=(Users.list,))
