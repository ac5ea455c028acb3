"""People of the account who host live sessions."""

from collections.abc import Sequence
from dataclasses import replace

from portal.access.scope import Scope
from portal.dashboards.services.live.picture import LiveSession
from portal.directory.emails import NOBODY, known_by_email


def located(scope: Scope, sessions: Sequence[LiveSession]) -> tuple[LiveSession, ...]:
    """The sessions with the departments and ids of their hosts, as far as the mirror knows them."""
    known = known_by_email(scope, (one.email for one in sessions))
    return tuple(
        replace(one, department=host.department, user_id=host.id)
        for one in sessions
        for host in [known.get(one.email, NOBODY)]
    )
