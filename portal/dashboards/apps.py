from portal.domain.apps import DomainConfig


class DashboardsConfig(DomainConfig):
    default = True
    name = "portal.dashboards"
    label = "dashboards"
