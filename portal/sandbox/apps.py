from django.apps import AppConfig


class SandboxConfig(AppConfig):
    name = "portal.sandbox"
    label = "sandbox"

    def ready(self) -> None:
        """History follows what is saved of sessions, in whatever process."""
        from portal.sandbox.history import course  # noqa: F401, PLC0415 - models need to be loaded
