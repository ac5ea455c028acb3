"""The base of every domain's `AppConfig`."""

from importlib import import_module

from django.apps import AppConfig


class DomainConfig(AppConfig):
    """Registers the `DOMAIN` that the app's module `domain` declares."""

    default = False  # an `apps.py` that imports it declares the domain's own class

    def ready(self) -> None:
        # Not before: the module imports models.
        import_module(f"{self.name}.domain").DOMAIN.register()
