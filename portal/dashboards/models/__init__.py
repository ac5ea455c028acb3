"""Records of figures that the service reports only while they happen, or session by session."""

from portal.dashboards.models.alerts import OF_PEOPLE, Alert, AlertKind, AlertRule, alert_in_words
from portal.dashboards.models.live import KeptSample, LiveSample, LiveSnapshot, QualityThresholds
from portal.dashboards.models.streams import (
    MeasuredDay,
    MeasuredSession,
    MeasuredStay,
    MeasuredStream,
    Medium,
)

__all__ = [
    "OF_PEOPLE",
    "Alert",
    "AlertKind",
    "AlertRule",
    "KeptSample",
    "LiveSample",
    "LiveSnapshot",
    "MeasuredDay",
    "MeasuredSession",
    "MeasuredStay",
    "MeasuredStream",
    "Medium",
    "QualityThresholds",
    "alert_in_words",
]
