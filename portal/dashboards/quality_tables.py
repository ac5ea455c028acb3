"""Tables of the quality board."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from urllib.parse import urlencode

from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.access.models import Connection
from portal.dashboards.filters import UNKNOWN, BoardFilter
from portal.dashboards.models import MeasuredSession, MeasuredStay
from portal.dashboards.services.session.measures import Thresholds
from portal.dashboards.services.session.people import called
from portal.dashboards.services.session.readings import BOARDS, PAST, Place
from portal.dashboards.services.streams.grouping import (
    DIMENSIONS,
    StreamVerdict,
    summed_up,
    verdict,
)
from portal.dashboards.tables import person_url, session_url
from portal.translation import gettext as _, gettext_lazy
from portal.ui.exports import ExportColumn, of
from portal.ui.tables import ConnectedTable, SortedColumn, TableColumn, linked, row_link
from portal.ui.times import absolute

_NUMBER = {"td": {"class": "cell-number"}}
_BAR = (
    '<span class="quality-share"><svg aria-hidden="true"><rect width="100%" height="8" rx="2"'
    ' class="quality-share-all"></rect><rect width="{}%" height="8" rx="2"></rect></svg>{}</span>'
)
_KEPT_FILTERS = ("period", "from_date", "to_date", "type", "stream", "department")


def stay_url(connection: Connection, session: MeasuredSession, participant: str) -> str:
    """Returns the address of the page about a participant's quality in a session; that of the
    session if the participant has no id, and empty if neither has an address."""
    place = Place(BOARDS[session.family], session.key, PAST)
    page = person_url(connection, place, participant)
    return page or session_url(connection, session.family, session.key)


def bad_streams(stay: MeasuredStay, thresholds: Thresholds) -> Sequence[StreamVerdict]:
    """Returns the poor streams of a stay, or else the fair ones."""
    verdicts = [verdict(one, thresholds) for one in stay.streams.all()]
    poor = [one for one in verdicts if one.level == "poor"]
    return poor or [one for one in verdicts if one.level == "fair"]


def _count(title: str, export: str = "") -> SortedColumn:
    return SortedColumn(title, attrs=_NUMBER, export=export, cell="{:,}".format)


class BoardTable(ConnectedTable):
    """Groups of streams; a row leads to the participants of the group."""

    caption = gettext_lazy("Streams by what their participants have in common")
    key_field = "name"

    name = SortedColumn(gettext_lazy("Name"), empty_values=(), css="cell-main", export="group")
    share = SortedColumn(
        gettext_lazy("Share of poor"),
        export=[ExportColumn("poor_percent", lambda row: round(row["share"], 1))],
    )
    poor = _count(gettext_lazy("Poor streams"), "poor_streams")
    people = _count(gettext_lazy("People affected"), "people_affected")
    sessions = _count(gettext_lazy("Sessions affected"), "sessions_affected")
    fair = _count(gettext_lazy("Fair streams"), "fair_streams")
    streams = _count(gettext_lazy("All streams"))

    def __init__(
        self, rows: object, *, connection: Connection, filters: BoardFilter, **options: object
    ) -> None:
        super().__init__(rows, connection=connection, **options)
        self._dimension = filters.dimension
        given: Mapping[str, object] = filters.narrowing
        self._filters = {name: str(given[name]) for name in _KEPT_FILTERS if given.get(name)}
        self.columns["name"].column.verbose_name = DIMENSIONS[filters.dimension]

    def before_render(self, request: HttpRequest) -> None:
        """Scales the bars to the greatest, and hides fair streams if no row has any."""
        super().before_render(request)
        shown = [row.record for row in self.paginated_rows]
        self._greatest = max((one["share"] for one in shown), default=0) or 1
        if not any(one["fair"] for one in shown):
            self.columns.hide("fair")

    def render_name(self, record: dict[str, object]) -> SafeString:
        query = {**self._filters, self._dimension: record["name"] or UNKNOWN}
        page = reverse("dashboards:quality-participants", args=[self.connection.key])
        words = record["name"] or _("Unknown")
        return row_link(f"{page}?{urlencode(query)}", words)

    def render_share(self, value: float) -> SafeString:
        return format_html(_BAR, f"{100 * value / self._greatest:.2f}", f"{value:.1f} %")


class ParticipantsTable(ConnectedTable):
    """Stays of participants; a row leads to the quality of it, and a name to the person's."""

    caption = gettext_lazy("Participants")
    key_field = "pk"

    name = SortedColumn(gettext_lazy("Name"), empty_values=(), css="cell-main", export="user_name")
    session = SortedColumn(
        gettext_lazy("Session"),
        accessor="session__topic",
        empty_values=(),
        export=[
            ExportColumn("topic", lambda row: row.session.topic, gettext_lazy("Session")),
            ExportColumn("session", lambda row: row.session.key, gettext_lazy("Session UUID")),
        ],
    )
    start = SortedColumn(
        gettext_lazy("Start"),
        accessor="session__start",
        css="cell-moment",
        cell=absolute,
        export="start_time",
        is_moment=True,
    )
    poor = SortedColumn(
        gettext_lazy("Poor streams"),
        attrs=_NUMBER,
        export=[
            ExportColumn("poor_streams", lambda row: row.poor, gettext_lazy("Poor streams")),
            ExportColumn("fair_streams", lambda row: row.fair, gettext_lazy("Fair streams")),
            ExportColumn("streams", lambda row: row.measured, gettext_lazy("All streams")),
        ],
    )
    bad = TableColumn(gettext_lazy("Worst figures"), empty_values=(), css="cell-wide")
    network = SortedColumn(gettext_lazy("Network"), default="", export="network_type")
    location = SortedColumn(gettext_lazy("Location"), default="")
    version = SortedColumn(gettext_lazy("Client version"), default="")
    device = SortedColumn(gettext_lazy("Device"), default="")
    department = TableColumn(gettext_lazy("Department"), default="")
    cpu = TableColumn(
        gettext_lazy("Processor use"), default="", export="cpu_percent", cell="{:.0f} %".format
    )

    optional = ("location", "version", "device", "department", "cpu")
    later = ("session", "network")
    exported_first = (
        of("participant", gettext_lazy("Participant ID")),
        ExportColumn("user_id", attrgetter("account_id"), gettext_lazy("User ID")),
    )

    def __init__(
        self, rows: object, *, connection: Connection, thresholds: Thresholds, **options: object
    ) -> None:
        super().__init__(rows, connection=connection, **options)
        self._thresholds = thresholds
        bad = ExportColumn(
            "bad_streams", lambda row: "; ".join(map(str, bad_streams(row, thresholds)))
        )
        self.columns["bad"].column.export = [bad]

    def render_name(self, record: MeasuredStay) -> SafeString:
        url = reverse("dashboards:quality-person", args=[self.connection.key, record.person])
        return format_html('<a href="{}">{}</a>', url, called(record.name))

    def render_session(self, record: MeasuredStay) -> str | SafeString:
        session = record.session
        url, words = stay_url(self.connection, session, record.participant), str(session)
        return linked(url, words)

    def render_poor(self, record: MeasuredStay) -> str:
        counts = {"count": record.poor, "total": record.measured}  # type: ignore[attr-defined]
        return _("%(count)s of %(total)s") % counts

    def render_bad(self, record: MeasuredStay) -> str:
        return summed_up(bad_streams(record, self._thresholds))


def query_of(data: QueryDict) -> str:
    """Returns a query of the board without its page, for addresses of other pages."""
    query = data.copy()
    for name in ("page", "done"):
        query.pop(name, None)
    return query.urlencode()
