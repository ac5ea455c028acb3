from portal.domain.apps import DomainConfig


class WebinarsConfig(DomainConfig):
    default = True
    name = "portal.webinars"
