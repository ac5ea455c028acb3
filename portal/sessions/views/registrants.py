"""Those who registered for a session: by status, as the service pages them, searched, as files."""

from collections.abc import Collection
from functools import cached_property
from typing import Any, ClassVar

from django.http import HttpResponse, QueryDict

from portal.contract.registrants import RegistrantDetails, RegistrantStatus
from portal.contract.sessions import ApprovalType
from portal.sessions.registrant_filter import RegistrantFilter
from portal.sessions.registrant_list import RegistrantTable, list_of
from portal.sessions.services import registrants as service
from portal.sessions.services.registrants import SEARCHED, RegistrantLookup
from portal.sessions.services.session import SessionRecord, read
from portal.sessions.views.actions import SpecMixin
from portal.sessions.views.parts import may_call
from portal.sessions.views.specs import spec_url
from portal.sessions.views.tabs import session_url, tab
from portal.translation import gettext as _
from portal.translation import number
from portal.ui.filters import FilterTab
from portal.ui.listing import ListSpec
from portal.ui.views.service_listing import ServiceListView, ServicePage


class RegistrantListView(SpecMixin, ServiceListView):
    """The session's registrants of one status; it opens on those who wait for a decision."""

    operation_name: ClassVar[str] = "registrants.list"
    template_name = "sessions/registrants.html"

    filters: RegistrantFilter

    @property
    def session_id(self) -> str:
        session_id: str = self.kwargs["session_id"]
        return session_id

    @cached_property
    def session(self) -> SessionRecord:
        request = self.request
        return read(request.api, request.scope, self.session_spec, self.session_id)

    def prepare(self) -> None:
        """Chooses a status where none was chosen.

        It is as if the address had said so: whatever leads on from the list is about the same ones.
        """
        if self.part == "page" and not self.request.GET.get("status") and self._somebody_waits():
            said = self.request.GET.copy()
            said["status"] = RegistrantStatus.PENDING.value
            self.request.GET = said  # type: ignore[assignment]

    def _somebody_waits(self) -> bool:
        return bool(self._count(RegistrantLookup(RegistrantStatus.PENDING)))

    def _count(self, lookup: RegistrantLookup) -> int | None:
        family = self.session_spec.registrants
        return service.count(self.request.api, family, self.session_id, lookup)

    def get_filters(self, data: QueryDict) -> RegistrantFilter:
        self.filters = RegistrantFilter(data, self.session.occurrences)
        return self.filters

    def get_spec(self) -> ListSpec:
        return list_of(self.session_spec, self.session_id, self.filters.of_status)

    def read_page(self, filters: RegistrantFilter, number: int, size: int) -> ServicePage:
        family = self.session_spec.registrants
        found = service.listing(
            self.request.api, family, self.session_id, filters.wanted, number=number, size=size
        )
        return ServicePage(found.people, found.total, _cut() if found.is_cut else "")

    def rows(self, filters: RegistrantFilter) -> list[RegistrantDetails]:  # type: ignore[override]
        family = self.session_spec.registrants
        return list(service.everyone(self.request.api, family, self.session_id, filters.wanted))

    def rows_of(self, ids: Collection[str]) -> list[RegistrantDetails]:  # type: ignore[override]
        """Those of the status under which they were listed: the service reports one at a time."""
        self.get_filters(QueryDict(self.request.POST.get("matching", "")))
        family, wanted = self.session_spec.registrants, self.filters.of_list
        return service.called(self.request.api, family, self.session_id, wanted, ids)

    def get_table(self, rows: Any, **_options: Any) -> RegistrantTable:
        url = spec_url(self.request, self.session_spec, "registrant", self.session_id, "REGISTRANT")
        # A join link lets in whoever has it, so it is not shown to everybody who may read the rest.
        has_links = may_call(self.request, self.session_spec.registrants).change_status
        return RegistrantTable(rows, url=url, query=self.filters.query, has_links=has_links)

    def get_tabs(self, filters: RegistrantFilter) -> list[FilterTab]:
        """The statuses; how many have the others is asked of the service, without the search."""
        order = (RegistrantStatus.APPROVED, RegistrantStatus.PENDING, RegistrantStatus.DENIED)
        return [
            FilterTab(one.value, one.label, one is filters.of_status, self._of(one))
            for one in order
        ]

    def _of(self, status: RegistrantStatus) -> int | None:
        wanted = self.filters.wanted
        if status is wanted.status and not wanted.search:
            return self.shown.total
        return self._count(RegistrantLookup(status, wanted.occurrence_id))

    def file_title(self, _table: Any) -> str:
        topic = self.session.topic or self.session_spec.called(self.session_id)
        return _("Registrants of %(name)s") % {"name": topic}

    def list_url(self) -> str:
        return session_url(self.request, self.session_spec, self.session_id, "registrants")

    def context(self) -> dict[str, Any]:
        settings = self.session.details.settings
        return self.spec_context() | {
            "session_id": self.session_id,
            # Where the service does not report it, people can register.
            "takes_registrations": not settings or settings.approval_type != ApprovalType.NONE,
            "may_register": may_call(self.request, self.session_spec.registrants),
        }

    def show(self, context: dict[str, Any]) -> HttpResponse:
        return tab(
            self.request,
            self.session_spec,
            self.session_id,
            self.template_name,
            context,
            current="registrants",
            session=self.session,
        )


def _cut() -> str:
    words = _("The service has no search: only the first %(count)s were searched")
    return f". {words % {'count': number(SEARCHED)}}"
