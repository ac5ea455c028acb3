"""Sample of a report that is saved and was mailed once."""

from portal.access.models import Connection, User
from portal.access.origin import Origin
from portal.config import clock
from portal.domain.samples import MARK, SampleContent
from portal.reports import schedule
from portal.reports.models import FileKind, Frequency, SavedReport
from portal.reports.services import saved_reports


def _make(colleague: User, connection: Connection) -> None:
    now = clock.now()
    name = f"{MARK}: use of last month"  # untranslated: a name
    saved = SavedReport(
        connection=connection,
        owner=colleague,
        name=name,
        slug="daily",
        frequency=Frequency.MONTHLY,
        file=FileKind.CSV,
        next_at=now,
    )
    saved.next_at = schedule.next_time(saved, now)
    saved_reports.save(Origin(colleague, email=colleague.email), saved, [])
    schedule.begin_run(saved, now)


def _remove(colleague: User, by: Origin, connection: Connection) -> None:
    for saved in SavedReport.objects.filter(connection=connection, owner=colleague):
        saved_reports.delete(by, saved)


SAMPLES = (SampleContent(80, "report", _make, _remove),)
