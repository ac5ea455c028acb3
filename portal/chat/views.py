"""Pages of the archive of instant messages, each behind a reason."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, ClassVar, Generic

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.text import format_lazy
from django.views.decorators.http import require_POST

from portal.access.http import PortalRequest, htmx_of
from portal.chat import services
from portal.chat.services import (
    AllMessagesReader,
    ArchivedMessage,
    SessionMessage,
    messages_of,
    messages_reader,
    sessions_reader,
)
from portal.chat.tables import (
    ConversationFilter,
    ConversationTable,
    MessageFilter,
    MessageTable,
)
from portal.contract.chat import Chat, ChatMessage, ChatSession
from portal.mirror.values import moment
from portal.translation import gettext as _, gettext_lazy, number
from portal.ui.listing import ListSpec
from portal.ui.pages import go
from portal.ui.range_reading import RangeReader
from portal.ui.views import ActionView, Labels
from portal.ui.views.connected import ConnectedView
from portal.ui.views.ranged import RangeFilterT, RangeListView, RecordT, RowT, SortKeys, has_words

_LEAST = 10  # characters


class ArchiveReasonForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        min_length=_LEAST,
        max_length=500,
        help_text=format_lazy(
            gettext_lazy(
                "Such as the case or the request that this is about, with its number. At least "
                "{least} characters."
            ),
            least=_LEAST,
        ),
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class GiveReasonView(ActionView[ArchiveReasonForm]):
    """The form that asks for the reason for reading the archive."""

    needs = Chat.sessions
    form_class = ArchiveReasonForm

    def labels(self) -> Labels:
        minutes = int(services.VALID_FOR.total_seconds() // 60)
        return Labels(
            _("Why do you need to read the chat archive?"),
            submit=_("Open chat archive"),
            lead=_("Messages between people of %(name)s are private.")
            % {"name": self.request.connection.name},
            consequences=[
                (
                    "scroll-text",
                    _(
                        "The audit trail records each page that you open and each search, with this"
                        " reason."
                    ),
                ),
                (
                    "clock",
                    _("You will be asked again after %(minutes)s minutes.") % {"minutes": minutes},
                ),
            ],
        )

    def perform(self, form: ArchiveReasonForm) -> str:
        services.give(self.request, form.cleaned_data["reason"])
        return ""

    def next_url(self) -> str:
        return _next(self.request) or reverse("chat:list", args=[self.request.connection.key])

    def cancel_url(self) -> str:
        return reverse("home")


@method_decorator(require_POST, name="dispatch")
class EndReadingView(ActionView):
    """Closes the archive: the next look asks for a reason again."""

    needs = Chat.sessions

    def labels(self) -> Labels:
        return Labels(_("Close the chat archive?"), submit=_("Close chat archive"))

    def perform(self, form: object) -> str:
        services.end(self.request)
        return _("The chat archive is closed.")

    def cancel_url(self) -> str:
        return reverse("home")


class WithReasonView(ConnectedView):
    """A view of the archive: opened with a reason only, and never cached by a browser or proxy."""

    def _dispatch(
        self, request: PortalRequest, *args: object, **kwargs: object
    ) -> HttpResponseBase:
        if not services.reason_of(request):
            return go(
                request, f"{reverse('chat:reason', args=[request.connection.key])}?{_here(request)}"
            )
        response = super()._dispatch(request, *args, **kwargs)
        response["Cache-Control"] = "no-store, private"  # untranslated: a header
        return response


def _here(request: HttpRequest) -> str:
    """Returns the page to come back to: the address of a list, not of its fragment or file."""
    is_page = request.method == "GET" and not htmx_of(request)
    return urlencode({"next": request.get_full_path()}) if is_page else ""


def _next(request: HttpRequest) -> str:
    wanted = request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(wanted, allowed_hosts=None)
    return wanted if is_ours and wanted.startswith("/") else ""


class ArchiveListView(
    WithReasonView, RangeListView[RangeFilterT, RecordT, RowT], Generic[RangeFilterT, RecordT, RowT]
):
    """A list of the archive; each view of it is recorded in the audit trail."""

    @property
    def what(self) -> str:
        """Returns the subject of the list, as the audit trail names it."""
        raise NotImplementedError

    def record_reading(self) -> None:
        """Records who reads what and why, before anything is read."""
        filters = self.get_filters(self.request.GET)
        chips = (chip.words for chip in filters.chips)
        by = ", ".join(filter(None, (filters.range.in_words, *chips)))
        object_id = str(self.kwargs.get("chat_id", ""))
        services.record_reading(self.request, self.what, object_id=object_id, by=by)

    def answer_page(self, *args: object, **kwargs: object) -> HttpResponse:
        self.record_reading()
        return super().answer_page(*args, **kwargs)

    def answer_export(self, *args: object, file: str, **kwargs: object) -> HttpResponseBase:
        self.record_reading()
        return super().answer_export(*args, file=file, **kwargs)

    @property
    def days(self) -> str:
        """Returns the days of this list as a query for another one."""
        query = self.request.GET
        names = ("period", "from_date", "to_date")
        return urlencode({name: query[name] for name in names if query.get(name)})

    def context(self) -> dict[str, object]:
        reason = services.reason_of(self.request)
        return {**super().context(), "reason": reason, "days": self.days}


class ConversationsView(ArchiveListView[ConversationFilter, ChatSession, ChatSession]):
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
    keys: ClassVar[SortKeys] = {
        "name": attrgetter("name"),
        "type": attrgetter("type"),
        "last": lambda session: moment(session.last_message_sent_time),
    }
    what = "Chat sessions"  # untranslated: in the audit trail

    def reader(self, filters: ConversationFilter) -> RangeReader[ChatSession]:
        return sessions_reader(self.request.api, self.request.scope, filters.range)

    def make_rows(
        self, records: Sequence[ChatSession], filters: ConversationFilter
    ) -> list[ChatSession]:
        """Returns the sessions of the viewer's days; the days of the service are in GMT."""
        last = ((one, moment(one.last_message_sent_time)) for one in records)
        return [one for one, sent in last if not sent or filters.range.begin <= sent]

    def matching(self, rows: list[ChatSession], filters: ConversationFilter) -> list[ChatSession]:
        search = filters.search
        type_ = filters.cleaned_data.get("type") or ""
        return [
            one
            for one in rows
            if (not type_ or one.type.casefold() == type_)
            and has_words(search, (one.name, one.session_id))
        ]

    def get_table(self, rows: object, **options: object) -> ConversationTable:
        connection = self.request.connection
        return ConversationTable(rows, connection=connection, days=self.days, **options)


