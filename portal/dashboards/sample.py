"""Sample of a rule for alerts, which what is live breaks."""

from portal.access.models import Connection, User
from portal.dashboards.models import AlertKind, AlertRule
from portal.dashboards.services.live.reader import read_if_due
from portal.domain.samples import SampleContent

_PARTICIPANTS = 12


def _make(colleague: User, connection: Connection) -> None:
    rule = AlertRule.objects.create(
        connection=connection,
        kind=AlertKind.PARTICIPANTS,
        threshold=_PARTICIPANTS,
        mails=False,
    )
    rule.recipients.add(colleague)
    read_if_due(connection.pk)


def _remove(colleague: User, connection: Connection) -> None:
    AlertRule.objects.filter(connection=connection, recipients=colleague).delete()


SAMPLES = (SampleContent(60, "alert", _make, _remove),)
