from django.apps import AppConfig


class WorkConfig(AppConfig):
    name = "portal.work"
    label = "work"

    def ready(self) -> None:
        from portal.config import metrics  # noqa: PLC0415 - models are not loaded before
        from portal.work import queue  # noqa: PLC0415
        from portal.work.outbox import OUTBOX  # noqa: PLC0415
        from portal.work.queue import GAUGES  # noqa: PLC0415

        metrics.register(*GAUGES)
        queue.register(OUTBOX)
