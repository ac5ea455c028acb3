"""Effects on the lists of calls that were made outside the pages of meetings and webinars."""

from collections.abc import Sequence

from portal.access.api import Made
from portal.access.models import Connection
from portal.contract.meetings import Meetings
from portal.contract.webinars import Webinars
from portal.sessions import mirror
from portal.sessions.models import MirroredSession, SessionKind
from portal.sessions.rereading import request_reread
from portal.sessions.services import hosts


def update_lists(connection: Connection, calls: Sequence[Made], **_: object) -> None:
    """Has those that were created or changed read again; what was deleted is forgotten, and so are
    the planned times of their hosts."""
    for call, answer in calls:
        family = call.operation.family
        if family not in (Meetings.name, Webinars.name):
            continue
        is_new = call.operation in (Meetings.create, Webinars.create)
        number = str(answer.id if is_new else call.ids[0])
        hosts.clear(connection, answer.host_id if is_new else _host_of(connection, family, number))
        one_occurrence = getattr(call.query, "occurrence_id", None)
        if call.operation in (Meetings.delete, Webinars.delete) and not one_occurrence:
            mirror.drop(connection, family, number)
        else:
            request_reread(connection, SessionKind(family), number)


def _host_of(connection: Connection, family: str, number: str) -> str:
    known = MirroredSession.objects.filter(connection=connection, kind=family, session_id=number)
    return known.values_list("host_id", flat=True).first() or ""
