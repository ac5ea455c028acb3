"""Messages: of one chat session, or of all of them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, ClassVar

from portal.chat.services import (
    AllMessagesReader,
    ArchivedMessage,
    SessionMessage,
    messages_of,
    messages_reader,
    sessions_reader,
)
from portal.chat.tables import MessageFilter, MessageTable, days_of
from portal.chat.views.conversations import ArchiveListView
from portal.contract.chat import Chat, ChatMessage, ChatSession
from portal.translation import gettext as _
from portal.translation import gettext_lazy, number
from portal.ui.listing import ListSpec
from portal.ui.range_reading import RangeReader
from portal.ui.views.ranged import SortKeys, has_words

_KEYS: dict[str, Callable[[Any], Any]] = {
    "sent": attrgetter("sent"),
    "sender": lambda message: message.name or message.sender,
    "session": attrgetter("session"),
}


class MessageListView(ArchiveListView):
    """Base of both lists of messages."""

    needs = Chat.messages
    filter_class = MessageFilter
    keys: ClassVar[SortKeys] = _KEYS

    def make_rows(
        self, records: Sequence[SessionMessage], filters: MessageFilter
    ) -> list[ArchivedMessage]:
        return messages_of(self.request.scope, records, filters.range)

    def matching(
        self, rows: list[ArchivedMessage], filters: MessageFilter
    ) -> list[ArchivedMessage]:
        chosen = filters.cleaned_data
        search, person = chosen.get("q") or "", chosen.get("person") or ""
        change = chosen.get("change") or ""
        return [
            one
            for one in rows
            if (not change or one.change.casefold() == change)
            and has_words(person, (one.name, one.sender))
            and has_words(search, (one.text,))
        ]

    def get_table(self, rows: Any, **options: Any) -> MessageTable:
        days = days_of(self.request.GET.dict())
        return MessageTable(rows, connection=self.request.connection, days=days, **options)

    def totals(self, rows: list[ArchivedMessage], filters: MessageFilter) -> list[tuple[str, str]]:
        return [
            (number(len(rows)), _("messages")),
            (number(len({one.sender for one in rows})), _("senders")),
            (number(sum(bool(one.change) for one in rows)), _("edited or deleted")),
        ]


class AllMessagesView(MessageListView):
    """Messages of all sessions of some days."""

    template_name = "chat/messages.html"
    spec = ListSpec(
        "chat-messages",
        gettext_lazy("message"),
        gettext_lazy("messages"),
        export_url_name="chat:messages-export",
    )
    what = "Messages of all chat sessions"  # untranslated: in the audit trail

    def reader(self, filters: MessageFilter) -> AllMessagesReader:
        return AllMessagesReader(self.request.api, self.request.scope, filters.range)

    def page_context(self, filters: MessageFilter, table: Any) -> dict[str, Any]:
        return {
            "incomplete": _(
                "Not all sessions of these days are loaded yet. Search, order and "
                "totals cover what is loaded. An export has all messages."
            ),
        }


class SessionMessagesView(MessageListView):
    """Messages of one session."""

    template_name = "chat/session.html"
    spec = ListSpec(
        "chat-session",
        gettext_lazy("message"),
        gettext_lazy("messages"),
        export_url_name="chat:session-export",
    )

    @property
    def _id(self) -> str:
        return str(self.kwargs["chat_id"])

    @property
    def what(self) -> str:  # type: ignore[override]
        return f"Messages of {self.session.name or self._id}"  # untranslated: in the audit trail

    def object_id(self) -> str:
        return self._id

    def prepare(self) -> None:
        """Finds what the session is called, which only the list of sessions says."""
        filters = self.get_filters(self.request.GET)
        listed = sessions_reader(self.request.api, self.request.scope, filters.range).read()
        found = (one for one in listed.records if one.session_id == self._id)
        self.session = next(found, ChatSession(session_id=self._id))

    def get_spec(self) -> ListSpec:
        return replace(self.spec, args=(self._id,))

    def url(self, part: str, *args: str) -> str:
        return super().url(part, self._id, *args)

    def url_name(self, part: str) -> str:
        return "chat:session" if part == "list" else f"chat:session-{part}"

    def reader(self, filters: MessageFilter) -> RangeReader[ChatMessage]:
        return messages_reader(self.request.api, self.request.scope, filters.range, self._id)

    def make_rows(self, records: Any, filters: MessageFilter) -> list[ArchivedMessage]:
        return super().make_rows([(self.session, one) for one in records], filters)

    def get_table(self, rows: Any, **options: Any) -> MessageTable:
        table = super().get_table(rows, **options)
        table.columns.hide("session")
        return table

    def context(self) -> dict[str, Any]:
        return {**super().context(), "session": self.session}
