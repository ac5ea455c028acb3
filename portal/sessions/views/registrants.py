"""Those who registered for a session: by status, as the service pages them, searched, as files."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import Any, ClassVar

from django.http import Http404, HttpResponse, HttpResponseBase, QueryDict
from django.views.decorators.http import require_GET, require_safe

from portal.access.grants import Can
from portal.access.http import PortalRequest
from portal.config import clock
from portal.contract.registrants import RegistrantDetails, RegistrantStatus
from portal.contract.sessions import ApprovalType
from portal.sessions.jobs.registrant_decisions import RegistrantFilter
from portal.sessions.registrant_list import RegistrantTable, decisions_for, list_of
from portal.sessions.services.losses import registered
from portal.sessions.services.registrants import (
    QUESTIONS,
    SEARCHED,
    RegistrantLookup,
    Registrants,
    answer_to,
    answer_to_own,
    answers,
    name_of,
    own_questions,
)
from portal.sessions.services.session import read
from portal.sessions.specs import SessionSpec
from portal.sessions.views.base import (
    SpecMixin,
    spec_url,
    spec_view,
    tab,
    tab_page,
)
from portal.translation import gettext as _, number
from portal.ui import exports
from portal.ui.exports import ExportColumn
from portal.ui.filters import FilterTab
from portal.ui.listing import ListSpec
from portal.ui.pages import unread_in
from portal.ui.selection import MATCHING
from portal.ui.views.service_listing import ServiceListView, ServicePage


class RegistrantListView(SpecMixin, ServiceListView[RegistrantFilter, RegistrantDetails]):
    """The session's registrants of one status; it opens on those who wait for a decision."""

    operation_name: ClassVar[str] = "registrants.list"
    template_name = "sessions/registrants.html"

    filters: RegistrantFilter

    def prepare(self) -> None:
        """Chooses a status if none was chosen.

        It is as if the address had said so: whatever leads on from the list is about the same ones.
        """
        if self.endpoint != "page" or self.request.GET.get("status"):
            return
        if self.registrants.count(RegistrantLookup(RegistrantStatus.PENDING)):
            query = self.request.GET.copy()
            query["status"] = RegistrantStatus.PENDING.value
            self.request.GET = query  # type: ignore[assignment]

    @property
    def registrants(self) -> Registrants:
        return Registrants(self.request.api, self.session_spec.registrants, self.session_id)

    def get_filters(self, data: QueryDict) -> RegistrantFilter:
        self.filters = RegistrantFilter(data, self.session.occurrences)
        return self.filters

    def get_spec(self) -> ListSpec:
        return list_of(self.session_spec, self.session_id, self.filters.of_status)

    def read_page(self, filters: RegistrantFilter, number: int, size: int) -> ServicePage:
        listed = self.registrants.page(filters.wanted, number=number, size=size)
        return ServicePage(listed.people, listed.total, _cut() if listed.is_cut else "")

    def rows(self, filters: RegistrantFilter) -> list[RegistrantDetails]:
        return list(self.registrants.all(filters.wanted))

    def rows_of(self, ids: Collection[str]) -> list[RegistrantDetails]:
        """Those of the status under which they were listed: the service reports one at a time."""
        self.get_filters(QueryDict(self.request.POST.get("matching", "")))
        return self.registrants.called(self.filters.wanted, ids)

    def get_table(self, rows: Any, **_options: object) -> RegistrantTable:
        url = spec_url(self.request, self.session_spec, "registrant", self.session_id, "REGISTRANT")
        # A join link lets in anyone who has it, so not all users who may read the rest see it.
        has_links = self.request.scope.can_call(self.session_spec.registrants.change_status)
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
        return self.registrants.count(RegistrantLookup(status, wanted.occurrence_id))

    def file_title(self, _table: object) -> str:
        return _("Registrants of %(name)s") % {"name": self.session.topic}

    def list_url(self) -> str:
        return spec_url(self.request, self.session_spec, "registrants", self.session_id)

    def context(self) -> dict[str, object]:
        settings = self.session.details.settings
        return self.spec_context() | {
            "session_id": self.session_id,
            # Where the service does not report it, people can register.
            "takes_registrations": not settings or settings.approval_type != ApprovalType.NONE,
            "may_register": Can(self.request.scope, self.session_spec.registrants.name),
        }

    def show(self, context: Mapping[str, object]) -> HttpResponse:
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


