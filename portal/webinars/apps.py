from django.apps import AppConfig


class WebinarsConfig(AppConfig):
    name = "portal.webinars"
    label = "webinars"

    def ready(self) -> None:
        from portal.jobs import kinds  # noqa: PLC0415
        from portal.mirror import search  # noqa: PLC0415
        from portal.sessions.person_tabs import hosted_tab  # noqa: PLC0415
        from portal.sessions.searching import searching  # noqa: PLC0415
        from portal.ui import person_tabs, shortcuts  # noqa: PLC0415
        from portal.webinars.jobs import ImportWebinars  # noqa: PLC0415
        from portal.webinars.kind import WEBINARS  # noqa: PLC0415
        from portal.webinars.shortcuts import SHORTCUTS  # noqa: PLC0415 - models are there only now

        shortcuts.register(*SHORTCUTS)
        kinds.register(ImportWebinars())
        search.register(searching(WEBINARS))
        person_tabs.register(hosted_tab(WEBINARS, place=20))
