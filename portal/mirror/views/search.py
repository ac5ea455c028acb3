"""The search over everything, as a page of its own and as what the search dialog shows."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from portal.access.connected import NoOperation, connected
from portal.access.http import PortalRequest
from portal.mirror.search import search
from portal.ui.pages import page

_LONGEST = 200


@require_safe
@connected(needs=NoOperation("Each search asks for its own."))
def everywhere(request: PortalRequest) -> HttpResponse:
    """Shows the hits of some words among people, groups, pages and actions."""
    text = request.GET.get("q", "").replace("\x00", "").strip()
    is_too_long = len(text) > _LONGEST
    found = [] if is_too_long else search(request, text)
    context = {
        "q": text,
        "longest": _LONGEST if is_too_long else 0,
        "found": [kind for kind in found if kind.hits],
        "unread": ", ".join(str(kind.title) for kind in found if kind.is_unread),
    }
    return page(request, "mirror/search.html", context, fragment="hits")
