from django.apps import AppConfig


class SandboxConfig(AppConfig):
    name = "portal.sandbox"
    label = "sandbox"

    def ready(self) -> None:
        """Connects the receivers by which history follows saved sessions, in every process."""
        from portal.sandbox.history import course  # noqa: F401, PLC0415 - models need to be loaded
