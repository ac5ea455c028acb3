from portal.domain.apps import DomainConfig


class DirectoryConfig(DomainConfig):
    default = True
    name = "portal.directory"
    label = "directory"
