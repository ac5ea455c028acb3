from portal.domain.apps import DomainConfig


class PeopleConfig(DomainConfig):
    default = True
    name = "portal.people"
    label = "people"
