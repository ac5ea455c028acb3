"""Sample of a rule for alerts, which what is live breaks."""

from portal.access.models import Connection, User
from portal.access.origin import Origin
from portal.dashboards.models import AlertKind, AlertRule
from portal.dashboards.services import alert_rules
from portal.dashboards.services.live.reader import read_if_due
from portal.domain.samples import SampleContent

_PARTICIPANTS = 12


def _make(colleague: User, connection: Connection) -> None:
    alert_rules.set_rule(
        Origin(colleague, email=colleague.email),
        connection,
        kind=AlertKind.PARTICIPANTS,
        threshold=_PARTICIPANTS,
        minutes=0,
        mails=False,
        recipients=[colleague],
    )
    read_if_due(connection.pk)


def _remove(colleague: User, by: Origin, connection: Connection) -> None:
    for rule in AlertRule.objects.filter(connection=connection, recipients=colleague):
        alert_rules.remove_rule(by, rule)


SAMPLES = (SampleContent(60, "alert", _make, _remove),)
