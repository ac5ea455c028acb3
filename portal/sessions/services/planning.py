"""Creating and changing sessions, and finding out whether a creation without an answer happened."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from portal.access.models import Connection, User
from portal.access.scope import Scope
from portal.client import Api, NotFound
from portal.config import cache
from portal.contract.model import JsonDict, Model
from portal.contract.recurrence import Recurrence
from portal.contract.sessions import SessionSummary
from portal.contract.tracking_fields import TrackingFieldDetails
from portal.directory.colleagues import colleague
from portal.jobs.job_types import ItemVerdict, Resolution
from portal.sessions import mirror
from portal.sessions.models import SessionTemplate
from portal.sessions.services import hosts
from portal.sessions.services.session import Details, SessionRecord, reread_session
from portal.sessions.specs import SessionSpec
from portal.translation import gettext as _
from portal.ui.times import aware

_CACHED_FOR = 60  # seconds
# Those that serve the portal: another may have sent than the one that looks.
_MACHINES_DIFFER_BY = timedelta(minutes=5)
# A service's machines may differ, and it may report whole seconds only.
_CLOCKS_DIFFER_BY = timedelta(seconds=5)
# By the service's clock, asked once the service has answered; `None` if that is unknown.
SentAt = Callable[[], datetime | None]
_NEVER = datetime.max.replace(tzinfo=UTC)
_NOT_IN_TEMPLATES = {"password", "start_time", "schedule_for"}


def create(api: Api, scope: Scope, spec: SessionSpec, host_id: str, wanted: Model) -> SessionRecord:
    """Creates what was asked for. Raises `ApiError`."""
    details: Details = spec.calls(api).create(host_id, wanted)
    hosts.clear(scope.connection, host_id)
    hosts.clear(scope.connection, details.host_id)
    mirror.put_written(scope.connection, spec.family, [details])
    return SessionRecord(spec, details, colleague(scope, details.host_id))


def change(api: Api, connection: Connection, session: SessionRecord, changes: Model) -> None:
    """Sends the changed fields alone. Raises `ApiError`."""
    session.spec.calls(api).update(session.id, changes)
    hosts.clear(connection, session.host.id)
    reread_session(api, connection, session.spec, session.id)


def find_created(
    api: Api, spec: SessionSpec, host_id: str, wanted: Any, sent_at: SentAt
) -> str | None:
    """The number of a session like the one wanted that was created since; `None` if none was.

    Sessions have no name of their own, so two that are alike cannot be distinguished: if the
    service's clock is unknown, any that is alike counts. Raises `ApiError`.
    """
    listed = sessions_of(api, spec, getattr(wanted, "schedule_for", None) or host_id)
    alike = [one for one in listed if wanted.topic in {None, one.topic} and one.type == wanted.type]
    since = sent_at()
    for one in alike:
        is_older = since and one.created_at and aware(one.created_at) < since - _MACHINES_DIFFER_BY
        if not is_older:
            return str(one.id)
    return None


def tracking_fields(api: Api, connection: Connection) -> list[TrackingFieldDetails]:
    """Returns the fields that the account asks for in the plan of a session. Raises `ApiError`."""

    def read() -> list[JsonDict]:
        answer = api.tracking_fields.list().tracking_fields
        return [one.model_dump(mode="json", warnings=False) for one in answer]

    fields = cache.cached(f"tracking:{connection.key}", _CACHED_FOR, read)
    return [TrackingFieldDetails.model_construct(**one) for one in fields]


@dataclass(frozen=True)
class Sought:
    """A session that was to be created. `moments` are its first times, empty without a fixed one;
    `before` the numbers of those of this topic at planning; `twins` is the number of rows that ask
    for the very same."""

    host_id: str
    topic: str
    type: int
    moments: frozenset[datetime]
    before: frozenset[str]
    twins: int = 1


def resolve(api: Api, spec: SessionSpec, sought: Sought, sent_at: SentAt) -> Resolution:
    """Returns what became of it; `sent_at` says when it was first sent. Raises `ApiError`."""
    matches = {
        str(one.id): aware(one.created_at) if one.created_at else None
        for one in sessions_of(api, spec, sought.host_id)
        if one.topic == sought.topic and one.type == sought.type
    }
    matches = {
        number: created
        for number, created in matches.items()
        if number not in sought.before and _begins_as(api, spec, number, sought.moments)
    }
    since = sent_at()
    surely = [
        number
        for number, created in matches.items()
        if since and created and created >= since - _CLOCKS_DIFFER_BY
    ]
    if not matches:
        return Resolution(ItemVerdict.NOT_SEEN)
    if sought.twins > 1:
        return _of_twins(len(matches), sought.twins)
    if len(surely) == 1:
        return Resolution(ItemVerdict.DONE, surely[0], _("Found on the service."))
    listed = ", ".join(matches)
    words = _(
        "Similar new ones on the service: %(listed)s. It is unknown whether this row created one."
    ) % {"listed": listed}
    return Resolution(ItemVerdict.UNCERTAIN, message=words)


def _of_twins(count: int, twins: int) -> Resolution:
    if count == twins:
        words = _("Found on the service, among %(twins)s identical rows of the table.") % {
            "twins": twins
        }
        return Resolution(ItemVerdict.DONE, message=words)
    words = _(
        "%(twins)s rows are identical, and %(found)s of them exist on the service. Check them "
        "there."
    ) % {"twins": twins, "found": count}
    return Resolution(ItemVerdict.UNCERTAIN, message=words)


def _begins_as(api: Api, spec: SessionSpec, number: str, moments: frozenset[datetime]) -> bool:
    """Returns whether the session begins as planned; read alone, as not all lists contain times."""
    if not moments:
        return True
    try:
        details: Details = spec.calls(api).get(number)
    except NotFound:
        return False
    starts = [details.start_time, *details.starts]
    return any(aware(start) in moments for start in starts if start)


def sessions_of(api: Api, spec: SessionSpec, host_id: str) -> list[SessionSummary]:
    """All that a host has planned, by their start; those without one are last. Raises `ApiError`.

    What a host holds live without having planned it is asked for beside that.
    """
    queries = filter(None, (spec.hosted.planned, spec.hosted.live))
    listed = [one for query in queries for one in spec.calls(api).of_user.all(host_id, query)]
    once = {(str(one.id), one.start_time): one for one in listed}
    return sorted(once.values(), key=lambda one: (one.start_time or _NEVER, one.topic))


def templates_of(
    user: User, connection: Connection, spec: SessionSpec
) -> QuerySet[SessionTemplate]:
    return SessionTemplate.objects.filter(owner=user, connection=connection, kind=spec.family)


def save_template(
    user: User,
    connection: Connection,
    spec: SessionSpec,
    *,
    name: str,
    plan: Mapping[str, object],
    recurrence: Recurrence | None,
    host_id: str,
    has_password: bool,
) -> None:
    """Stores a template, without dates and passwords, but with whether there was one; a template of
    this name is replaced."""
    values = {
        "plan": {name: value for name, value in plan.items() if name not in _NOT_IN_TEMPLATES},
        "recurrence": recurrence.sent() if recurrence else None,
        "host": host_id,
        "has_password": has_password,
    }
    SessionTemplate.objects.update_or_create(
        owner=user,
        connection=connection,
        kind=spec.family,
        name=name,
        defaults={"values": values},
    )
