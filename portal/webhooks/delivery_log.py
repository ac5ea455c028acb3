"""The log of webhook deliveries: its filters, its pages by keyset, and its table."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import dateformat, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.access.models import Connection
from portal.config import clock
from portal.contract.events import own_titles
from portal.contract.webhooks import WebhookEvent
from portal.mirror.searching import contains_words
from portal.translation import gettext as _, gettext_lazy, number, options
from portal.ui.exports import of
from portal.ui.filters import SearchFilter, choice_field, search_field
from portal.ui.ranges import Period, Range
from portal.ui.states import pill
from portal.ui.tables import Table, TableColumn
from portal.webhooks.deliveries import title
from portal.webhooks.models import Delivery, Gap

_PERIODS = (Period.TODAY, Period.YESTERDAY, Period.LAST_7_DAYS)
_DID = {
    "changed": (gettext_lazy("Changed a list"), Q(changes=True)),
    "nothing": (gettext_lazy("Accepted"), Q(changes=False)),
    "doubled": (gettext_lazy("Delivered more than once"), Q(times__gt=1)),
    "late": (gettext_lazy("Out of order"), Q(is_late=True)),
    "played": (gettext_lazy("Replayed"), Q(played__gt=0)),
}
_LONGEST_KEY = 18
_CURRENT = SafeString(' aria-current="true"')


class DeliveryFilter(SearchFilter):
    """The filter bar of deliveries, newest first."""

    sorts = ("-id",)

    q = search_field(gettext_lazy("Search"), gettext_lazy("Meeting ID, topic or other words"))
    event = choice_field(
        gettext_lazy("Event"),
        gettext_lazy("Any event"),
        lambda: [*options(WebhookEvent), *own_titles()],
    )
    period = choice_field(
        gettext_lazy("Period"),
        gettext_lazy("Any time"),
        ((one.value, one.label) for one in _PERIODS),
    )
    did = choice_field(
        gettext_lazy("Result"),
        gettext_lazy("Any result"),
        ((key, label) for key, (label, _rows) in _DID.items()),
    )


def find(connection: Connection, filters: DeliveryFilter) -> QuerySet[Delivery]:
    """Returns the deliveries that match the filters, newest first."""
    deliveries = Delivery.objects.filter(connection=connection)
    given = filters.cleaned_data
    if event := given.get("event"):
        deliveries = deliveries.filter(event=event)
    if did := given.get("did"):
        deliveries = deliveries.filter(_DID[did][1])
    if period := given.get("period"):
        days = Range.of(Period(period), clock.now(), timezone.get_current_timezone())
        deliveries = deliveries.filter(came_at__gte=days.begin, came_at__lt=days.end)
    return deliveries.filter(contains_words("search", filters.search)).order_by("-id")


@dataclass(frozen=True)
class DeliveryPage:
    """Some deliveries, and where the newer and the older ones begin, if there are any."""

    rows: list[Delivery]
    newer: str = ""
    older: str = ""


def words_of(gap: Gap) -> str:
    """Returns a sentence about a gap and its repair, in the viewer's time."""
    if gap.ended_at is None:
        return _("Since %(clock)s deliveries may be missing: %(why)s.") % {
            "clock": _clock(gap.began_at),
            "why": gap.why_in_words,
        }
    values = {
        "begin": _clock(gap.began_at),
        "end": _clock(gap.ended_at, gap.began_at),
        "why": gap.why_in_words,
    }
    if gap.read_at:
        return _(
            "From %(begin)s to %(end)s nothing came: %(why)s. The lists were updated at %(clock)s."
        ) % {**values, "clock": _clock(gap.read_at, gap.ended_at)}
    if gap.lists:
        words = _("From %(begin)s to %(end)s nothing came: %(why)s. The lists are being updated.")
    else:
        words = _(
            "From %(begin)s to %(end)s nothing came: %(why)s. The lists are "
            "updated when someone next opens them."
        )
    return words % values


