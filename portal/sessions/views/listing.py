"""The list of sessions of a kind: read from the mirror, so that it can be searched, sorted and
exported."""

from collections.abc import Collection
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

from django.db.models import QuerySet
from django.http import QueryDict

from portal.client import ApiError
from portal.connections.connected import Needs
from portal.mirror.views.listing import MirroredListView, MirroredView
from portal.sessions import mirror
from portal.sessions.filters import LIVE, NOTHING, WHEN, SessionsFilter
from portal.sessions.jobs.reading import READING
from portal.sessions.kinds import first_kind
from portal.sessions.mirror import SessionFilter
from portal.sessions.models import MirroredSession
from portal.sessions.services.live import Running, running
from portal.sessions.tables import SessionsTable, list_of
from portal.sessions.views.base import SpecMixin
from portal.translation import gettext as _
from portal.ui import listing
from portal.ui.error_messages import explain
from portal.ui.filters import FilterTab
from portal.ui.numbers import whole
from portal.ui.tables import Table


class SessionsReadView(MirroredView):
    """A page that shows the progress of reading sessions, and has all of them read again. One of
    all kinds is for those who may list the first."""

    mirrored = READING

    def operation(self) -> Needs:
        needs: Needs = first_kind().of_user
        return needs


class SessionListView(
    SpecMixin, SessionsReadView, MirroredListView[SessionsFilter, QuerySet[MirroredSession]]
):
    """All sessions of the account, by search, time, type, host, registration and recording."""

    operation_name: ClassVar[str] = "of_user"
    template_name = "sessions/list.html"

    def get_spec(self) -> listing.ListSpec:
        return list_of(self.session_spec)

    def context(self) -> dict[str, object]:
        return super().context() | self.spec_context()

    def url_name(self, endpoint: str) -> str:
        return f"{self.session_spec.family}:{endpoint}"

    def get_filters(self, data: QueryDict) -> SessionsFilter:
        return SessionsFilter(data, self.request.scope, self.session_spec)

    def rows(self, filters: SessionsFilter) -> QuerySet[MirroredSession]:
        """Raises `ApiError` for a file of live sessions that the service does not report."""
        wanted = filters.wanted
        if filters.chosen_time == LIVE:
            if isinstance(self.live, ApiError) and self.endpoint != "page":
                raise self.live
            wanted = replace(wanted, numbers=getattr(self.live, "numbers", []))
        return mirror.find(self.request.scope, wanted, filters.order)

    def rows_of(self, ids: Collection[str]) -> QuerySet[MirroredSession]:
        numbers = [number for key in ids if (number := whole(key)) is not None]
        wanted = SessionFilter(kinds=[self.session_spec.family], ids=numbers)
        return mirror.find(self.request.scope, wanted)

    def total(self) -> int:
        wanted = SessionFilter(kinds=[self.session_spec.family])
        return mirror.find(self.request.scope, wanted).count()

    def get_table(self, rows: object, **options: object) -> SessionsTable:
        key = self.request.connection.key
        return SessionsTable(rows, key=key, spec=self.session_spec, **options)

    def get_tabs(self, filters: SessionsFilter) -> list[FilterTab]:
        return [FilterTab(value, label, value == filters.chosen_time) for value, label in WHEN]

    @cached_property
    def live(self) -> Running | ApiError:
        """Returns the sessions that run now: asked of the service, whatever the age of the list."""
        try:
            return running(self.request.api, self.request.scope, self.session_spec)
        except ApiError as error:
            return error

    def page_context(self, filters: SessionsFilter, table: Table) -> dict[str, object]:
        context = super().page_context(filters, table)
        if filters.chosen_time == LIVE:
            context |= self._about_live()
        missing, use = NOTHING.get(filters.chosen_time, (_("No {}"), ""))
        return {
            "empty_title": missing.format(self.session_spec.plural),
            "empty_text": use,
            **context,
        }

    def _about_live(self) -> dict[str, object]:
        about: dict[str, object] = {"about": "sessions/list_live.html"}
        if isinstance(self.live, Running):
            return about | {"running": self.live}
        fault = explain(self.live)
        why = f"{fault.title}. {fault.text}"
        title = _("Live %(plural)s are unknown") % {"plural": self.session_spec.plural}
        return about | {"running": None, "empty_title": title, "empty_text": why}
