"""Conference rooms: all of them with their state, and one with its equipment and meetings."""

from collections.abc import Sequence
from operator import attrgetter
from typing import ClassVar

from django.http import Http404, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils import dateformat

from portal.config import clock
from portal.contract.dashboards import ConferenceRoomDetails, SessionMetric
from portal.contract.metrics import Metrics
from portal.contract.paging import NumberedDaysQuery, NumberedQuery
from portal.dashboards.filters import PortsFilter, RoomFilter, RoomMeetingsFilter
from portal.dashboards.services.live.picture import MEETINGS, LiveSession
from portal.dashboards.services.past import (
    DashboardSession,
    PastList,
    Room,
    offline,
    past_list,
    room_of,
    total,
)
from portal.dashboards.services.ports import HeatMap, heat_map
from portal.dashboards.tables import PastTable, RoomTable, duration, room_status, session_url
from portal.dashboards.views.past import PastSessionsView
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.translation.stored import in_english
from portal.ui import exports
from portal.ui.exports import ExportColumn, of
from portal.ui.listing import ListSpec
from portal.ui.pages import go, page, toast
from portal.ui.range_reading import RangeReader
from portal.ui.ranges import Range
from portal.ui.tables import Table
from portal.ui.things import Thing, ThingFact
from portal.ui.views.connected import EndpointsView
from portal.ui.views.listing import RESULTS
from portal.ui.views.ranged import RangeListView, has_words
from portal.ui.views.service_listing import WholeListView

_COLUMNS = (
    of("begin", gettext_lazy("Hour"), is_moment=True),
    ExportColumn("max_usage", lambda hour: hour.most, gettext_lazy("At most at once")),
    ExportColumn("total_usage", lambda hour: hour.total, gettext_lazy("Total use")),
)


class RoomListView(WholeListView[RoomFilter, Room]):
    """All rooms as they are now, those that are offline first."""

    needs = Metrics.rooms
    template_name = "dashboards/rooms.html"
    filter_class = RoomFilter
    spec = ListSpec(
        "rooms",
        gettext_lazy("room"),
        gettext_lazy("rooms"),
        export_url_name="dashboards:rooms-export",
    )
    methods: ClassVar[dict[str, tuple[str, ...]]] = {
        "page": ("GET", "HEAD"),
        "export": ("GET", "HEAD"),
    }
    keys = {
        "state": lambda room: (room.state_order, room.name.casefold()),
        "name": attrgetter("name"),
        "last_started": attrgetter("last_started"),
    }

    def read(self) -> list[Room]:
        query = NumberedQuery(page_size=300)
        return [room_of(one) for one in self.request.api.metrics.rooms.all(query)]

    def matching(self, rows: Sequence[Room], filters: RoomFilter) -> list[Room]:
        chosen = filters.cleaned_data
        search, status = chosen.get("q") or "", chosen.get("status")
        return [
            room
            for room in rows
            if (not status or room.state == status)
            and has_words(search, (room.name, room.email, room.calendar, room.address))
        ]

    def get_table(self, rows: object, **options: object) -> RoomTable:
        return RoomTable(rows, connection=self.request.connection, **options)

    def page_context(self, filters: RoomFilter, table: Table) -> dict[str, object]:
        return {"total": len(self.everything), "offline": offline(self.everything)}


class RoomPageView(RangeListView[RoomMeetingsFilter, SessionMetric, DashboardSession]):
    """One room: its state and equipment, the meeting that runs in it, and those that ended."""

    needs = Metrics.room
    template_name = "dashboards/room.html"
    filter_class = RoomMeetingsFilter
    keys = PastSessionsView.keys

    listed: PastList

    def get_spec(self) -> ListSpec:
        export = "dashboards:room-export"
        return ListSpec(
            "room-meetings",
            ngettext("meeting", "meetings", 1),
            ngettext("meeting", "meetings", 2),
            export_url_name=export,
            args=(self._id,),
        )

    def file_title(self, _table: object) -> str:
        return _("Meetings in %(room)s") % {"room": self.details.room_name}

    @property
    def _id(self) -> str:
        return str(self.kwargs["room_id"])

    def url(self, endpoint: str, *args: str) -> str:
        return super().url(endpoint, self._id, *args)

    def url_name(self, endpoint: str) -> str:
        return "dashboards:room" if endpoint == "list" else f"dashboards:room-{endpoint}"

    def prepare(self) -> None:
        today = clock.now().date()
        query = NumberedDaysQuery(page_size=1, **{"from": today, "to": today})
        self.details: ConferenceRoomDetails = self.request.api.metrics.room(self._id, query)

    def reader(self, filters: RoomMeetingsFilter) -> RangeReader[SessionMetric]:
        operation = self.request.api.metrics.room
        return RangeReader(self.request.scope, operation, filters.range, self._id)

    def make_rows(
        self, records: Sequence[SessionMetric], filters: RoomMeetingsFilter
    ) -> list[DashboardSession]:
        self.listed = past_list(self.request.scope, records, filters.range)
        return self.listed.sessions

    def matching(
        self, rows: list[DashboardSession], filters: RoomMeetingsFilter
    ) -> list[DashboardSession]:
        search = filters.search
        return [
            one for one in rows if has_words(search, (one.topic, one.host, one.email, one.number))
        ]

    def totals(
        self, rows: list[DashboardSession], filters: RoomMeetingsFilter
    ) -> list[tuple[str, str]]:
        seconds = total(one.seconds for one in rows)
        return [
            (number(len(rows)), ngettext("meeting", "meetings", 2)),
            (_("Unknown") if seconds is None else duration(seconds), _("time in use")),
        ]

    def get_table(self, rows: object, **options: object) -> PastTable:
        return PastTable(rows, connection=self.request.connection, family=MEETINGS, **options)

    def page_context(self, filters: RoomMeetingsFilter, table: Table) -> dict[str, object]:
        room, live = room_of(self.details), self.details.live_meeting
        odd, key = self.listed.odd, self.request.connection.key
        return {
            "room": room,
            "room_status": room_status(room),
            "thing": Thing(
                room.name,
                (_("Conference rooms"), reverse("dashboards:rooms", args=[key])),
                icon="door-open",
                rail=_rail(room),
            ),
            "live": live,
            "live_since": LiveSession.of(MEETINGS, live, clock.now()).started_at if live else None,
            "live_url": session_url(self.request.connection, MEETINGS, live.uuid) if live else "",
            "left_out": (
                _("%(count)s with a start outside these days") % {"count": number(odd)}
                if odd
                else ""
            ),
        }


