"""Conference rooms: all of them with their state, and one with its equipment and meetings."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, ClassVar

from portal.config import clock
from portal.contract.dashboards import ConferenceRoomDetails, SessionMetric
from portal.contract.metrics import Metrics
from portal.contract.paging import NumberedDaysQuery, NumberedQuery
from portal.dashboards.past_filters import MEETINGS, RoomFilter, RoomMeetingsFilter
from portal.dashboards.services.live.picture import LiveSession
from portal.dashboards.services.past import PastList, PastSession, past_list, total
from portal.dashboards.services.rooms import Room, offline, room_of
from portal.dashboards.tables import PastTable, RoomTable, duration, room_status, session_url
from portal.dashboards.views.past import PastSessionsView
from portal.translation import gettext as _
from portal.translation import gettext_lazy, ngettext, number
from portal.ui.listing import ListSpec
from portal.ui.range_reading import RangeReader
from portal.ui.views.ranged import RangeListView, SortKeys, has_words
from portal.ui.views.service_listing import WholeListView


class RoomListView(WholeListView):
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
    keys: ClassVar[SortKeys] = {
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

    def get_table(self, rows: Any, **options: Any) -> RoomTable:
        return RoomTable(rows, connection=self.request.connection, **options)

    def page_context(self, filters: RoomFilter, table: Any) -> dict[str, Any]:
        return {"total": len(self.everything), "offline": offline(self.everything)}


class RoomPageView(RangeListView):
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

    def file_title(self, _table: Any) -> str:
        return _("Meetings in %(room)s") % {"room": self.details.room_name}

    @property
    def _id(self) -> str:
        return str(self.kwargs["room_id"])

    def url(self, part: str, *args: str) -> str:
        return super().url(part, self._id, *args)

    def url_name(self, part: str) -> str:
        return "dashboards:room" if part == "list" else f"dashboards:room-{part}"

    def prepare(self) -> None:
        today = clock.now().date()
        query = NumberedDaysQuery(page_size=1, **{"from": today, "to": today})
        self.details: ConferenceRoomDetails = self.request.api.metrics.room(self._id, query)

    def reader(self, filters: RoomMeetingsFilter) -> RangeReader[SessionMetric]:
        operation = self.request.api.metrics.room
        return RangeReader(self.request.scope, operation, filters.range, self._id)

    def make_rows(
        self, records: Sequence[SessionMetric], filters: RoomMeetingsFilter
    ) -> list[PastSession]:
        self.listed = past_list(self.request.scope, records, filters.range)
        return self.listed.sessions

    def matching(self, rows: list[PastSession], filters: RoomMeetingsFilter) -> list[PastSession]:
        search = filters.cleaned_data.get("q") or ""
        return [
            one for one in rows if has_words(search, (one.topic, one.host, one.email, one.number))
        ]

    def totals(self, rows: list[PastSession], filters: RoomMeetingsFilter) -> list[tuple[str, str]]:
        seconds = total(one.seconds for one in rows)
        return [
            (number(len(rows)), ngettext("meeting", "meetings", 2)),
            (_("Unknown") if seconds is None else duration(seconds), _("time in use")),
        ]

    def get_table(self, rows: Any, **options: Any) -> PastTable:
        return PastTable(rows, connection=self.request.connection, family=MEETINGS, **options)

    def page_context(self, filters: RoomMeetingsFilter, table: Any) -> dict[str, Any]:
        room, live = room_of(self.details), self.details.live_meeting
        odd = self.listed.odd
        return {
            "room": room,
            "room_status": room_status(room),
            "facts": _facts(room),
            "live": live,
            "live_since": LiveSession.of(MEETINGS, live, clock.now()).started_at if live else None,
            "live_url": session_url(self.request.connection, MEETINGS, live.uuid) if live else "",
            "left_out": (
                _("%(count)s with a start outside these days") % {"count": number(odd)}
                if odd
                else ""
            ),
        }


def _facts(room: Room) -> list[tuple[str, str]]:
    said = [
        (_("Camera"), room.camera),
        (_("Microphone"), room.microphone),
        (_("Loudspeaker"), room.speaker),
        (_("IP address"), room.address),
        (_("Calendar"), room.calendar),
        (_("Email"), room.email),
        (_("Account type"), room.account_type),
        (_("Room ID"), room.id),
    ]
    return [(title, value or _("Not reported")) for title, value in said]
