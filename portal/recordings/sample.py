"""Sample of a retention rule that is simulated, and moves nothing."""

from portal.access.audit import Act, record
from portal.access.models import Connection, User
from portal.access.origin import Origin
from portal.domain.samples import DEPARTMENT, SampleContent
from portal.recordings.models import RetentionRule

_DAYS = 30


def _make(colleague: User, connection: Connection) -> None:
    rule = RetentionRule.objects.create(
        connection=connection,
        owner=colleague,
        set_by=colleague,
        older_than=_DAYS,
        dept=DEPARTMENT,
        whose=DEPARTMENT,
    )
    record(
        Origin(colleague, email=colleague.email),
        Act.RETENTION_SET,
        object_id=rule.pk,
        label=str(rule),
        connection=connection,
        sent={"older_than": _DAYS, "whose": DEPARTMENT, "active": False},
    )


def _remove(colleague: User, connection: Connection) -> None:
    RetentionRule.objects.filter(connection=connection, owner=colleague).delete()


SAMPLES = (SampleContent(70, "retention", _make, _remove),)
