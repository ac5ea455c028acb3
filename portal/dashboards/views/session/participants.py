"""Participants of a session, present and past: as a timeline, as a table, and as a file."""

from typing import Any

from django.http import Http404, HttpResponse, HttpResponseBase

from portal.client import ApiError
from portal.config import clock
from portal.dashboards.participants import NAME, ParticipantFilter, ParticipantTable
from portal.dashboards.services.session.people import People, people
from portal.dashboards.services.session.sharing import ParticipantShare, shares
from portal.dashboards.services.session.timeline import Timeline, timeline
from portal.dashboards.views.session.pages import DashboardSessionView
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.translation.stored import in_english
from portal.ui import exports
from portal.ui.explain import explain
from portal.ui.list_preferences import shown_in
from portal.ui.listing import Listing, ListSpec
from portal.ui.pages import unread_in

_MOST_LANES = 60


class ParticipantsView(DashboardSessionView):
    """The first tab: everybody, with a lane for each and a row for each stay."""

    uses = "participants"

    @property
    def _spec(self) -> ListSpec:
        words = gettext_lazy("participant"), gettext_lazy("participants")
        name = self.board.url_name("export")
        return ListSpec(NAME, *words, export_url_name=name, args=(self.place.id,))

    def answer(self) -> HttpResponse:
        try:
            found = people(self.request.api, self.request.connection, self.place, self.session)
        except ApiError as error:
            fault = explain(error)
            return self.tab_page("dashboards/session_participants.html", {}, fault=fault)
        filters = ParticipantFilter(self.request.GET, found.stays)
        stays = filters.matching()
        table = ParticipantTable(
            stays, home=self.request.connection, place=self.place, order_by=filters.order
        )
        context = {
            "list": Listing(self.request, self._spec, filters, table),
            "filters": filters,
            "people": found,
            "lanes_left_out": 0,
            **self._timeline(found, filters),
        }
        return self.tab_page("dashboards/session_participants.html", context, reading=found.reading)

    def _timeline(self, found: People, filters: ParticipantFilter) -> dict[str, Any]:
        """A lane for each person that the filters leave, of many for the first of them."""
        shared: list[ParticipantShare] = []
        fault = None
        try:
            shared, _read_at = shares(self.request.api, self.request.connection, self.place)
        except ApiError as error:
            fault = explain(error)
        wanted = {one.person for one in filters.matching()}
        stays = [one for one in found.stays if one.person in wanted]
        end = clock.now() if self.place.is_live else self.session.end
        made = timeline(stays, shared, self.session.start, end)
        shown = Timeline(made.lanes[:_MOST_LANES], made.ticks, made.start, made.end)
        return {
            "timeline": shown,
            "lanes_left_out": len(made.lanes) - len(shown.lanes),
            "sharing_fault": fault,
        }


class ParticipantsFileView(DashboardSessionView):
    """The participants as a file."""

    uses = "participants"

    def answer(self) -> HttpResponseBase:
        file = self.kwargs["file"]
        if file not in exports.KINDS:
            raise Http404
        found = people(self.request.api, self.request.connection, self.place, self.session)
        filters = ParticipantFilter(self.request.GET, found.stays)
        rows = filters.matching()
        table = ParticipantTable([], home=self.request.connection, place=self.place)
        has_all = self.request.GET.get("columns") == "all"
        columns = table.exported(None if has_all else shown_in(self.request, NAME, table))
        number = self.session.number or self.place.id
        what = f"participants of {self.board.noun} {number}"  # untranslated: for the audit trail
        day = exports.day_of(self.session.start)
        title = _("Participants of %(name)s") % {"name": self.session.topic or number}
        with in_english():
            by = filters.in_words
        export = exports.Export(
            title=title,
            name=exports.file_name(title, day),
            what=what,
            columns=columns,
            rows=rows,
            count=len(rows),
            by=by,
            narrowed=filters.in_words,
            read_at=clock.now(),
            unread=unread_in(self.request),
        )
        return exports.send(self.request, file, export)


_TEMPLATE = "dashboards/session_sharing.html"


class SharingView(DashboardSessionView):
    """Each thing that somebody showed, in the order of time."""

    uses = "sharing"
    tab = "sharing"

    def answer(self) -> HttpResponse:
        try:
            found, reading = shares(self.request.api, self.request.connection, self.place)
        except ApiError as error:
            return self.tab_page(_TEMPLATE, {}, fault=explain(error))
        return self.tab_page(_TEMPLATE, {"shares": found}, reading=reading)
