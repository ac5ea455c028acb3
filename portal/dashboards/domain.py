"""What the dashboards app registers with the portal."""

from portal.contract.metrics import Metrics
from portal.dashboards.home import ALERTS, LIVE
from portal.dashboards.jobs.quality_reading import ReadQuality
from portal.dashboards.person_tabs import QUALITY
from portal.dashboards.webhook_events import unreported
from portal.domain.declaration import Domain
from portal.ui.navigation import DASHBOARDS, Entry

DOMAIN = Domain(
    navigation=(
        Entry(DASHBOARDS, 10, "Live", "activity", "dashboards:now", needs=(Metrics.meetings,)),
        Entry(
            DASHBOARDS, 20, "Past sessions", "history", "dashboards:past", needs=(Metrics.meetings,)
        ),
        Entry(
            DASHBOARDS,
            30,
            "Quality",
            "gauge",
            "dashboards:quality",
            needs=(Metrics.meeting_qualities,),
        ),
        Entry(
            DASHBOARDS,
            60,
            "Conference rooms",
            "monitor-speaker",
            "dashboards:rooms",
            needs=(Metrics.rooms,),
        ),
        Entry(
            DASHBOARDS,
            70,
            "Instant messages",
            "messages-square",
            "dashboards:messages",
            needs=(Metrics.im,),
        ),
        Entry(
            DASHBOARDS,
            80,
            "Call-routing ports",
            "network",
            "dashboards:ports",
            needs=(Metrics.ports,),
        ),
    ),
    job_types=(ReadQuality,),
    person_tabs=(QUALITY,),
    witnesses=(unreported,),
    periodic_tasks={
        "dashboards.sample": 60.0,
        "dashboards.prune": 3600.0,
    },
    home=(
        ALERTS,
        LIVE,
    ),
)
