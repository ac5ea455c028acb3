from portal.domain.apps import DomainConfig


class ChatConfig(DomainConfig):
    default = True
    name = "portal.chat"
    label = "chat"
