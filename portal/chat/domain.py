"""What the chat app registers with the portal."""

from portal.contract.chat import Chat
from portal.domain.declaration import Domain
from portal.ui.navigation import DASHBOARDS, Entry

DOMAIN = Domain(
    navigation=(
        Entry(DASHBOARDS, 75, "Chat archive", "message-square-lock", "chat:list", (Chat.sessions,)),
    ),
)