def _rail(room: Room) -> list[ThingFact]:
    facts = [
        (_("Camera"), room.camera),
        (_("Microphone"), room.microphone),
        (_("Loudspeaker"), room.speaker),
        (_("IP address"), room.address),
        (_("Calendar"), room.calendar),
        (_("Email"), room.email),
        (_("Account type"), room.account_type),
        (_("Room ID"), room.id),
    ]
    return [ThingFact(title, value, otherwise=_("Not reported")) for title, value in facts]


class PortsView(EndpointsView):
    """A heat map of the viewer's days, with the maximum of each."""

    needs = Metrics.ports
    methods: ClassVar[dict[str, tuple[str, ...]]] = RoomListView.methods

    def url_name(self, endpoint: str) -> str:
        return "dashboards:ports" if endpoint == "list" else f"dashboards:ports-{endpoint}"

    def answer_page(self, *_args: object, **_kwargs: object) -> HttpResponse:
        filters = PortsFilter(self.request.GET)
        chosen = filters.range
        heat = heat_map(self.request.api, chosen)
        busiest = heat.busiest
        context = {
            "filters": filters,
            "range": chosen,
            "map": heat,
            "hours": range(24),
            "sentence": _sentence(heat, chosen),
            # The service's hours begin so many minutes past the hour in the viewer's zone.
            "past_the_hour": busiest.begin.astimezone(chosen.zone).minute if busiest else 0,
            "csv_url": self._with_query("export", "csv"),
            "xlsx_url": self._with_query("export", "xlsx"),
        }
        is_results = self.request.htmx and self.request.htmx.target == RESULTS
        fragment = RESULTS if is_results else "content"
        return page(self.request, "dashboards/ports.html", context, fragment=fragment)

    def _with_query(self, endpoint: str, *args: str) -> str:
        return f"{self.url(endpoint, *args)}?{self.request.GET.urlencode()}"

    def answer_export(self, *_args: object, file: str, **_kwargs: object) -> HttpResponseBase:
        """Returns the hours as a file; all of them or none, since missing ones would look idle."""
        if file not in exports.KINDS:
            raise Http404
        filters = PortsFilter(self.request.GET)
        heat = heat_map(self.request.api, filters.range)
        if heat.fault:
            toast(
                self.request, "warning", _("Not exported: %(title)s") % {"title": heat.fault.title}
            )
            return go(self.request, self._with_query("list"))
        with in_english():
            by = filters.range.in_words
        export = exports.Export(
            title=_("Call-routing ports"),
            name=exports.file_name(_("Call-routing ports"), filters.range.in_name),
            what="ports",
            columns=_COLUMNS,
            rows=heat.hours,
            count=len(heat.hours),
            by=by,
            days=filters.range,
            read_at=clock.now(),
        )
        return exports.send(self.request, file, export)


def _sentence(heat: HeatMap, chosen: Range) -> str:
    """Returns words for the heat map, for people who do not see it."""
    if heat.busiest is None:
        return ""
    if not heat.most:
        return _("No call-routing port was in use on these days.")
    begin, end = (at.astimezone(chosen.zone) for at in (heat.busiest.begin, heat.busiest.end))
    words = ngettext(
        "At most %(count)s port was in use at once, on %(day)s between %(from)s and %(to)s"
        " (%(zone)s).",
        "At most %(count)s ports were in use at once, on %(day)s between %(from)s and %(to)s"
        " (%(zone)s).",
        heat.most,
    ) % {
        "count": number(heat.most),
        "day": dateformat.format(begin, _("j F Y")),
        "from": f"{begin:%H:%M}",
        "to": f"{end:%H:%M}",
        "zone": chosen.zone_name,
    }
    if not heat.idle_days:
        return words
    idle = _("On %(idle)s of %(known)s days no port was in use.") % {
        "idle": heat.idle_days,
        "known": heat.read_days,
    }
    return f"{words} {idle}"