@require_GET
@spec_view(needs="registrants.list")
def registrant(
    request: PortalRequest, spec: SessionSpec, session_id: str, registrant_id: str
) -> HttpResponse:
    """All that the service reports about a registrant, who has to be found in its list."""
    session = read(request.api, request.scope, spec, session_id)
    filters = RegistrantFilter(request.GET, session.occurrences)
    listed = Registrants(request.api, spec.registrants, session_id)
    person = _registrant_named(listed, filters.wanted, registrant_id)
    query = f"status={person.status}" if person.status in set(RegistrantStatus) else ""
    if filters.wanted.occurrence_id:
        query += f"&occurrence={filters.wanted.occurrence_id}"
    context = {
        "person": person,
        "name": name_of(person),
        "answers": answers(person),
        "decisions": decisions_for(person.status),
        "matching": query,
        "matching_name": MATCHING,
        "may_register": Can(request.scope, spec.registrants.name),
    }
    return tab_page(
        request,
        spec,
        session_id,
        "sessions/registrant.html",
        context,
        tab="registrants",
        topic=session.topic,
    )


def _registrant_named(
    listed: Registrants, wanted: RegistrantLookup, registrant_id: str
) -> RegistrantDetails:
    """By the status of the list they were opened from, then by the others."""
    others = [status for status in RegistrantStatus if status is not wanted.status]
    for status in (wanted.status, *others):
        for person in listed.called(replace(wanted, status=status), [registrant_id]):
            return person
    raise Http404


@dataclass(frozen=True)
class _RegistrantLine:
    person: RegistrantDetails
    status: RegistrantStatus
    start: datetime


@require_safe
@spec_view(needs="registrants.list")
def export(
    request: PortalRequest, spec: SessionSpec, session_id: str, file: str
) -> HttpResponseBase:
    """A row for each registration, with the answers: the import of registrants takes it again."""
    if file not in exports.KINDS:
        raise Http404
    session = read(request.api, request.scope, spec, session_id)
    day = exports.day_of(clock.now())
    people = registered(request.api, session, session.occurrences)
    rows = [
        _RegistrantLine(one.person, one.status, start) for one in people for start in one.starts
    ]
    rows.sort(key=lambda line: (line.start, line.person.email))
    title = _("Registrants of %(name)s") % {"name": session.topic}
    export = exports.Export(
        title=title,
        name=exports.file_name(title, day),
        what="registrants",
        columns=_columns([one.person for one in people]),
        rows=rows,
        count=len(rows),
        by=f"id={session.id}",
        read_at=clock.now(),
        unread=unread_in(request),
    )
    return exports.send(request, file, export)


def _columns(people: list[RegistrantDetails]) -> list[ExportColumn]:
    named = {"email": _("Email"), "first_name": _("First name"), "last_name": _("Last name")}
    return [
        ExportColumn("start_time", lambda line: line.start, _("Date"), is_moment=True),
        ExportColumn("status", lambda line: line.status.label, _("Status")),
        *(_column(name, attrgetter(name), title) for name, title in named.items()),
        *(_column(name, partial(answer_to, name=name), each) for name, each in QUESTIONS.items()),
        *(
            _column(title, partial(answer_to_own, title=title), title)
            for title in own_questions(people)
        ),
    ]


def _column(name: str, read: Callable[[RegistrantDetails], Any], title: str) -> ExportColumn:
    return ExportColumn(name, lambda line: read(line.person), title)
