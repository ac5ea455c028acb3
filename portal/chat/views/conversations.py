"""The list of chat sessions."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from django.http import HttpResponse, HttpResponseBase

from portal.chat import services
from portal.chat.services import sessions_reader
from portal.chat.tables import ConversationFilter, ConversationTable, days_of
from portal.chat.views.reason import WithReasonView
from portal.contract.chat import Chat, ChatSession
from portal.mirror.values import moment
from portal.translation import gettext_lazy
from portal.ui.listing import ListSpec
from portal.ui.range_reading import RangeReader
from portal.ui.views.ranged import RangeListView, SortKeys, has_words


class ArchiveListView(WithReasonView, RangeListView):
    """A list of the archive: each look at it is in the audit trail."""

    what: ClassVar[str]

    def look(self) -> None:
        """Records the look, before anything is read."""
        filters = self.get_filters(self.request.GET)
        by = ", ".join(filter(None, (filters.range.in_words, self.narrowed_by(filters))))
        services.note(self.request, self.what, object_id=self.object_id(), by=by)

    def narrowed_by(self, filters: Any) -> str:
        return ", ".join(chip.words for chip in filters.chips)

    def object_id(self) -> str:
        return ""

    def answer_page(self, *args: Any, **kwargs: Any) -> HttpResponse:
        self.look()
        return super().answer_page(*args, **kwargs)

    def answer_export(self, *args: Any, file: str, **kwargs: Any) -> HttpResponseBase:
        self.look()
        return super().answer_export(*args, file=file, **kwargs)

    def context(self) -> dict[str, Any]:
        return {
            "reason": services.reason_of(self.request),
            "days": days_of(self.request.GET.dict()),
        }


_KEYS: dict[str, Callable[[Any], Any]] = {
    "name": lambda session: session.name,
    "type": lambda session: session.type,
    "last": lambda session: moment(session.last_message_sent_time),
}


class ConversationsView(ArchiveListView):
    """Chat sessions of some days."""

    needs = Chat.sessions
    template_name = "chat/sessions.html"
    filter_class = ConversationFilter
    spec = ListSpec(
        "chat-sessions",
        gettext_lazy("chat session"),
        gettext_lazy("chat sessions"),
        export_url_name="chat:list-export",
    )
    keys: ClassVar[SortKeys] = _KEYS
    what = "Chat sessions"  # untranslated: in the audit trail

    def reader(self, filters: ConversationFilter) -> RangeReader[ChatSession]:
        return sessions_reader(self.request.api, self.request.scope, filters.range)

    def make_rows(
        self, records: Sequence[ChatSession], filters: ConversationFilter
    ) -> list[ChatSession]:
        """The service's days are of GMT: what was written outside the viewer's is left out."""
        last = ((one, moment(one.last_message_sent_time)) for one in records)
        return [one for one, sent in last if not sent or filters.range.begin <= sent]

    def matching(self, rows: list[ChatSession], filters: ConversationFilter) -> list[ChatSession]:
        search = filters.cleaned_data.get("q") or ""
        type_ = filters.cleaned_data.get("type") or ""
        return [
            one
            for one in rows
            if (not type_ or one.type.casefold() == type_)
            and has_words(search, (one.name, one.session_id))
        ]

    def get_table(self, rows: Any, **options: Any) -> ConversationTable:
        days = days_of(self.request.GET.dict())
        return ConversationTable(rows, connection=self.request.connection, days=days, **options)
