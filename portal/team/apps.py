from django.apps import AppConfig


class TeamConfig(AppConfig):
    name = "portal.team"
    label = "team"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from portal.team import answers, home  # noqa: PLC0415 - models are not loaded before
        from portal.team.models import IN_WORDS  # noqa: PLC0415
        from portal.team.waiting import CHANGES  # noqa: PLC0415
        from portal.translation import gettext_lazy, stored  # noqa: PLC0415
        from portal.ui import notices  # noqa: PLC0415
        from portal.work import queue  # noqa: PLC0415

        queue.register(CHANGES)
        stored.register((*IN_WORDS.values(), *answers.ANSWERS))
        notices.register(
            gettext_lazy("Your account"), "account-changes", home.lines_of, home.changes_of
        )
