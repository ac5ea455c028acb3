"""Those who registered for a session: by status, as the service pages them, and searched."""

from django.core.paginator import Page, Paginator
from django.http import HttpResponse, QueryDict
from django.views.decorators.http import require_GET

from portal.access.http import PortalRequest
from portal.contract.registrants import RegistrantDetails, RegistrantStatus
from portal.contract.sessions import ApprovalType
from portal.sessions.registrant_filter import RegistrantFilter
from portal.sessions.registrant_list import NAME, RegistrantTable, actions
from portal.sessions.services import registrants as service
from portal.sessions.services.registrants import SEARCHED, Listing, RegistrantLookup
from portal.sessions.services.session import Session, read
from portal.sessions.specs import SessionSpec
from portal.sessions.views.kinds import kind_url, of_kind
from portal.sessions.views.parts import may_call
from portal.sessions.views.tabs import tab
from portal.ui.list_preferences import choices, chosen_by
from portal.ui.selection import bar
from portal.ui.tabs import Tab

TAB = "registrants"


@require_GET
@of_kind(needs="registrants.list")
def registrant_list(request: PortalRequest, kind: SessionSpec, session_id: str) -> HttpResponse:
    """The session's registrants of one status."""
    session = read(request.api, request.connection, kind, session_id)
    _open(request, kind, session_id)
    filters = RegistrantFilter(request.GET, session.occurrences)
    found = _page(request, kind, session_id, filters)
    table = RegistrantTable(
        found.people,
        url=kind_url(request, kind, "registrant", session_id, "REGISTRANT"),
        query=filters.query,
    )
    columns = choices(table, chosen_by(request.user, NAME, view=None))
    table.show([column.name for column in columns if column.is_shown])
    offered = actions(kind, session_id, filters.of_status)
    nouns = ("registrant", "registrants")
    chosen = bar(request, offered, nouns, found.total, _matching(filters))
    table.selects = chosen is not None
    table.before_render(request)
    context = {
        "filters": filters,
        "table": table,
        "page": _pager(found, filters.page_size),
        "found": found,
        "searched": SEARCHED,
        "columns": columns,
        "list_name": NAME,
        "bar": chosen,
        "tabs_by_status": _tabs(request, kind, session_id, filters, found),
        "takes_registrations": _takes_registrations(session),
        "may_register": may_call(request, kind.registrants),
    }
    return tab(
        request,
        kind,
        session_id,
        "sessions/registrants.html",
        context,
        current=TAB,
        session=session,
    )


def _open(request: PortalRequest, kind: SessionSpec, session_id: str) -> None:
    """Opens the list on those who wait for a decision, if there are any and no status was chosen.

    It is as if the address had said so: whatever leads on from the list is about the same ones.
    """
    if request.GET.get("status"):
        return
    waiting = RegistrantLookup(RegistrantStatus.PENDING)
    found = service.listing(request.api, kind.registrants, session_id, waiting, number=1, size=1)
    if found.total:
        said = request.GET.copy()
        said["status"] = RegistrantStatus.PENDING.value
        request.GET = said  # type: ignore[assignment]


def _page(
    request: PortalRequest, kind: SessionSpec, session_id: str, filters: RegistrantFilter
) -> Listing:
    """The page that is asked for; the last one where there are fewer by now."""
    asked = request.GET.get("page", "")
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 7 else 1
    size = filters.page_size

    def at(number: int) -> Listing:
        return service.listing(
            request.api,
            kind.registrants,
            session_id,
            filters.wanted,
            number=max(1, number),
            size=size,
        )

    found = at(number)
    is_beyond = not found.people and found.total > 0
    return at(-(-found.total // size)) if is_beyond else found


def _pager(found: Listing, size: int) -> Page[RegistrantDetails]:
    paginator: Paginator[RegistrantDetails] = Paginator([], size)
    paginator.count = found.total
    return Page(found.people, found.number, paginator)


def _matching(filters: RegistrantFilter) -> str:
    """What "all that match" means: the status is always a part of it."""
    query = QueryDict(filters.query, mutable=True)
    query["status"] = filters.of_status.value
    return query.urlencode()


def _tabs(
    request: PortalRequest,
    kind: SessionSpec,
    session_id: str,
    filters: RegistrantFilter,
    found: Listing,
) -> list[Tab]:
    """The statuses; how many have the others is asked of the service, without the search."""

    def count(status: RegistrantStatus) -> int | None:
        wanted = RegistrantLookup(status, filters.wanted.occurrence_id)
        if status is filters.of_status and not filters.wanted.search:
            return found.total
        return service.count(request.api, kind.registrants, session_id, wanted)

    order = (RegistrantStatus.APPROVED, RegistrantStatus.PENDING, RegistrantStatus.DENIED)
    return [
        Tab(status.value, status.label, status is filters.of_status, count(status))
        for status in order
    ]


def _takes_registrations(session: Session) -> bool:
    """Whether people can register; `True` where the service does not report."""
    settings = session.details.settings
    return settings is None or settings.approval_type != ApprovalType.NONE
