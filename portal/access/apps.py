from django.apps import AppConfig


class AccessConfig(AppConfig):
    name = "portal.access"

    def ready(self) -> None:
        from portal.access import recording, sessions  # noqa: F401, PLC0415 - they listen