def _clock(moment: datetime, beside: datetime | None = None) -> str:
    """Returns a time, with the day unless it is today, or that of `beside`."""
    local = timezone.localtime(moment)
    day = timezone.localdate(beside) if beside else timezone.localdate(clock.now())
    return dateformat.format(local, "H:i" if local.date() == day else _("j M H:i"))


def page_of(deliveries: QuerySet[Delivery], size: int, before: str, after: str) -> DeliveryPage:
    """Returns the page before or after a delivery, by its key; else the newest one.

    It reads only its own rows, however far down it is.
    """
    first, last = key_of(after), key_of(before)
    if first is not None:
        rows = list(deliveries.filter(pk__gt=first).order_by("id")[: size + 1])
        has_newer, rows = len(rows) > size, rows[:size][::-1]
        if has_newer:
            return DeliveryPage(rows, str(rows[0].pk), str(rows[-1].pk))
        last = None  # the newest page is always full
    if last is not None:
        rows = list(deliveries.filter(pk__lt=last)[: size + 1])
        shown = rows[:size]
        older = str(shown[-1].pk) if len(rows) > size else ""
        return DeliveryPage(shown, str(shown[0].pk) if shown else str(last - 1), older)
    rows = list(deliveries[: size + 1])
    return DeliveryPage(rows[:size], "", str(rows[size - 1].pk) if len(rows) > size else "")


def key_of(value: str) -> int | None:
    """Returns the primary key of a delivery in a query; None if it cannot be one."""
    is_key = value.isascii() and value.isdigit() and len(value) <= _LONGEST_KEY
    return int(value) if is_key else None


class DeliveryTable(Table):
    """Deliveries; a row opens below the list's head."""

    caption = gettext_lazy("Deliveries, newest first")
    exported_first = (of("event_id", gettext_lazy("Event ID")),)
    exported_last = (
        of("instance", gettext_lazy("Instance")),
        of("last_came_at", gettext_lazy("Last arrived"), is_moment=True),
        of("played", gettext_lazy("Times played")),
        of("payload", gettext_lazy("Payload")),
    )
    optional = ("happened_at",)

    event = TableColumn(gettext_lazy("Event"), empty_values=(), css="cell-main cell-wrap")
    topic = TableColumn(gettext_lazy("Topic"), default=gettext_lazy("None named"), css="cell-wrap")
    object_id = TableColumn("ID", default=gettext_lazy("None"), css="cell-narrow")
    did = TableColumn(gettext_lazy("Result"), css="cell-rest cell-wrap")
    times = TableColumn(gettext_lazy("Delivered"), css="cell-state")
    happened_at = TableColumn(
        gettext_lazy("Happened"),
        default=gettext_lazy("Not reported"),
        css="cell-time",
        is_moment=True,
    )
    came_at = TableColumn(gettext_lazy("Received"), css="cell-time", is_moment=True)

    def __init__(self, rows: object, *, opens: str = "", opened: int = 0, **options: Any) -> None:
        """`opens` is the address that opens a delivery when its key is added."""
        super().__init__(
            rows,
            row_attrs={
                "id": lambda record: f"delivery-{record.pk}",
                "class": lambda record: "table-active" if record.pk == opened else "",
            },
            **options,
        )
        self._opens, self._opened = opens, opened

    def render_event(self, record: Delivery) -> str | SafeString:
        words = title(record.event)
        if not self._opens:
            return words
        return format_html(
            '<a class="row-link" id="delivery-open-{0}" href="{1}{0}" hx-get="{1}{0}"'
            ' hx-target="#deliveries" hx-ext="morph" hx-swap="morph" hx-push-url="true"'
            ' data-refresh-focus="delivery-title"{2}>{3}</a>',
            record.pk,
            self._opens,
            _CURRENT if record.pk == self._opened else "",
            words,
        )

    def render_times(self, record: Delivery) -> str | SafeString:
        if record.times > 1:
            return pill("warning", _("%(count)s times") % {"count": number(record.times)}, "copy")
        return pill("warning", _("Out of order")) if record.is_late else _("Once")
