"""What the first page says of licences: those that run out, by the totals that were stated."""

from collections.abc import Iterator
from urllib.parse import urlencode

from django.urls import reverse

from portal.access.models import Connection, User
from portal.contract.users import Users
from portal.directory import users as mirror
from portal.people.services import seats
from portal.ui.home import HomeItem, HomeLine, NothingKnown
from portal.ui.states import State

_FEW = 20  # one in so many is few


def _read(_user: User, connection: Connection) -> Iterator[HomeLine]:
    if not seats.stated(connection):
        raise NothingKnown
    as_of = mirror.state_of(connection).refreshed_at
    for one in seats.known(connection):
        if one.total is None or one.free is None or one.free * _FEW > one.total:
            continue
        state: State = "bad" if one.free < 0 else "warning"
        label = one.licence.label
        if one.free < 0:
            words = f"{-one.free:,} more {label} licences are used than there are"
        elif one.free == 0:
            words = f"No {label} licences are left"
        else:
            words = f"{one.free:,} {label} {'licence is' if one.free == 1 else 'licences are'} left"
        url = reverse("people:list", args=[connection.key])
        query = urlencode({"type": one.licence.value})
        why = f"{one.used:,} of {one.total:,} are used."
        yield HomeLine(state, words, f"{url}?{query}", why, as_of=as_of)


LICENCES = HomeItem("Licences", 60, _read, needs=(Users.list,))
