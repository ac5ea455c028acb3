from typing import Any

from django.apps import AppConfig


class MirrorConfig(AppConfig):
    name = "portal.mirror"
    label = "mirror"

    def ready(self) -> None:
        from portal.config import metrics  # noqa: PLC0415
        from portal.connections.services.connections import connection_added  # noqa: PLC0415
        from portal.jobs import job_types  # noqa: PLC0415
        from portal.mirror.home import CONNECTION, LISTS, STEPS  # noqa: PLC0415 - models are not loaded before
        from portal.mirror.loading import FirstSyncJob  # noqa: PLC0415
        from portal.mirror.metrics import GAUGES  # noqa: PLC0415
        from portal.mirror.mirrored_list import REFRESHES  # noqa: PLC0415
        from portal.ui import home  # noqa: PLC0415
        from portal.work import queue  # noqa: PLC0415

        queue.register(REFRESHES)
        job_types.register(FirstSyncJob())
        home.register(*CONNECTION, LISTS, *STEPS)
        connection_added.connect(_load)
        metrics.register(*GAUGES)


def _load(connection: Any, **_given: object) -> None:
    """Has all lists of an account loaded that was just connected."""
    from portal.mirror.loading import begin  # noqa: PLC0415

    begin(connection)
