"""Registration of the dashboards app with the portal."""

from portal.contract.metrics import Metrics
from portal.dashboards.home import ALERTS, LIVE, running
from portal.dashboards.home_tile import LIVE_COLUMN, LIVE_NOW
from portal.dashboards.jobs.quality_reading import ReadQualityJob
from portal.dashboards.part_rules import RULES
from portal.dashboards.person_tabs import POOR_STREAMS, QUALITY
from portal.dashboards.sample import SAMPLES
from portal.dashboards.services.live.reader import LIVE as LIVE_SESSIONS
from portal.dashboards.webhook_events import unreported
from portal.domain.declaration import Domain
from portal.mirror.loading import LoadedList
from portal.translation import gettext_lazy
from portal.ui.navigation import FIRST, INSIGHTS, NavigationEntry

_OF_LIST = ("", "-more", "-refresh", "-export")
_OF_SESSION = ("", "-export", "-person", "-quality", "-sharing")

DOMAIN = Domain(
    navigation=(
        NavigationEntry(
            FIRST,
            10,
            gettext_lazy("Live"),
            "activity",
            "dashboards:now",
            needs=(Metrics.meetings,),
            live=running,
        ),
        NavigationEntry(
            INSIGHTS,
            20,
            gettext_lazy("Past sessions"),
            "history",
            "dashboards:past",
            needs=(Metrics.meetings,),
        ),
        NavigationEntry(
            INSIGHTS,
            30,
            gettext_lazy("Quality"),
            "gauge",
            "dashboards:quality",
            needs=(Metrics.meeting_qualities,),
        ),
        NavigationEntry(
            INSIGHTS,
            60,
            gettext_lazy("Conference rooms"),
            "monitor-speaker",
            "dashboards:rooms",
            needs=(Metrics.rooms,),
        ),
        NavigationEntry(
            INSIGHTS,
            70,
            gettext_lazy("Instant messages"),
            "messages-square",
            "dashboards:messages",
            needs=(Metrics.im,),
            about=gettext_lazy("Instant messages sent and received, by person."),
            within="reports:index",
        ),
        NavigationEntry(
            INSIGHTS,
            80,
            gettext_lazy("Call-routing ports"),
            "network",
            "dashboards:ports",
            needs=(Metrics.ports,),
            about=gettext_lazy(
                "The most ports that devices and rooms used at the same time, by hour."
            ),
            within="reports:index",
        ),
    ),
    mirrored_lists=(LIVE_SESSIONS,),
    loaded_lists=(
        LoadedList(
            LIVE_SESSIONS, 70, gettext_lazy("Live sessions"), "dashboards:now", (Metrics.meetings,)
        ),
    ),
    job_types=(ReadQualityJob,),
    person_tabs=(QUALITY,),
    person_figures=(POOR_STREAMS,),
    witnesses=(unreported,),
    periodic_tasks={
        "dashboards.sample": 60.0,
        "dashboards.prune": 3600.0,
    },
    home_tiles=(LIVE_NOW,),
    home_columns=(LIVE_COLUMN,),
    home=(
        ALERTS,
        LIVE,
    ),
    part_rules=RULES,
    part_pages=(
        "dashboards:now",
        *(f"dashboards:{one}{of}" for one in ("past", "messages") for of in _OF_LIST),
        *(f"dashboards:{one}{of}" for one in ("meeting", "webinar") for of in _OF_SESSION),
    ),
    samples=SAMPLES,
)
