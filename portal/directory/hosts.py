"""People who may have sessions and recordings, for jobs that read an account host by host."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import sleep

from django.db.models import F

from portal.access.scope import Scope
from portal.contract.users import UserStatus
from portal.directory import users
from portal.directory.users import USERS, UserFilter
from portal.directory.visible import visible_people
from portal.jobs.planning import Planning, Unplannable
from portal.mirror import values
from portal.mirror.mirrored_list import ListChangedError
from portal.mirror.refresh import STALE_AFTER, read_now, request_refresh
from portal.translation import gettext as _

_STATUSES = (UserStatus.ACTIVE.value, UserStatus.INACTIVE.value)
_POLL_EVERY = 0.5  # seconds


def hosts(planning: Planning, wanted: Sequence[str] = ()) -> list[tuple[str, str]]:
    """The ids and emails of all active and inactive people, or of those `wanted` by their ids:
    active ones first, then who signed in lately.

    An old list of people, or one that was never read, is read before: whoever it lacks would be
    left out. Raises `ApiError`, `Unplannable`, `TokenUnreadable` and `LeaseLost`.
    """
    scope = planning.scope
    if not wanted or len(_stored(scope, wanted)) < len(set(wanted)):
        _read_people_if_old(planning)
    return _stored(scope, wanted)


def _stored(scope: Scope, wanted: Sequence[str]) -> list[tuple[str, str]]:
    people = users.find(scope, UserFilter(statuses=_STATUSES, ids=wanted or None))
    by_last_sign_in = F("last_login_time").desc(nulls_last=True)
    ordered = people.order_by("status", by_last_sign_in, "id")
    return list(ordered.values_list("user_id", "email"))


def _read_people_if_old(planning: Planning) -> None:
    """Reads them here, or waits for the worker that does."""
    connection = planning.job.connection

    def progress(read: int, expected: int) -> None:
        planning.progress(read, expected, _("Loading people"))

    while (state := users.state_of(connection)).is_older_than(STALE_AFTER):
        progress(state.read, state.expected)
        try:
            if state.is_running or not read_now(request_refresh(connection, USERS).pk, progress):
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
    """Those whom the mirror knows, by the emails as they were given."""
    wanted = sorted({email for email in emails if email})
    people = visible_people(scope)
    return {
        email: PeopleByEmail(user_id, name, department)
        for start in range(0, len(wanted), _BATCH)
        for email, user_id, name, department in people.filter(
            email__in=wanted[start : start + _BATCH]
        ).values_list("email", "user_id", "name", "dept")
    }
