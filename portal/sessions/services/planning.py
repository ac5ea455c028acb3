"""Creating and changing sessions, and finding out whether a creation without an answer happened."""

from datetime import timedelta
from typing import Any

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.client import Api
from portal.config import cache
from portal.contract.model import Model
from portal.contract.tracking_fields import TrackingFieldDetails
from portal.directory.colleagues import colleague
from portal.sessions import mirror
from portal.sessions.services import hosts
from portal.sessions.services.alike import SentAt
from portal.sessions.services.listing import sessions_of
from portal.sessions.services.session import Details, SessionRecord, settle
from portal.sessions.specs import SessionSpec
from portal.ui.times import aware

_KEPT_FOR = 60  # seconds
# Those that serve the portal: another may have sent than the one that looks.
_MACHINES_DIFFER_BY = timedelta(minutes=5)


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
    settle(api, connection, session.spec, session.id)


def look_for(api: Api, spec: SessionSpec, host_id: str, wanted: Any, sent_at: SentAt) -> str | None:
    """The number of a session like the one wanted that was created since; `None` if none was.

    Sessions have no name of their own, so two that are alike cannot be distinguished: where the
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
    key = f"tracking:{connection.key}"
    known: list[dict[str, Any]] | None = cache.get(key)
    if known is None:
        answer = api.tracking_fields.list().tracking_fields
        known = [one.model_dump(mode="json", warnings=False) for one in answer]
        cache.set(key, known, _KEPT_FOR)
    return [TrackingFieldDetails.model_construct(**one) for one in known]
