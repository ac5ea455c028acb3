"""Registration of the reports app with the portal."""

from collections.abc import Mapping

from portal.access.http import Origin
from portal.access.models import Connection, User
from portal.access.scope import REFUSED, ScopeRule
from portal.config import clock
from portal.contract.reports import Reports
from portal.directory.scope_rules import by_host, by_person, filtered, named
from portal.domain.declaration import Domain
from portal.domain.samples import MARK, SampleContent
from portal.mirror.loading import LoadedList
from portal.reports import schedule
from portal.reports.home import CLOUD_STORAGE, MONTH, REPORTS, STORAGE_COLUMN
from portal.reports.hosting import HOSTED, HOSTING, PARTICIPANTS, USAGE
from portal.reports.jobs import ReadReportJob
from portal.reports.models import FileKind, Frequency, SavedReport
from portal.reports.saved_reports import (
    DeleteSavedReportStep,
    SavedReports,
    delete,
    save,
    saved_reports,
)
from portal.reports.schedule import RUNS, SCHEDULES
from portal.translation import gettext_lazy
from portal.ui.navigation import INSIGHTS, NavigationEntry

_OF_HOSTS = ("hosts", "inactive", "telephone", "person")
_OF_SESSIONS = (
    "meeting",
    "meeting-participants",
    "meeting-polls",
    "webinar",
    "webinar-participants",
    "webinar-polls",
    "webinar-questions",
)


def _make_sample(colleague: User, connection: Connection) -> None:
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
    save(Origin(colleague, email=colleague.email), saved, [])
    schedule.begin_run(saved, now)


def _remove_sample(colleague: User, by: Origin, connection: Connection) -> None:
    for saved in SavedReport.objects.filter(connection=connection, owner=colleague):
        delete(by, saved)


SAMPLES = (SampleContent(80, "report", _make_sample, _remove_sample),)


RULES: Mapping[str, ScopeRule] = {
    # Sums over the whole account.
    Reports.cloud_recording.name: REFUSED,
    Reports.daily.name: REFUSED,
    Reports.users.name: filtered("users", named),
    Reports.user_meetings.name: by_person(),
    Reports.telephone.name: filtered("telephony_usage", lambda call: [call.host_email]),
    **by_host("user_email", Reports.meeting, Reports.meeting_participants, Reports.meeting_polls),
    **by_host(
        "user_email",
        Reports.webinar,
        Reports.webinar_participants,
        Reports.webinar_polls,
        Reports.webinar_questions,
    ),
}


DOMAIN = Domain(
    navigation=(
        NavigationEntry(
            INSIGHTS,
            50,
            gettext_lazy("Reports"),
            "chart-column",
            "reports:index",
            needs=(Reports.users,),
        ),
    ),
    mirrored_lists=(USAGE,),
    loaded_lists=(
        LoadedList(
            USAGE,
            60,
            gettext_lazy("Use of the last 30 days"),
            "reports:index",
            (Reports.users, Reports.daily),
        ),
    ),
    running_by_share=(saved_reports,),
    job_types=(ReadReportJob,),
    work_queues=(SCHEDULES, RUNS),
    periodic_tasks={"reports.prune": 3600.0},
    home=(REPORTS, CLOUD_STORAGE, MONTH, STORAGE_COLUMN),
    holdings=(SavedReports(),),
    steps=(DeleteSavedReportStep(),),
    scope_rules=RULES,
    limited_pages=(
        "reports:index",
        "reports:people",
        "reports:run-file",
        *(f"reports:saved{of}" for of in ("", "-new", "-edit", "-delete", "-send")),
        *(f"reports:{one}{of}" for one in _OF_HOSTS for of in ("", "-refresh", "-export")),
        *(f"reports:{one}{of}" for one in _OF_SESSIONS for of in ("", "-export")),
    ),
    hosting=(HOSTING,),
    aspects=(HOSTED, PARTICIPANTS),
    samples=SAMPLES,
)
