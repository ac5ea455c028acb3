"""Figures about connections."""

# untranslated: read by Prometheus

from collections.abc import Iterator

from django.db.models import F, Q

from portal.access.models import ServiceToken
from portal.config.metrics import Gauge, Sample


def _not_renewed() -> Iterator[Sample]:
    """Yields the number of connections that got no token the last time they asked for one."""
    since = Q(received_at=None) | Q(failed_at__gt=F("received_at"))
    yield (), ServiceToken.objects.filter(since, failed_at__isnull=False).count()


GAUGES = (
    Gauge(
        "switchboard_tokens_not_renewed",
        "Connections whose last request for a new token failed",
        (),
        _not_renewed,
    ),
)
