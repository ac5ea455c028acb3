"""Tables of the archive of instant messages, and their filters."""

from django import forms
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from portal.access.models import Connection
from portal.chat.services import ArchivedMessage
from portal.contract.chat import ChatSession
from portal.translation import gettext as _, gettext_lazy, pgettext_lazy
from portal.ui.exports import ExportColumn, of
from portal.ui.filters import choice_field, search_field
from portal.ui.ranges import RangeFilter
from portal.ui.states import State, pill
from portal.ui.tables import SortedColumn, Table, TableColumn, row_link
from portal.ui.times import absolute

TYPES = {"1:1": gettext_lazy("One-to-one"), "group": gettext_lazy("Group")}
EDITED, DELETED = "edit", "delete"


class ConversationFilter(RangeFilter):
    sorts = ("last", "name", "type")
    usual_sort = "-last"

    q = search_field(gettext_lazy("Search sessions"))
    type = choice_field(gettext_lazy("Type"), gettext_lazy("Any type"), TYPES.items())


class MessageFilter(RangeFilter):
    sorts = ("sent", "sender", "session")

    q = search_field(gettext_lazy("Search messages"))
    person = forms.CharField(
        label=gettext_lazy("Sender"),
        required=False,
        max_length=200,
        widget=forms.TextInput(
            attrs={"placeholder": gettext_lazy("Name or email"), "autocomplete": "off"}
        ),
    )
    change = choice_field(
        gettext_lazy("Changes"),
        gettext_lazy("Any message"),
        [(EDITED, gettext_lazy("Edited")), (DELETED, gettext_lazy("Deleted"))],
    )


_SHORT = 300  # characters of a message that are shown before it is opened
_CHANGES: dict[str, tuple[State, str, str]] = {
    EDITED: ("neutral", gettext_lazy("Edited"), "pencil"),
    DELETED: ("warning", gettext_lazy("Deleted"), "trash-2"),
}


class ArchiveTable(Table):
    """The base of tables of the archive, whose links keep the days."""

    key_field = "session_id"

    def __init__(
        self, rows: object, *, connection: Connection, days: str, **options: object
    ) -> None:
        super().__init__(rows, **options)
        self._connection, self._days = connection, days

    def session_url(self, session_id: str) -> str:
        url = reverse("chat:session", args=[self._connection.key, session_id])
        return f"{url}?{self._days}"


class ConversationTable(ArchiveTable):
    """Chat sessions; a row leads to its messages of the same days."""

    caption = gettext_lazy("Chat sessions")

    name = SortedColumn(gettext_lazy("Name"), empty_values=(), css="cell-main cell-rest")
    type = SortedColumn(gettext_lazy("Type"), default=gettext_lazy("Unknown"))
    last = SortedColumn(
        gettext_lazy("Last message"),
        accessor="last_message_sent_time",
        default=gettext_lazy("Unknown"),
        css="cell-moment",
        cell=absolute,
        export="last_message_sent_time",
        is_moment=True,
    )

    exported_first = (of("session_id", gettext_lazy("Session ID")),)

    def render_name(self, record: ChatSession) -> str | SafeString:
        return row_link(self.session_url(record.session_id), record.name or record.session_id)

    def render_type(self, value: str) -> str:
        return TYPES.get(value.casefold(), value)


class MessageTable(ArchiveTable):
    """Messages; the name of a sender leads to the person, that of a session to all of it."""

    caption = gettext_lazy("Messages")

    sent = SortedColumn(
        gettext_lazy("Sent"),
        default=gettext_lazy("Unknown"),
        css="cell-moment",
        cell=absolute,
        export="date_time",
        is_moment=True,
    )
    sender = SortedColumn(gettext_lazy("Sender"), empty_values=(), export="sender")
    text = TableColumn(
        pgettext_lazy("chat", "Message"),
        empty_values=(),
        css="cell-rest cell-wrap",
        export="message",
    )
    change = TableColumn(
        pgettext_lazy("noun", "Change"),
        default="",
        css="cell-state",
        export=[
            ExportColumn("action", lambda message: message.change, pgettext_lazy("noun", "Change")),
            ExportColumn(
                "action_time",
                lambda message: message.changed,
                gettext_lazy("Changed"),
                is_moment=True,
            ),
        ],
    )
    session = SortedColumn(
        gettext_lazy("Session"),
        export=[
            ExportColumn(
                "session_id", lambda message: message.session_id, gettext_lazy("Session ID")
            ),
            ExportColumn("session_name", lambda message: message.session, gettext_lazy("Session")),
        ],
    )

    fixed = ("text",)

    def render_sender(self, record: ArchivedMessage) -> str | SafeString:
        if not record.person_id:
            return record.sender or _("Unknown")
        url = reverse("people:person", args=[self._connection.key, record.person_id])
        words = record.name or record.sender
        return format_html('<a href="{}" title="{}">{}</a>', url, record.sender, words)

    def render_text(self, record: ArchivedMessage) -> str | SafeString:
        short = Truncator(record.text).chars(_SHORT)
        if short == record.text:
            return format_html('<span dir="auto">{}</span>', short)
        return format_html(
            '<details><summary dir="auto">{}</summary><p class="mt-2" dir="auto">{}</p></details>',
            short,
            record.text,
        )

    def render_change(self, record: ArchivedMessage) -> SafeString:
        state, word, icon_name = _CHANGES.get(
            record.change.casefold(), ("neutral", record.change[:40], "")
        )
        when = absolute(record.changed) if record.changed else ""
        return format_html("{} {}", pill(state, word, icon_name), when)

    def render_session(self, record: ArchivedMessage) -> SafeString:
        return format_html(
            '<a href="{}">{}</a>', self.session_url(record.session_id), record.session
        )
