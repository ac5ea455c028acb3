"""Says which calls were made outside the pages of a room, so that the room puts its lists right."""

from collections.abc import Sequence
from typing import Any

from django.dispatch import Signal

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.client import Api
from portal.contract.operation import Call

# A call, and what the service answered.
Made = tuple[Call[Any], Any]
# Sent with the `scope` of whoever made them, its `connection`, the `api` and the `calls`, each of
# them a `Made`.
calls_made = Signal()


def announce(scope: Scope, api: Api, calls: Sequence[Made]) -> None:
    """Sends `calls_made`. The calls are done, so a list that cannot be put right is no reason for
    an error: that is logged, and the next refresh heals."""
    calls_made.send_robust(
        Connection, scope=scope, connection=scope.connection, api=api, calls=calls
    )
