"""From a list to the settings of its rows, side by side."""

from collections.abc import Iterable
from itertools import islice
from typing import Any, ClassVar

from django.http import HttpResponse

from portal.access.http import PortalRequest
from portal.translation import gettext as _
from portal.translation import number
from portal.ui.pages import go
from portal.ui.selection import SelectionRefused
from portal.ui.settings.subjects import MOST_COMPARED, SubjectKind, compare_url
from portal.ui.toasts import toast
from portal.ui.views.listing import ListView

COMPARING = ("GET", "HEAD", "POST")


def compare(
    request: PortalRequest, kind: SubjectKind, ids: Iterable[str], count: int
) -> HttpResponse:
    """Leads there, and says of how many there is no room; `count` is how many there are."""
    some = list(islice(ids, MOST_COMPARED))
    if count > len(some):
        words = _(
            "Up to %(most)s %(noun)s can be compared at once. %(left)s of %(count)s were left out."
        ) % {
            "most": MOST_COMPARED,
            "noun": kind.noun[1],
            "left": number(count - len(some)),
            "count": number(count),
        }
        toast(request, "warning", words)
    return go(request, compare_url(request.connection.key, kind, some))


class ComparedListView(ListView):
    """A list whose rows have settings: a POST of `compare` is about those that were selected, a GET
    about all that the list shows.

        methods = {**ListView.methods, "compare": COMPARING}
        path("compare/", RoomList.as_view(part="compare"), name="compare"),
    """

    compares: ClassVar[SubjectKind]
    subject_key: ClassVar[str] = "id"

    def answer_compare(self, *_args: Any, **_kwargs: Any) -> HttpResponse:
        request = self.request
        try:
            rows = (
                self.selected()[0]
                if request.method == "POST"
                else self.rows(self.get_filters(request.GET))
            )
        except SelectionRefused as refused:
            toast(request, "warning", str(refused))
            return go(request, self.list_url())
        count, read = self.counted(rows)
        ids = (str(getattr(row, self.subject_key)) for row in read)
        return compare(request, self.compares, ids, count)
