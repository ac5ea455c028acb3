"""Sample of a retention rule that is simulated, and moves nothing."""

from portal.access.models import Connection, User
from portal.access.origin import Origin
from portal.domain.samples import DEPARTMENT, SampleContent
from portal.recordings.models import RetentionRule
from portal.recordings.services import retention

_DAYS = 30


def _make(colleague: User, connection: Connection) -> None:
    retention.set_rule(
        Origin(colleague, email=colleague.email),
        connection,
        older_than=_DAYS,
        dept=DEPARTMENT,
        whose=DEPARTMENT,
    )


def _remove(colleague: User, by: Origin, connection: Connection) -> None:
    for rule in RetentionRule.objects.filter(connection=connection, owner=colleague):
        retention.remove_rule(by, rule)


SAMPLES = (SampleContent(70, "retention", _make, _remove),)
