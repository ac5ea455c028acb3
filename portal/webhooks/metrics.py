"""Figures about webhook subscriptions and deliveries."""

# untranslated: read by Prometheus

from collections.abc import Iterator

from django.db.models import Count

from portal.config.metrics import Counter, Gauge, Sample
from portal.webhooks.models import Subscription

DELIVERIES = Counter(
    "switchboard_webhook_deliveries_total",
    "Webhook deliveries: taken, taken before, or why they were refused",
    ("outcome",),
)


def _subscriptions() -> Iterator[Sample]:
    rows = Subscription.objects.order_by().values("trouble").annotate(n=Count("pk"))
    counts = dict(rows.values_list("trouble", "n"))
    for trouble in ("", *Subscription.Trouble.values):
        yield (trouble or "none",), counts.get(trouble, 0)


GAUGES = (
    Gauge(
        "switchboard_webhook_subscriptions",
        "Webhook subscriptions, by why they do not deliver",
        ("trouble",),
        _subscriptions,
    ),
)
