"""Pages that show what the mirror has: how old it is, and asking for a newer copy of it."""

from datetime import datetime
from typing import ClassVar

from django.http import HttpResponse

from portal.access import availability
from portal.mirror.mirrored_list import StoredList
from portal.mirror.models import MirrorState
from portal.mirror.rows import cache_state
from portal.ui.pages import go, page, wants_fragment
from portal.ui.views.connected import EndpointsView
from portal.ui.views.listing import FilterT, ListView, RowsT


class MirroredView(EndpointsView):
    """A page that says how fresh what it shows is, and has it read again.

        path("refresh/", PeopleList.as_view(endpoint="refresh"), name="refresh"),
        path("freshness/", PeopleList.as_view(endpoint="freshness"), name="freshness"),

    Its template has a partial `freshness`, which includes `ui/freshness.html`.
    """

    methods: ClassVar[dict[str, tuple[str, ...]]] = {
        **EndpointsView.methods,
        "refresh": ("POST",),
        "freshness": ("GET", "HEAD"),
    }
    mirrored: ClassVar[StoredList]  # what of the mirror is shown
    template_name: ClassVar[str]

    state: MirrorState

    def refresh_if_old(self) -> MirrorState:
        """Returns the state of the viewed list, which is read again if it is old."""
        return self.mark_viewed(self.mirrored)

    def mark_viewed(self, mirrored: StoredList) -> MirrorState:
        """Records a view of a list; the page does not read its state again."""
        state = mirrored.mark_viewed(self.request.connection)
        cache_state(self.request.connection, state)
        return state

    def refresh(self) -> MirrorState:
        """Has the list read again."""
        return self.mirrored.request(self.request.connection)

    def refresh_by_hand(self) -> MirrorState:
        """Has the list read again, and forgets which operations were out of reach."""
        availability.forget(self.request.connection.key)
        return self.refresh()

    def find_state(self) -> MirrorState:
        return self.mirrored.state_of(self.request.connection)

    def nouns(self) -> tuple[str, str]:
        """Returns the noun of the rows: for one, and for several."""
        raise NotImplementedError

    def total(self) -> int:
        """Returns the number of rows without filters."""
        raise NotImplementedError

    def context(self) -> dict[str, object]:
        """Returns the context of every fragment of the page."""
        one, many = self.nouns()
        return {
            "state": self.state,
            "total": self.total(),
            "one": one,
            "many": many,
            "read_noun": many,
            "refresh_name": self.url_name("refresh"),
            "freshness_name": self.url_name("freshness"),
            **self.mirrored.progress(self.state),
        }

    def answer_refresh(self, *_args: object, **_kwargs: object) -> HttpResponse:
        self.state = self.refresh_by_hand()
        return self._answer_state()

    def answer_freshness(self, *_args: object, **_kwargs: object) -> HttpResponse:
        """Answers the polls of a page while its list is read. A request for the whole page is
        redirected."""
        self.state = self.find_state()
        return self._answer_state()

    def _answer_state(self) -> HttpResponse:
        if not wants_fragment(self.request):
            return go(self.request, self.url("list"))
        context = self.context()
        answer = page(self.request, self.template_name, context, fragment="freshness")
        if not self.state.is_wanted:
            answer["HX-Trigger"] = "mirror-refreshed"
        return answer


class MirroredListView(MirroredView, ListView[FilterT, RowsT]):
    """A `ListView` of rows of the mirror.

    The template has the partials `fetching` and `nothing` besides, which say what an empty list
    waits for, or lacks.
    """

    methods: ClassVar[dict[str, tuple[str, ...]]] = {**ListView.methods, **MirroredView.methods}

    def nouns(self) -> tuple[str, str]:
        spec = self.get_spec()
        return spec.one, spec.many

    def unread(self) -> list[str]:
        return [*filter(None, [self.find_state().notes_in_words]), *super().unread()]

    def read_at(self) -> datetime | None:
        return self.find_state().refreshed_at

    def answer_page(self, *args: object, **kwargs: object) -> HttpResponse:
        self.state = self.refresh_if_old()
        return super().answer_page(*args, **kwargs)
