"""The mirror of people: rows in, rows out."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Count, F, Q, QuerySet, TextChoices
from django.db.models.expressions import OrderBy
from django.dispatch import Signal

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.config import clock
from portal.contract.users import CreateAction, NewUser, User, UserQuery, UserStatus
from portal.directory.models import (
    GroupKind,
    Membership,
    MirroredUser,
    UnplacedPerson,
    sync_memberships,
)
from portal.directory.scope_rules import in_no_part, visible_people
from portal.jobs.models import JobItem
from portal.mirror import rows
from portal.mirror.mirrored_list import ListChangedError, ListReading, MirroredList
from portal.mirror.models import MirrorState
from portal.mirror.models.row import service_fields
from portal.mirror.searching import contains_words
from portal.mirror.values import DOUBLED, DOUBLED_ONE, integer, moment, text
from portal.translation import folded, gettext_lazy

# What can be sorted by, with how ties are sorted; the model has an index for each.
_SORTS = {
    "name": ("sort_name", "pk"),
    "email": ("email", "pk"),
    "type": ("type", "sort_name", "pk"),
    "dept": ("dept", "sort_name", "pk"),
    "status": ("status", "sort_name", "pk"),
    "last_login_time": ("last_login_time", "pk"),
    "created_at": ("created_at", "pk"),
}
_CAN_BE_UNSET = {"type", "last_login_time", "created_at"}
# Characters; an index of PostgreSQL takes 2,700 bytes a row.
_SORTED_BY, _SEARCHED = 100, 400
SORTS = frozenset(_SORTS)
_BATCH = 500
# The fields that a row and what the service reports about a person have in common.
_OF_USER = tuple(field for field in service_fields(MirroredUser) if field in User.model_fields)
# Sent with the `connection` and the `user_ids` of people just removed through the portal.
users_removed = Signal()
CREATED = "create"  # the action of a job item that creates a person


class LastSignIn(TextChoices):
    """Time since the last sign-in: none at all, or more than so many days."""

    NEVER = "never", gettext_lazy("Never")
    OVER_30_DAYS = "30", gettext_lazy("Over 30 days ago")
    OVER_90_DAYS = "90", gettext_lazy("Over 90 days ago")
    OVER_180_DAYS = "180", gettext_lazy("Over 180 days ago")


@dataclass(frozen=True)
class UserFilter:
    """Filters of a query for people; empty values do not filter.

    `groups` and `im_groups` are ids of groups; members of any of them match. `ids` is a selection
    of people: no other person matches, and none at all if it is empty but not `None`. `created_by`
    is the key of a job: only people created by it match. `last_sign_in` is a value of
    `LastSignIn`. `is_unplaced` leaves people without a department and a group.
    """

    search: str = ""
    statuses: Sequence[str] = ()
    types: Sequence[int] = ()
    depts: Sequence[str] = ()
    groups: Sequence[str] = ()
    im_groups: Sequence[str] = ()
    timezones: Sequence[str] = ()
    ids: Collection[str] | None = None
    created_by: str = ""
    last_sign_in: str = ""
    is_unplaced: bool = False

    @property
    def is_of_everybody(self) -> bool:
        """Returns whether the filter matches every person; an empty selection does not."""
        return self.ids is None and not any(vars(self).values())


def state_of(connection: Connection) -> MirrorState:
    return rows.state_of(connection, USERS.name)


def find(scope: Scope, wanted: UserFilter, sort: str = "name") -> QuerySet[MirroredUser]:
    """Returns people of a connection. `sort` is a key of `SORTS`, with `-` before it for the
    reverse."""
    people = visible_people(scope)
    if wanted.ids is not None:
        people = people.filter(user_id__in=wanted.ids)
    if wanted.created_by:
        people = people.filter(user_id__in=created_by(scope.connection, wanted.created_by))
    for field, values in (
        ("status", wanted.statuses),
        ("type", wanted.types),
        ("dept", wanted.depts),
        ("timezone", wanted.timezones),
    ):
        if values:
            people = people.filter(**{f"{field}__in": values})
    if wanted.is_unplaced:
        people = people.filter(in_no_part())
    if wanted.last_sign_in:
        people = people.filter(_signed_in(wanted.last_sign_in))
    for kind, groups in ((GroupKind.GROUP, wanted.groups), (GroupKind.IM_GROUP, wanted.im_groups)):
        if groups:
            members = Membership.objects.filter(connection=scope.connection, kind=kind)
            people = people.filter(pk__in=members.filter(group_id__in=groups).values("user"))
    if condition := contains_words("search", wanted.search):
        matching = visible_people(scope).filter(condition)
        # The index by name holds what is searched; by any other, each row would have to be read.
        by_name = sort.removeprefix("-") == "name"
        people = people & matching if by_name else people.filter(pk__in=matching.values("pk"))
    return people.order_by(*_order(sort))


def _signed_in(last: str) -> Q:
    """Returns a condition on it. People who never signed in are in no group by days."""
    if last == LastSignIn.NEVER:
        return Q(last_login_time=None)
    return Q(last_login_time__lt=clock.now() - timedelta(days=int(last)))


def created_by(connection: Connection, job_key: str) -> QuerySet[JobItem, str]:
    """Returns the ids of people created by a job, also if its item failed afterwards."""
    items = JobItem.objects.filter(job__connection=connection, job__key=job_key, action=CREATED)
    return items.exclude(object_id="").order_by().values_list("object_id", flat=True)


def _order(sort: str) -> Iterator[OrderBy]:
    """Downwards is upwards read backwards, ties included, so that one index does for both."""
    for name in _SORTS[sort.removeprefix("-")]:
        unset = name in _CAN_BE_UNSET or None
        if sort[0] == "-":
            yield F(name).desc(nulls_last=unset)
        else:
            yield F(name).asc(nulls_first=unset)


def counts_by_status(scope: Scope) -> dict[str, int]:
    counted = visible_people(scope).values_list("status").annotate(count=Count("id")).order_by()
    return rows.cached_result(scope, USERS.name, "statuses", lambda: dict(counted))


def departments(scope: Scope) -> list[str]:
    return _values_of(scope, "dept")


def timezones(scope: Scope) -> list[str]:
    return _values_of(scope, "timezone")


def licences(scope: Scope) -> list[int]:
    """Returns the licences that are reported of people, those that cannot be given too."""
    values = visible_people(scope).order_by().values_list("type", flat=True).distinct()
    reported = rows.cached_result(scope, USERS.name, "types", lambda: list(values))
    return [licence for licence in reported if licence is not None]


def put(connection: Connection, user: User, status: UserStatus | None = None) -> None:
    """Stores one person as the service reported them just now.

    A single read does not contain the status; without one the person's row keeps its own, also a
    row that is stored by the email address because the lists had no id.
    """
    current_status = status or _status(connection, user.id)
    if not current_status and user.email and (current_status := _status(connection, user.email)):
        drop(connection, user.email)
    current_status = current_status or UserStatus.ACTIVE
    rows.put(state_of(connection), _row(connection, user, current_status), sync_memberships)


def put_written(connection: Connection, user: User, status: UserStatus | None = None) -> None:
    """Stores a person after a write; a new one without a status is active."""
    current_status = status or _status(connection, user.id) or UserStatus.ACTIVE
    rows.put_written(
        state_of(connection), [_row(connection, user, current_status)], sync_memberships
    )


def status_after(action: CreateAction) -> UserStatus:
    """Returns the status after a creation: pending for the invited, who have to confirm first."""
    return UserStatus.PENDING if action is CreateAction.CREATE else UserStatus.ACTIVE


def as_created(wanted: NewUser) -> dict[str, Any]:
    """Returns what lists report of a person right after their creation, for `record_written`."""
    listed = wanted.user_info.model_dump(include=_OF_NEW)
    return listed | {"status": status_after(wanted.action)}


def record_written(connection: Connection, data: Mapping[str, Mapping[str, Any]]) -> None:
    """Stores the results of writes made just now: by id, fields of `User`, and `status`.

    A person without a mirrored row is added if the email is among the fields.
    """
    ids = list(data)
    for start in range(0, len(ids), _BATCH):
        batch = ids[start : start + _BATCH]
        stored = {row.user_id: row for row in _stored(connection).filter(user_id__in=batch)}
        made = []
        for user_id in batch:
            row, written = stored.get(user_id), data[user_id]
            if row is None and not written.get("email"):
                continue
            stored_fields = {name: getattr(row, name) for name in _OF_USER} if row else {}
            user = _BLANK.model_copy(update={**stored_fields, **written, "id": user_id})
            status = written.get("status") or (row.status if row else UserStatus.ACTIVE)
            made.append(_row(connection, user, status))
        rows.put_written(state_of(connection), made, sync_memberships)


def drop(connection: Connection, user_id: str) -> None:
    """Deletes one person, also for a refresh that has them on a page already."""
    rows.drop(state_of(connection), MirroredUser, (user_id,))


def remove(connection: Connection, user_ids: Collection[str]) -> None:
    """Deletes people who have just been removed, and sends `users_removed`."""
    state = state_of(connection)
    for user_id in user_ids:
        rows.drop(state, MirroredUser, (user_id,))
    UnplacedPerson.objects.filter(connection=connection, user_id__in=user_ids).delete()
    users_removed.send(MirroredUser, connection=connection, user_ids=user_ids)


def status_of(scope: Scope, user_id: str) -> str:
    """Returns the status that the last list reported for a person; empty if it lacks them."""
    return _field_of(scope, user_id, "status")


def email_of(scope: Scope, user_id: str) -> str:
    """Returns the email address of a person; empty if the list does not contain them."""
    return _field_of(scope, user_id, "email")


def people_by_id(connection: Connection, ids: Iterable[str]) -> dict[str, MirroredUser]:
    """Returns the mirrored people with these ids, by id, with what rows about them contain."""
    people = MirroredUser.objects.filter(connection=connection, user_id__in=list(ids))
    named = people.only("user_id", "name", "email", "dept")
    return {person.user_id: person for person in named}


def person_called(scope: Scope, user_id: str) -> str:
    """Returns the name of a person; empty if the list does not contain them."""
    return _field_of(scope, user_id, "name")


def _field_of(scope: Scope, user_id: str, field: str) -> str:
    people = visible_people(scope).filter(user_id=user_id)
    return people.values_list(field, flat=True).first() or ""


def _stored(connection: Connection) -> QuerySet[MirroredUser]:
    """Returns the rows of all people for a write, which no scope limits."""
    return MirroredUser.objects.filter(connection=connection)


def _status(connection: Connection, user_id: str) -> str:
    stored = _stored(connection).filter(user_id=user_id)
    return stored.values_list("status", flat=True).first() or ""


def _values_of(scope: Scope, column: str) -> list[str]:
    values = visible_people(scope).exclude(**{column: ""}).values_list(column, flat=True)
    distinct = values.distinct().order_by(column)
    return rows.cached_result(scope, USERS.name, column, lambda: list(distinct))


def _read(reading: ListReading) -> None:
    """One pass over the three lists; who was not seen in it is gone."""
    seen: set[rows.Key] = set()
    doubled: set[rows.Key] = set()
    for status in UserStatus:
        of_status: set[rows.Key] = set()
        for page in reading.pages(reading.api.users.list, UserQuery(status=status)):
            listed = [_row(reading.connection, user, status) for user in page]
            # A person in two lists has the status of the first.
            reading.store([person for person in listed if person.key not in seen], sync_memberships)
            of_status.update(person.key for person in listed)
        twice = seen & of_status
        if not twice <= reading.doubled:
            reading.doubled |= twice
            raise ListChangedError  # a person probably changed status between two lists
        doubled |= twice
        seen |= of_status
    reading.forget_unseen(MirroredUser, seen)
    if doubled:
        words = DOUBLED if len(doubled) > 1 else DOUBLED_ONE
        reading.notes.append(words % {"count": f"{len(doubled):,}"})
    Connection.objects.filter(pk=reading.connection.pk).update(people=len(seen))


# What a creation sends of a person that lists return too.
_OF_NEW = {"email", "first_name", "last_name", "type"}

# To copy it takes a tenth of the time that `model_construct` takes.
_BLANK = User.model_construct(id="")


USERS = MirroredList("users", "people", _read)


def _row(connection: Connection, user: User, status: str) -> MirroredUser:
    first, last = text(user.first_name), text(user.last_name)
    name = f"{first} {last}".strip()
    email, dept, pmi = text(user.email), text(user.dept), text(user.pmi)
    row = MirroredUser(
        connection=connection,
        user_id=text(user.id),
        email=email,
        first_name=first,
        last_name=last,
        name=name,
        type=integer(user.type),
        dept=dept,
        status=str(status),
        timezone=text(user.timezone),
        pmi=pmi,
        created_at=moment(user.created_at),
        last_login_time=moment(user.last_login_time),
        group_ids=sorted({text(key) for key in user.group_ids or ()}),
        im_group_ids=sorted({text(key) for key in user.im_group_ids or ()}),
        sort_name=(name or email).casefold()[:_SORTED_BY],
        search=folded(" ".join((name, email, dept, pmi)))[:_SEARCHED],
    )
    row.stamp()
    return row
