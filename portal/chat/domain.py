"""Registration of the chat app with the portal."""

from portal.access.scope import refused
from portal.contract.chat import Chat
from portal.domain.declaration import Domain
from portal.translation import gettext_lazy
from portal.ui.navigation import OVERSIGHT, NavigationEntry

DOMAIN = Domain(
    navigation=(
        NavigationEntry(
            OVERSIGHT,
            30,
            gettext_lazy("Chat archive"),
            "message-square-lock",
            "chat:list",
            (Chat.sessions,),
        ),
    ),
    scope_rules=refused(Chat),
)
