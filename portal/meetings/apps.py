from django.apps import AppConfig


class MeetingsConfig(AppConfig):
    name = "portal.meetings"
    label = "meetings"

    def ready(self) -> None:
        from portal.jobs import kinds  # noqa: PLC0415
        from portal.meetings.jobs import ImportMeetings  # noqa: PLC0415
        from portal.meetings.kind import MEETINGS  # noqa: PLC0415
        from portal.meetings.shortcuts import SHORTCUTS  # noqa: PLC0415 - models are there only now
        from portal.mirror import search  # noqa: PLC0415
        from portal.sessions.person_tabs import hosted_tab  # noqa: PLC0415
        from portal.sessions.searching import searching  # noqa: PLC0415
        from portal.ui import person_tabs, shortcuts  # noqa: PLC0415

        shortcuts.register(*SHORTCUTS)
        kinds.register(ImportMeetings())
        search.register(searching(MEETINGS))
        person_tabs.register(hosted_tab(MEETINGS, place=10))
