"""The archive of instant messages (spec 2.11 and 4.9)."""

from pydantic import Field

from portal.contract.methods import GET
from portal.contract.model import Model
from portal.contract.operation import Family, by_token
from portal.contract.paging import ChatPage, ReportedDays, TokenDaysQuery
from portal.contract.times import Timestamp


class ChatSession(Model):
    """A conversation of two people, or of a group."""

    session_id: str = Field(title="Session ID")
    name: str = Field("", title="Name")
    type: str = Field("", title="Type")
    last_message_sent_time: Timestamp | None = Field(None, title="Last message")


class ChatSessionPage(ChatPage, ReportedDays):
    sessions: list[ChatSession] = Field(title="Sessions")


class ChatMessage(Model):
    """A message, with what was done to it later."""

    sender: str = Field("", title="Sender")
    message: str = Field("", title="Message")
    date_time: Timestamp | None = Field(None, title="Sent")
    action: str = Field("", title="Action")
    action_time: Timestamp | None = Field(None, title="Time of the action")


class ChatMessagePage(ChatPage, ReportedDays):
    session_id: str = Field("", title="Session ID")
    messages: list[ChatMessage] = Field(title="Messages")


class Chat(Family, name="chat", title="Chat archive"):
    """Conversations and their messages."""

    sessions = GET(
        "/im/chat/sessions",
        "List chat sessions",
        query=TokenDaysQuery,
        returns=ChatSessionPage,
        pages=by_token("sessions", ChatSession, "session_id"),
    )
    messages = GET(
        "/im/chat/sessions/{sessionId}",
        "List the messages of a chat session",
        query=TokenDaysQuery,
        returns=ChatMessagePage,
        pages=by_token(
            "messages", ChatMessage, "sender", "date_time", "message", "action", "action_time"
        ),
        errors=(),
    )
