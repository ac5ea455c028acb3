from portal.domain.apps import DomainConfig


class ReportsConfig(DomainConfig):
    default = True
    name = "portal.reports"
    label = "reports"
