"""Base of every page about one session on the dashboard: the session that it is about."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse, HttpResponseBase
from django.urls import reverse

from portal.access.api import api_for
from portal.access.scope import Scope
from portal.client import NotFound
from portal.contract.operation import Operation
from portal.dashboards.services.session.board import LIVE, PAST, WEBINARS, Board, Place
from portal.dashboards.services.session.kept import StoredReading
from portal.dashboards.services.session.session import DashboardSession, find, get
from portal.dashboards.services.session.timeline import clock
from portal.directory.visible import is_within
from portal.translation import gettext as _
from portal.translation import gettext_lazy, pgettext_lazy
from portal.ui.explain import Fault
from portal.ui.numbers import spaced
from portal.ui.pages import go, page, toast
from portal.ui.tabs import PANEL, PageTab, wants_panel
from portal.ui.views.connected import ConnectedView

RESULTS = "results"  # the part that keeps itself fresh
_TABS = (
    ("", gettext_lazy("Participants")),
    ("sharing", pgettext_lazy("of the screen", "Sharing")),
    ("quality", gettext_lazy("Quality")),
)


class DashboardSessionView(ConnectedView):
    """A page about a session that runs or that ended, which `type` in its address says.

    An address without it is found out about once and led on from. A session that ended while
    somebody looked is led on to what is known of it afterwards.
    """

    uses = "get"  # the operation of a `Board`
    tab = ""

    place: Place
    session: DashboardSession
    reading: StoredReading

    @property
    def board(self) -> Board:
        board: Board = self.kwargs["board"]
        return board

    def operation(self) -> Operation[Any, Any]:
        operation: Operation[Any, Any] = getattr(self.board, self.uses)
        return operation

    def get(self, *_args: Any, instance: str, **_more: Any) -> HttpResponseBase:
        which = self.request.GET.get("type")
        api, connection = self.request.api, self.request.connection
        scope = self.request.scope
        if scope.is_narrow:
            api = api_for(
                Scope.whole(connection, "quality is kept for all, and narrowed when shown")
            )
        if which not in (LIVE, PAST):
            return self._lead(find(api, connection, self.board, instance))
        self.place = Place(self.board, instance, PAST if which == PAST else LIVE)
        if not self.place.is_live:
            self.request.listed_under = reverse("dashboards:past", args=[connection.key])
        try:
            found = get(api, connection, self.place)
        except NotFound:
            if not self.place.is_live:
                raise
            return self._ended(instance)
        self.session, self.reading = found.session, found.reading
        if not is_within(scope, self.session.email):
            raise Http404
        return self.answer()

    def answer(self) -> HttpResponseBase:
        """The page, of `self.session` at `self.place`."""
        raise NotImplementedError

    def _lead(self, place: Place) -> HttpResponse:
        query = self.request.GET.copy()
        query["type"] = place.which
        return go(self.request, f"{self.request.path}?{query.urlencode()}")

    def _ended(self, session_id: str) -> HttpResponse:
        past = Place(self.board, session_id, PAST)
        found = get(self.request.api, self.request.connection, past)
        is_webinar = self.board.family == WEBINARS.family
        words = _("This webinar has ended.") if is_webinar else _("This meeting has ended.")
        toast(self.request, "neutral", words)
        place = Place(self.board, found.session.uuid or session_id, PAST)
        return go(self.request, self.url(self.tab, place=place))

    def url(
        self,
        part: str = "",
        *args: str,
        place: Place | None = None,
        query: Mapping[str, str] | None = None,
    ) -> str:
        """The address of another page about this session."""
        at = place or self.place
        path = reverse(at.board.url_name(part), args=[self.request.connection.key, at.id, *args])
        return f"{path}?{urlencode({'type': at.which, **(query or {})})}"

    def tab_page(
        self,
        template: str,
        context: dict[str, Any],
        *,
        reading: StoredReading | None = None,
        fault: Fault | None = None,
        status: int = 200,
    ) -> HttpResponse:
        """The tab as a whole page, as the panel of one that is open, or only what is fresh in it.

        `fault` is why the tab's own part could not be read at all.
        """
        shown = reading or self.reading
        shared = {
            "board": self.board,
            "place": self.place,
            "session": self.session,
            "session_fault": fault or shown.fault or self.reading.fault,
            "as_of": clock(shown.read_at),
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
            (_("Media"), ", ".join(map(_, one.used))),
        ]
        return [(title, value) for title, value in facts if value]
