"""One registrant: everything that they answered, and what can be decided."""

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_GET

from portal.access.http import PortalRequest
from portal.contract.registrants import RegistrantDetails, RegistrantStatus
from portal.sessions.registrant_filter import RegistrantFilter
from portal.sessions.registrant_list import decisions_for
from portal.sessions.services import registrants as service
from portal.sessions.services.registrants import RegistrantLookup, name_of
from portal.sessions.services.session import read
from portal.sessions.specs import SessionSpec
from portal.sessions.views.parts import may_call, part_page
from portal.sessions.views.specs import spec_view
from portal.ui.selection import MATCHING


@require_GET
@spec_view(needs="registrants.list")
def registrant(
    request: PortalRequest, spec: SessionSpec, session_id: str, registrant_id: str
) -> HttpResponse:
    """All that the service reports about a registrant, who has to be found in its list."""
    session = read(request.api, request.scope, spec, session_id)
    filters = RegistrantFilter(request.GET, session.occurrences)
    person = _found(request, spec, session_id, filters.wanted, registrant_id)
    query = f"status={person.status}" if person.status in set(RegistrantStatus) else ""
    if filters.wanted.occurrence_id:
        query += f"&occurrence={filters.wanted.occurrence_id}"
    context = {
        "person": person,
        "name": name_of(person),
        "answers": service.answers(person),
        "decisions": decisions_for(person.status),
        "matching": query,
        "matching_name": MATCHING,
        "may_register": may_call(request, spec.registrants),
    }
    return part_page(
        request,
        spec,
        session_id,
        "sessions/registrant.html",
        context,
        tab="registrants",
        topic=session.topic,
    )


def _found(
    request: PortalRequest,
    spec: SessionSpec,
    session_id: str,
    wanted: RegistrantLookup,
    registrant_id: str,
) -> RegistrantDetails:
    """By the status of the list they were opened from, then by the others."""
    others = [status for status in RegistrantStatus if status is not wanted.status]
    for status in (wanted.status, *others):
        same = RegistrantLookup(status, wanted.occurrence_id)
        ids = [registrant_id]
        for person in service.called(request.api, spec.registrants, session_id, same, ids):
            return person
    raise Http404
