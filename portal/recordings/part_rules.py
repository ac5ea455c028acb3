"""Limits of the operations on recordings for limited shares: by their host."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Q

from portal.access.parts import Outside, PartRule
from portal.access.reach import Limit
from portal.access.scope import Scope
from portal.client import NotFound
from portal.contract.operation import Call, Caller
from portal.contract.recordings import Recordings
from portal.directory.part_rules import OUTSIDE, by_person, require_within
from portal.recordings.models import MirroredRecording


def _of_recording(scope: Scope, call: Call[Any], ask: Caller) -> None:
    """By the mirror; what it does not know is read once."""
    name = str(call.ids[0])
    known = MirroredRecording.objects.filter(
        Q(uuid=name) | Q(session_id=name), connection=scope.connection
    )
    host = known.values_list("host_id", flat=True).first()
    if host is None:
        try:
            host = ask(Recordings.get.call(name)).host_id
        except NotFound:
            raise Outside(call.operation, OUTSIDE) from None
    require_within(call, scope, host)


RULES: Mapping[str, PartRule] = {
    **{
        operation.name: PartRule(Limit.BY_SESSION, _of_recording)
        for operation in Recordings.operations()
    },
    Recordings.of_user.name: by_person(),
}
