from django.apps import AppConfig


class MirrorConfig(AppConfig):
    name = "portal.mirror"
    label = "mirror"

    def ready(self) -> None:
        from portal.config import metrics  # noqa: PLC0415
        from portal.mirror.home import CONNECTION  # noqa: PLC0415 - models are not loaded before
        from portal.mirror.metrics import GAUGES  # noqa: PLC0415
        from portal.mirror.refresh import REFRESHES  # noqa: PLC0415
        from portal.ui import home  # noqa: PLC0415
        from portal.work import queue  # noqa: PLC0415

        queue.register(REFRESHES)
        home.register(CONNECTION)
        metrics.register(*GAUGES)
