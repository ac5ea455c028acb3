"""What reports add to the portal."""

from portal.domain.declaration import Domain
from portal.reports.jobs.reading import ReadReport

DOMAIN = Domain(
    job_types=(ReadReport,),
    periodic_tasks={"reports.prune": 3600.0},
)
