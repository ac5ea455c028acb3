"""Registration of the reports app with the portal."""

from portal.contract.reports import Reports
from portal.domain.declaration import Domain
from portal.mirror.loading import LoadedList
from portal.reports.home import CLOUD_STORAGE, MONTH, REPORTS
from portal.reports.hosting import HOSTING
from portal.reports.jobs.reading import ReadReportJob
from portal.reports.leaving import DeleteSavedReportStep, SavedReports
from portal.reports.part_rules import RULES
from portal.reports.sample import SAMPLES
from portal.reports.schedule import RUNS, SCHEDULES
from portal.reports.services.saved_reports import saved_reports
from portal.reports.services.usage import USAGE
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
    home=(REPORTS,),
    home_tiles=(CLOUD_STORAGE,),
    home_panels=(MONTH,),
    holdings=(SavedReports(),),
    steps=(DeleteSavedReportStep(),),
    part_rules=RULES,
    part_pages=(
        "reports:index",
        "reports:people",
        "reports:run-file",
        *(f"reports:saved{of}" for of in ("", "-new", "-edit", "-delete", "-send")),
        *(f"reports:{one}{of}" for one in _OF_HOSTS for of in ("", "-refresh", "-export")),
        *(f"reports:{one}{of}" for one in _OF_SESSIONS for of in ("", "-export")),
    ),
    hosting=(HOSTING,),
    samples=SAMPLES,
)
