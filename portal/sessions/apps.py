from django.apps import AppConfig


class SessionsConfig(AppConfig):
    name = "portal.sessions"
    label = "planned_sessions"  # Django's own sessions have the short one

    def ready(self) -> None:
        from portal.jobs import kinds  # noqa: PLC0415 - models need the setup
        from portal.mirror.hooks import heard  # noqa: PLC0415
        from portal.sessions.hearing import hear  # noqa: PLC0415
        from portal.sessions.jobs.mending import MendSessions  # noqa: PLC0415
        from portal.sessions.jobs.reading import ReadSessions  # noqa: PLC0415
        from portal.sessions.jobs.registrant_decisions import DecideRegistrants  # noqa: PLC0415
        from portal.sessions.jobs.registrant_import import RegisterPeople  # noqa: PLC0415
        from portal.sessions.jobs.telling import TellHosts  # noqa: PLC0415
        from portal.sessions.person_tabs import RECORDINGS  # noqa: PLC0415
        from portal.ui import person_tabs  # noqa: PLC0415

        for kind in (ReadSessions, DecideRegistrants, RegisterPeople, MendSessions, TellHosts):
            kinds.register(kind())
        heard.connect(hear)
        person_tabs.register(RECORDINGS)
