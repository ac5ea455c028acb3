"""Figures about calls to the service."""

from portal.client import CallEnd
from portal.config import telemetry
from portal.config.metrics import Counter, Histogram

CALLS = Counter(
    "switchboard_service_calls_total",
    "Calls to the conferencing service by how they ended",
    ("operation", "outcome"),
)
CALL_SECONDS = Histogram(
    "switchboard_service_call_seconds",
    "Time that a call to the service took, with its retries and with waiting for its turn",
    ("operation",),
)
RETRIES = Counter(
    "switchboard_service_retries_total", "Requests that were sent again", ("operation",)
)
THROTTLED = Counter(
    "switchboard_service_throttled_total",
    "Requests that the service refused for their number",
    ("operation",),
)


def call_ended(end: CallEnd) -> None:
    """Counts a call, and makes a span of it. An outcome is the name of an error of `portal.client`,
    such as `Throttled`."""
    outcome = type(end.error).__name__ if end.error else "ok"
    CALLS.add(end.operation, outcome)
    CALL_SECONDS.observe(end.seconds, end.operation)
    RETRIES.add(end.operation, amount=max(end.attempts - 1, 0))
    THROTTLED.add(end.operation, amount=end.refusals)
    telemetry.ended(
        f"call {end.operation}",
        end.seconds,
        operation=end.operation,
        outcome=outcome,
        attempts=end.attempts,
    )
