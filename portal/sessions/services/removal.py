"""Deleting a session, or one of its occurrences."""

from portal.access.models import Connection
from portal.client import Api
from portal.contract.sessions import OccurrenceQuery
from portal.sessions import mirror
from portal.sessions.services import hosts
from portal.sessions.services.session import SessionRecord, settle


def delete(
    api: Api, connection: Connection, session: SessionRecord, one: OccurrenceQuery | None = None
) -> None:
    """Deletes the session, or the occurrence that `one` names. Raises `ApiError`."""
    parts = (session.id, one) if one else (session.id,)
    session.spec.calls(api).delete(*parts)
    hosts.clear(connection, session.host.id)
    if one:
        settle(api, connection, session.spec, session.id)
    else:
        mirror.drop(connection, session.spec.family, session.id)
