"""The list of the account's recordings: read from the mirror, so that it can be searched, sorted
and exported."""

from collections.abc import Collection
from functools import cached_property
from typing import Any

from django.db.models import QuerySet
from django.http import QueryDict

from portal.contract.recordings import Recordings
from portal.directory.groups import GROUPS
from portal.directory.users import USERS
from portal.mirror.models import MirrorState
from portal.mirror.views.listing import MirroredListView, MirroredView
from portal.recordings import mirror, sharing
from portal.recordings.filters import RecordingsFilter, Shown
from portal.recordings.jobs.reading import READING, request_reading
from portal.recordings.mirror import RecordingFilter
from portal.recordings.models import MirroredRecording, RecordingStatus
from portal.recordings.tables import RECORDINGS, TRASHED, RecordingsTable
from portal.translation import gettext as _
from portal.ui.filters import FilterTab
from portal.ui.listing import ListSpec


class RecordingsReadView(MirroredView):
    """A page that says how far the reading of recordings has come, and has all of them read
    again."""

    def look(self) -> MirrorState:
        for mirrored in (USERS, GROUPS):  # whom recordings are of, which the filters show
            self.mark_viewed(mirrored)
        return READING.mark_viewed(self.request.connection)

    def refresh(self) -> MirrorState:
        return request_reading(self.request.connection)

    def find_state(self) -> MirrorState:
        return mirror.state_of(self.request.connection)

    def context(self) -> dict[str, Any]:
        return super().context() | READING.progress(self.state)


class RecordingListView(RecordingsReadView, MirroredListView):
    """All recordings of the account, by search, host, department, time, size, status and more."""

    needs = Recordings.of_user
    spec = RECORDINGS
    namespace = "recordings"
    template_name = "recordings/list.html"

    def get_spec(self) -> ListSpec:
        return TRASHED if self.request.GET.get("status") == Shown.TRASH else self.spec

    def get_filters(self, data: QueryDict) -> RecordingsFilter:
        return RecordingsFilter(data, self.request.scope)

    def rows(self, filters: RecordingsFilter) -> QuerySet[MirroredRecording]:
        found = mirror.find(self.request.scope, filters.wanted, filters.order)
        return mirror.with_holds(found)

    def rows_of(self, ids: Collection[str]) -> QuerySet[MirroredRecording]:
        found = mirror.find(self.request.scope, RecordingFilter(ids=list(ids)))
        return mirror.with_holds(found)

    def get_table(self, rows: Any, **options: Any) -> RecordingsTable:
        return RecordingsTable(rows, connection=self.request.connection, **options)

    @cached_property
    def counts(self) -> dict[str, int]:
        """Returns the counts on the tabs, if the mirror has them."""
        known = mirror.counts_by_status(self.request.scope)
        partly = known[RecordingStatus.PARTLY]
        return {
            "": sum(known.values()),
            Shown.AVAILABLE.value: known[RecordingStatus.AVAILABLE] + partly,
            Shown.TRASH.value: known[RecordingStatus.TRASHED] + partly,
        }

    def get_tabs(self, filters: RecordingsFilter) -> list[FilterTab]:
        tabs = [("", _("All")), *Shown.choices]
        return [
            FilterTab(value, label, value == filters.shown, self.counts.get(value))
            for value, label in tabs
        ]

    def known_count(self, filters: RecordingsFilter) -> int | None:
        """The tabs have counted these already."""
        return None if filters.chips else self.counts.get(filters.shown)

    def total(self) -> int:
        return self.counts[""]

    def page_context(self, filters: RecordingsFilter, table: Any) -> dict[str, Any]:
        context = super().page_context(filters, table)
        if filters.shown == Shown.EXPOSED or filters.narrowing.keys() & {"password", "sharing"}:
            context |= {
                "about": "recordings/list_sharing.html",
                "unknown": sharing.unknown_count(self.request.scope),
            }
        return context
