from django.apps import AppConfig


class ConnectionsConfig(AppConfig):
    name = "portal.connections"

    def ready(self) -> None:
        from portal.config import metrics  # noqa: PLC0415 - models are not loaded before
        from portal.connections.metrics import GAUGES  # noqa: PLC0415

        metrics.register(*GAUGES)
