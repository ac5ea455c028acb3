from portal.domain.apps import DomainConfig


class SessionsConfig(DomainConfig):
    default = True
    name = "portal.sessions"
    label = "planned_sessions"  # Django's own sessions have the short one
