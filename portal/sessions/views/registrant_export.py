"""Registrants as a file: those who are listed, or those who were chosen."""

from collections.abc import Callable, Sequence
from typing import Any

from django.http import Http404, HttpResponseBase
from django.views.decorators.http import require_http_methods

from portal.access.http import PortalRequest
from portal.contract.model import fields
from portal.contract.registrants import RegistrantDetails
from portal.sessions.registrant_filter import RegistrantFilter
from portal.sessions.registrant_selection import Chosen, chosen
from portal.sessions.services import registrants as service
from portal.sessions.services.session import read
from portal.sessions.specs import SessionSpec
from portal.sessions.views.kinds import of_kind
from portal.sessions.views.parts import may_call
from portal.sessions.views.tabs import session_url
from portal.ui import exports
from portal.ui.exports import Column
from portal.ui.pages import go
from portal.ui.selection import SelectionRefused
from portal.ui.toasts import toast

_LINK = "join_url"
_FIRST = ("email", "first_name", "last_name", "status", "create_time", _LINK)
_APART = frozenset({"custom_questions"})


@require_http_methods(["GET", "POST"])
@of_kind(needs="registrants.list")
def export(
    request: PortalRequest, kind: SessionSpec, session_id: str, file: str
) -> HttpResponseBase:
    """A GET gives what the list at the same query tells, a POST what was chosen in it."""
    if file not in exports.KINDS:
        raise Http404
    occurrences = read(request.api, request.connection, kind, session_id).occurrences
    if request.method == "GET":
        filters = RegistrantFilter(request.GET, occurrences)
        picked = Chosen(filters.wanted, (), is_all=True, said=filters.in_words)
    else:
        try:
            picked = chosen(request.POST, occurrences)
        except SelectionRefused as refused:
            toast(request, "warning", str(refused))
            return go(request, session_url(request, kind, session_id, "registrants"))
    # All of them are read before the file begins: a file that ends early would look whole.
    people = picked.people(request.api, kind.registrants, session_id)
    tells_links = may_call(request, kind.registrants).change_status
    columns = columns_of(people, tells_links=tells_links)
    said = picked.said or f"Status: {picked.wanted.status.label}"
    what = f"registrants of {kind.noun} {session_id}"
    exports.note(request, what, file, columns, count=len(people), by=said)
    name = f"{kind.noun}-{session_id}-registrants-{picked.wanted.status.value}"
    return exports.answer(file, name, columns, people)


def columns_of(people: Sequence[RegistrantDetails], *, tells_links: bool) -> list[Column]:
    """All that the interface reports, and a column for each question of the host's own.

    A join link lets in whoever has it, so it is not told to everybody who may read the others.
    """
    apart = _APART if tells_links else {*_APART, _LINK}
    names = [name for name, _info in fields(RegistrantDetails)]
    ordered = [name for name in dict.fromkeys([*_FIRST, *names]) if name not in apart]
    own = service.own_questions(people)
    taken = set(ordered)
    return [
        *(Column(name, _field(name)) for name in ordered),
        *(
            Column(title if title not in taken else f"{title} (answer)", _answer(title))
            for title in own
        ),
    ]


def _field(name: str) -> Callable[[RegistrantDetails], Any]:
    return lambda person: getattr(person, name)


def _answer(title: str) -> Callable[[RegistrantDetails], Any]:
    return lambda person: service.answer_to_own(person, title)
