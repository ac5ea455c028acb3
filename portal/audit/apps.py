from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AuditConfig(AppConfig):
    name = "portal.audit"

    def ready(self) -> None:
        from portal.audit import chain  # noqa: PLC0415

        post_migrate.connect(chain.begin, sender=self)
