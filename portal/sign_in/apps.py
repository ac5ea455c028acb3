from django.apps import AppConfig


class SignInConfig(AppConfig):
    name = "portal.sign_in"

    def ready(self) -> None:
        from portal.sign_in import recording, session_store  # noqa: F401, PLC0415 - they listen
        from portal.sign_in.adapters import go_by_the_database  # noqa: PLC0415

        go_by_the_database()
