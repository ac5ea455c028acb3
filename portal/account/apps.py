from portal.domain.apps import DomainConfig


class AccountConfig(DomainConfig):
    default = True
    name = "portal.account"
    # `account` is allauth's.
    label = "conferencing_account"
