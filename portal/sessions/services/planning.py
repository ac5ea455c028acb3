"""Creating and changing sessions, and finding out whether a creation without an answer happened."""

from datetime import datetime, timedelta
from typing import Any

from portal.access.models import Connection
from portal.client import Api
from portal.config import cache
from portal.contract.model import Model
from portal.contract.tracking_fields import TrackingFieldDetails
from portal.directory.colleagues import colleague
from portal.sessions import mirror
from portal.sessions.services import hosts
from portal.sessions.services.listing import sessions_of
from portal.sessions.services.session import Details, Session, settle
from portal.sessions.specs import SessionSpec

_KEPT_FOR = 60  # seconds
_CLOCKS_APART = timedelta(minutes=5)


def create(
    api: Api, connection: Connection, spec: SessionSpec, host_id: str, wanted: Model
) -> Session:
    """Creates what was asked for. Raises `ApiError`."""
    details: Details = spec.calls(api).create(host_id, wanted)
    hosts.clear(connection, host_id)
    hosts.clear(connection, details.host_id)
    mirror.put_written(connection, spec.family, [details])
    return Session(spec, details, colleague(connection, details.host_id))


def change(api: Api, connection: Connection, session: Session, changes: Model) -> None:
    """Sends the changed fields alone. Raises `ApiError`."""
    session.spec.calls(api).update(session.id, changes)
    hosts.clear(connection, session.host.id)
    settle(api, connection, session.spec, session.id)


def look_for(api: Api, spec: SessionSpec, host_id: str, wanted: Any, since: datetime) -> str | None:
    """The number of a session like the one wanted that was created since; `None` if none was.

    Sessions have no name of their own, so two that are alike cannot be distinguished. Raises
    `ApiError`.
    """
    earliest = since - _CLOCKS_APART
    for one in sessions_of(api, spec, getattr(wanted, "schedule_for", None) or host_id):
        is_new = one.created_at is not None and one.created_at >= earliest
        if is_new and wanted.topic in {None, one.topic} and one.type == wanted.type:
            return str(one.id)
    return None


def tracking_fields(api: Api, connection: Connection) -> list[TrackingFieldDetails]:
    """What the account asks of those who plan a session. Raises `ApiError`."""
    key = f"tracking:{connection.key}"
    known: list[dict[str, Any]] | None = cache.get(key)
    if known is None:
        answer = api.tracking_fields.list().tracking_fields
        known = [one.model_dump(mode="json", warnings=False) for one in answer]
        cache.set(key, known, _KEPT_FOR)
    return [TrackingFieldDetails.model_construct(**one) for one in known]