class MessageListView(ArchiveListView[MessageFilter, RecordT, ArchivedMessage], Generic[RecordT]):
    """Base of both lists of messages."""

    needs = Chat.messages
    filter_class = MessageFilter
    keys: ClassVar[SortKeys] = {
        "sent": attrgetter("sent"),
        "sender": lambda message: message.name or message.sender,
        "session": attrgetter("session"),
    }

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

    def get_table(self, rows: object, **options: object) -> MessageTable:
        connection = self.request.connection
        return MessageTable(rows, connection=connection, days=self.days, **options)

    def totals(self, rows: list[ArchivedMessage], filters: MessageFilter) -> list[tuple[str, str]]:
        return [
            (number(len(rows)), _("messages")),
            (number(len({one.sender for one in rows})), _("senders")),
            (number(sum(bool(one.change) for one in rows)), _("edited or deleted")),
        ]


class AllMessagesView(MessageListView[SessionMessage]):
    """Messages of all sessions of some days."""

    template_name = "chat/messages.html"
    spec = ListSpec(
        "chat-messages",
        gettext_lazy("message"),
        gettext_lazy("messages"),
        export_url_name="chat:messages-export",
    )
    what = "Messages of all chat sessions"  # untranslated: in the audit trail

    def make_rows(
        self, records: Sequence[SessionMessage], filters: MessageFilter
    ) -> list[ArchivedMessage]:
        return messages_of(self.request.scope, records, filters.range)

    def reader(self, filters: MessageFilter) -> AllMessagesReader:
        return AllMessagesReader(self.request.api, self.request.scope, filters.range)

    def page_context(self, filters: MessageFilter, table: Any) -> dict[str, object]:
        return {
            "incomplete": _(
                "Not all sessions of these days are loaded yet. Search, order and "
                "totals cover what is loaded. An export has all messages."
            )
        }


class SessionMessagesView(MessageListView[ChatMessage]):
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
    def what(self) -> str:
        return f"Messages of {self.session.name or self._id}"  # untranslated: in the audit trail

    def prepare(self) -> None:
        """Finds the name of the session, which only the list of sessions contains."""
        filters = self.get_filters(self.request.GET)
        listed = sessions_reader(self.request.api, self.request.scope, filters.range).read()
        matches = (one for one in listed.records if one.session_id == self._id)
        self.session = next(matches, ChatSession(session_id=self._id))

    def get_spec(self) -> ListSpec:
        return replace(self.spec, args=(self._id,))

    def url(self, endpoint: str, *args: str) -> str:
        return super().url(endpoint, self._id, *args)

    def url_name(self, endpoint: str) -> str:
        return "chat:session" if endpoint == "list" else f"chat:session-{endpoint}"

    def reader(self, filters: MessageFilter) -> RangeReader[ChatMessage]:
        return messages_reader(self.request.api, self.request.scope, filters.range, self._id)

    def make_rows(
        self, records: Sequence[ChatMessage], filters: MessageFilter
    ) -> list[ArchivedMessage]:
        pairs = [(self.session, one) for one in records]
        return messages_of(self.request.scope, pairs, filters.range)

    def get_table(self, rows: object, **options: object) -> MessageTable:
        table = super().get_table(rows, **options)
        table.columns.hide("session")
        return table

    def context(self) -> dict[str, object]:
        return {**super().context(), "session": self.session}
