from portal.domain.apps import DomainConfig


class MeetingsConfig(DomainConfig):
    default = True
    name = "portal.meetings"
