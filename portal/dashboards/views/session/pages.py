"""Pages about one session on the dashboard: participants, their file, and sharing."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse, HttpResponseBase
from django.urls import reverse

from portal.access.roles import Role
from portal.access.scope import Scope
from portal.client import ApiError, NotFound
from portal.config import clock
from portal.connections.api import api_for
from portal.contract.operation import AnyOperation
from portal.dashboards.filters import ParticipantFilter
from portal.dashboards.services.past import FEATURES, DashboardSession
from portal.dashboards.services.session.people import People, find, get, people
from portal.dashboards.services.session.readings import (
    LIVE,
    PAST,
    WEBINARS,
    Board,
    Place,
    StoredReading,
)
from portal.dashboards.services.session.timeline import (
    ParticipantShare,
    Timeline,
    clock_time,
    shares,
    timeline,
)
from portal.dashboards.tables import ParticipantTable
from portal.directory.scope_rules import is_within
from portal.translation import gettext as _, gettext_lazy, pgettext_lazy
from portal.ui import exports
from portal.ui.error_messages import Fault, explain
from portal.ui.list_preferences import exported_columns
from portal.ui.listing import Listing, ListSpec
from portal.ui.numbers import spaced
from portal.ui.pages import go, page, toast, unread_in
from portal.ui.tabs import PANEL, PageTab, wants_panel
from portal.ui.views.connected import ConnectedView

NAME = "session-participants"  # of the list, for the columns that a user chose
RESULTS = "results"  # the fragment that refreshes itself
_TABS = (
    ("", gettext_lazy("Participants")),
    ("sharing", pgettext_lazy("of the screen", "Sharing")),
    ("quality", gettext_lazy("Quality")),
)
_MOST_LANES = 60
_TEMPLATE = "dashboards/session_sharing.html"


class DashboardSessionView(ConnectedView):
    """A page about a live or past session, by the `type` in its address.

    An address without it is redirected to one with it. A live session that ended while a user
    looked is redirected to its page as a past session.
    """

    uses = "get"  # the operation of a `Board`
    tab = ""

    place: Place
    session: DashboardSession
    reading: StoredReading[DashboardSession]

    @property
    def board(self) -> Board:
        board: Board = self.kwargs["board"]
        return board

    def operation(self) -> AnyOperation:
        operation: AnyOperation = getattr(self.board, self.uses)
        return operation

    def get(self, *_args: object, instance: str, **_more: object) -> HttpResponseBase:
        which = self.request.GET.get("type")
        api, connection = self.request.api, self.request.connection
        scope = self.request.scope
        if scope.is_narrow:
            api = api_for(
                Scope.whole(connection, "quality is kept for all, and narrowed when shown")
            )
        if which not in (LIVE, PAST):
            query = self.request.GET.copy()
            query["type"] = find(api, connection, self.board, instance).which
            return go(self.request, f"{self.request.path}?{query.urlencode()}")
        self.place = Place(self.board, instance, PAST if which == PAST else LIVE)
        if not self.place.is_live:
            self.request.listed_under = reverse("dashboards:past", args=[connection.key])
        try:
            self.reading = get(api, connection, self.place)
        except NotFound:
            if not self.place.is_live:
                raise
            return self._ended(instance)
        self.session = self.reading.value
        if not is_within(scope, self.session.email):
            raise Http404
        return self.answer()

    def answer(self) -> HttpResponseBase:
        """Returns the page of `self.session` at `self.place`."""
        raise NotImplementedError

    def people(self) -> People:
        """Raises `ApiError`."""
        return people(self.request.api, self.request.connection, self.place, self.session)

    def _ended(self, session_id: str) -> HttpResponse:
        past = Place(self.board, session_id, PAST)
        ended = get(self.request.api, self.request.connection, past).value
        is_webinar = self.board.family == WEBINARS.family
        words = _("This webinar has ended.") if is_webinar else _("This meeting has ended.")
        toast(self.request, "neutral", words)
        place = Place(self.board, ended.uuid or session_id, PAST)
        return go(self.request, self.url(self.tab, place=place))

    def url(
        self,
        endpoint: str = "",
        *args: str,
        place: Place | None = None,
        query: Mapping[str, str] | None = None,
    ) -> str:
        """Returns the address of another page about this session."""
        at = place or self.place
        path = reverse(
            at.board.url_name(endpoint), args=[self.request.connection.key, at.id, *args]
        )
        return f"{path}?{urlencode({'type': at.which, **(query or {})})}"

    def tab_page(
        self,
        template: str,
        context: dict[str, object],
        *,
        reading: StoredReading[Any] | None = None,
        fault: Fault | None = None,
        status: int = 200,
    ) -> HttpResponse:
        """Returns the tab as a whole page, as the panel of an open one, or only its results.

        `fault` is why the tab's own data could not be read at all.
        """
        shown: StoredReading[Any] = reading or self.reading
        shared = {
            "board": self.board,
            "place": self.place,
            "session": self.session,
            "session_fault": fault or shown.fault or self.reading.fault,
            "as_of": clock_time(shown.read_at),
            "read_at": shown.read_at,
            "is_unread": fault is not None,
            "facts": self._facts(),
            "tabs": [
                PageTab(name or "participants", label, self.url(name), name == self.tab)
                for name, label in _TABS
                if self.request.scope.may(self.operation())
            ],
            "panel_template": template,
            "refresh_url": self.request.get_full_path(),
            "may_state": self.request.scope.role == Role.ADMINISTRATOR,
            **context,
        }
        if self.request.htmx and self.request.htmx.target == RESULTS:
            return page(self.request, template, shared, fragment=RESULTS, status=status)
        fragment = PANEL if wants_panel(self.request) else "content"
        name = "dashboards/session.html"
        return page(self.request, name, shared, fragment=fragment, status=status)

    def _facts(self) -> list[tuple[str, str]]:
        one = self.session
        facts = [
            (_("Meeting ID"), spaced(one.number)),
            (_("Host's email"), one.email),
            (_("Host's licence"), one.licence),
            (_("Media"), ", ".join(str(FEATURES[name][0]) for name in one.features)),
        ]
        return [(title, value) for title, value in facts if value]


class ParticipantsView(DashboardSessionView):
    """The first tab: a lane for each person and a row for each stay."""

    uses = "participants"

    @property
    def _spec(self) -> ListSpec:
        words = gettext_lazy("participant"), gettext_lazy("participants")
        name = self.board.url_name("export")
        return ListSpec(NAME, *words, export_url_name=name, args=(self.place.id,))

    def answer(self) -> HttpResponse:
        try:
            people_now = self.people()
        except ApiError as error:
            fault = explain(error)
            return self.tab_page("dashboards/session_participants.html", {}, fault=fault)
        filters = ParticipantFilter(self.request.GET, people_now.stays)
        stays = filters.matching()
        table = ParticipantTable(
            stays, connection=self.request.connection, place=self.place, order_by=filters.order
        )
        context = {
            "list": Listing(self.request, self._spec, filters, table),
            "filters": filters,
            "people": people_now,
            "lanes_left_out": 0,
            **self._timeline(people_now, filters),
        }
        return self.tab_page(
            "dashboards/session_participants.html", context, reading=people_now.reading
        )

    def _timeline(self, people: People, filters: ParticipantFilter) -> dict[str, object]:
        """Returns lanes of the people that match the filters, at most the first ones."""
        shared: list[ParticipantShare] = []
        fault = None
        try:
            shared = shares(self.request.api, self.request.connection, self.place).value
        except ApiError as error:
            fault = explain(error)
        stays = people.with_same_person(filters.matching())
        end = clock.now() if self.place.is_live else self.session.end
        made = timeline(stays, shared, self.session.start, end)
        shown = Timeline(made.lanes[:_MOST_LANES], made.ticks, made.start, made.end)
        return {
            "timeline": shown,
            "lanes_left_out": len(made.lanes) - len(shown.lanes),
            "sharing_fault": fault,
        }


class ParticipantsFileView(DashboardSessionView):
    uses = "participants"

    def answer(self) -> HttpResponseBase:
        file = self.kwargs["file"]
        if file not in exports.KINDS:
            raise Http404
        people_now = self.people()
        filters = ParticipantFilter(self.request.GET, people_now.stays)
        rows = filters.matching()
        table = ParticipantTable([], connection=self.request.connection, place=self.place)
        number = self.session.number or self.place.id
        what = f"participants of {self.board.noun} {number}"  # untranslated: for the audit trail
        day = exports.day_of(self.session.start)
        title = _("Participants of %(name)s") % {"name": self.session.topic or number}
        export = exports.Export(
            title=title,
            name=exports.file_name(title, day),
            what=what,
            columns=exported_columns(self.request, NAME, table),
            rows=rows,
            count=len(rows),
            by=filters.in_english,
            narrowed=filters.in_words,
            read_at=clock.now(),
            unread=unread_in(self.request),
        )
        return exports.send(self.request, file, export)


class SharingView(DashboardSessionView):
    """The list of shares, in the order of time."""

    uses = "sharing"
    tab = "sharing"

    def answer(self) -> HttpResponse:
        try:
            reading = shares(self.request.api, self.request.connection, self.place)
        except ApiError as error:
            return self.tab_page(_TEMPLATE, {}, fault=explain(error))
        return self.tab_page(_TEMPLATE, {"shares": reading.value}, reading=reading)
