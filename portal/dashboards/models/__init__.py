"""What dashboards keep of what the service reports only while it happens."""

from portal.dashboards.models.alerts import Alert, AlertKind, AlertRule
from portal.dashboards.models.live import LiveSample, LiveSnapshot
from portal.dashboards.models.quality import KeptSample, QualityThresholds

__all__ = [
    "Alert",
    "AlertKind",
    "AlertRule",
    "KeptSample",
    "LiveSample",
    "LiveSnapshot",
    "QualityThresholds",
]
