from django.apps import AppConfig


class ApprovalsConfig(AppConfig):
    name = "portal.approvals"
    label = "approvals"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from portal.access import scope  # noqa: PLC0415
        from portal.approvals import home as approvals_home, subjects  # noqa: PLC0415
        from portal.approvals.home import NAVIGATION, RULES  # noqa: PLC0415
        from portal.approvals.services import calls, rules  # noqa: PLC0415
        from portal.approvals.services.submitting import REQUESTS  # noqa: PLC0415
        from portal.ui import home, navigation  # noqa: PLC0415
        from portal.work import queue  # noqa: PLC0415

        queue.register(REQUESTS)
        subjects.register(calls.CallSubject(), rules.RuleSubject())
        home.register(*approvals_home.APPROVALS)
        navigation.register(NAVIGATION, RULES)
        # A limited user sees their own requests there, and nothing else.
        scope.register_pages(["approvals"])
