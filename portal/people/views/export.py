"""People as a file: those who are listed, or those who were chosen."""

from django.http import Http404, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.contract.users import Users
from portal.people import exports as people
from portal.people.filters import PeopleFilter
from portal.people.services.choosing import Chosen, resolve
from portal.people.tables import PEOPLE, PeopleTable
from portal.ui import exports
from portal.ui.looks import shown_in
from portal.ui.pages import go
from portal.ui.selection import SelectionRefused, chosen_in
from portal.ui.toasts import toast

_AT_ONCE = 2000  # rows that are read from the database together


@require_http_methods(["GET", "POST"])
@connected(needs=Users.list)
def export(request: PortalRequest, kind: str) -> HttpResponseBase:
    """A GET gives what the list at the same query shows, a POST what was chosen in it.

    With `columns=all` there is all that the mirror knows, else the columns that are shown.
    """
    if kind not in exports.KINDS:
        raise Http404
    if request.method == "GET":
        filters = PeopleFilter(request.GET, request.connection)
        return _file(request, kind, Chosen(filters.wanted, filters.in_words), filters.order)
    try:
        chosen = resolve(chosen_in(request.POST), request.connection)
    except SelectionRefused as refused:
        return _back(request, refused)
    return _file(request, kind, chosen, "name")


def _file(request: PortalRequest, kind: str, chosen: Chosen, order: str) -> HttpResponseBase:
    table = PeopleTable([], key=request.connection.key)
    columns = (
        people.ALL
        if request.GET.get("columns") == "all"
        else people.columns_of(shown_in(request, PEOPLE.name, table))
    )
    rows = chosen.rows(request.connection, order)
    exports.note(request, "people", kind, columns, count=rows.count(), by=chosen.said)
    return exports.answer(kind, "people", columns, rows.iterator(chunk_size=_AT_ONCE))


def _back(request: PortalRequest, refused: SelectionRefused) -> HttpResponse:
    toast(request, "warning", str(refused))
    return go(request, reverse("people:list", args=[request.connection.key]))
