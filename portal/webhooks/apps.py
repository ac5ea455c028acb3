from portal.domain.apps import DomainConfig


class WebhooksConfig(DomainConfig):
    default = True
    name = "portal.webhooks"
    label = "webhooks"

    def ready(self) -> None:
        super().ready()
        from portal.config import metrics  # noqa: PLC0415 - models are not loaded before
        from portal.connections.services.connections import credentials_changed  # noqa: PLC0415
        from portal.webhooks.deauthorization import end_by_credentials  # noqa: PLC0415
        from portal.webhooks.metrics import GAUGES  # noqa: PLC0415

        metrics.register(*GAUGES)
        credentials_changed.connect(end_by_credentials)
