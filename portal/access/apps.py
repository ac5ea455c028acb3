from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AccessConfig(AppConfig):
    name = "portal.access"

    def ready(self) -> None:
        from portal.access import recording, session_store  # noqa: F401, PLC0415 - they listen
        from portal.access.adapters import go_by_the_database  # noqa: PLC0415
        from portal.access.audit import chain  # noqa: PLC0415

        go_by_the_database()
        post_migrate.connect(chain.begin, sender=self)
