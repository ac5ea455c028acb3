from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "portal.people"
    label = "people"

    def ready(self) -> None:
        from portal.jobs import kinds  # noqa: PLC0415 - models are there only now
        from portal.people.jobs import KINDS  # noqa: PLC0415
        from portal.people.shortcuts import SHORTCUTS  # noqa: PLC0415
        from portal.ui import shortcuts  # noqa: PLC0415

        for kind in KINDS:
            kinds.register(kind())
        shortcuts.register(*SHORTCUTS)
