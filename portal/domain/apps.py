"""The base of every domain's `AppConfig`."""

from importlib import import_module

from django.apps import AppConfig


class DomainConfig(AppConfig):
    """Registers the `DOMAIN` that the app's module `domain` declares."""

    default = False  # where an `apps.py` imports it, the domain's own one is meant

    def ready(self) -> None:
        # Not before: what it names imports models.
        import_module(f"{self.name}.domain").DOMAIN.register()
