from portal.domain.apps import DomainConfig


class RecordingsConfig(DomainConfig):
    default = True
    name = "portal.recordings"
    label = "recordings"
