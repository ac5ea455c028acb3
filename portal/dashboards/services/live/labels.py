"""Words of the lists of what is live."""

from typing import Any

from portal.dashboards.services.live.picture import MEETINGS, WEBINARS
from portal.translation import gettext_lazy, ngettext, number

LABELS: dict[str, dict[str, Any]] = {
    MEETINGS: {
        "title": gettext_lazy("Meetings"),
        "all": gettext_lazy("Live meetings"),
        "none": gettext_lazy("No live meetings"),
        "count": lambda count: (
            ngettext("%(count)s live meeting", "%(count)s live meetings", count)
            % {"count": number(count)}
        ),
    },
    WEBINARS: {
        "title": gettext_lazy("Webinars"),
        "all": gettext_lazy("Live webinars"),
        "none": gettext_lazy("No live webinars"),
        "count": lambda count: (
            ngettext("%(count)s live webinar", "%(count)s live webinars", count)
            % {"count": number(count)}
        ),
    },
}
