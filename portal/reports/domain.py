"""What the reports app registers with the portal."""

from portal.contract.reports import Reports
from portal.domain.declaration import Domain
from portal.reports.home import REPORTS
from portal.reports.jobs.reading import ReadReport
from portal.reports.schedule import RUNS, SCHEDULES
from portal.ui.navigation import DASHBOARDS, Entry

DOMAIN = Domain(
    navigation=(
        Entry(DASHBOARDS, 50, "Reports", "chart-column", "reports:index", needs=(Reports.daily,)),
    ),
    job_types=(ReadReport,),
    work_queues=(SCHEDULES, RUNS),
    periodic_tasks={"reports.prune": 3600.0},
    home=(REPORTS,),
)
