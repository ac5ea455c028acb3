"""Pages about the copies of an account: start, search and loading."""

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from portal.access.http import PortalRequest
from portal.config import clock
from portal.connections.connected import NoOperation, connected
from portal.mirror.loading import load_again, progress_of
from portal.mirror.search import search
from portal.ui.navigation import first_page
from portal.ui.pages import go, page

_LONGEST = 200
_OPEN = NoOperation("Each list asks for its own.")


@require_safe
@connected(needs=NoOperation("Each search asks for its own."))
def everywhere(request: PortalRequest) -> HttpResponse:
    """Shows the hits of some words among people, groups, pages and actions."""
    text = request.GET.get("q", "").replace("\x00", "").strip()
    is_too_long = len(text) > _LONGEST
    result = [] if is_too_long else search(request, text)
    context = {
        "q": text,
        "longest": _LONGEST if is_too_long else 0,
        "found": [kind for kind in result if kind.hits],
        "unread": ", ".join(str(kind.title) for kind in result if kind.is_unread),
    }
    return page(request, "mirror/search.html", context, fragment="hits")


@require_safe
@connected(needs=NoOperation("It shows nothing itself."))
def start(request: PortalRequest) -> HttpResponse:
    """Redirects to the first page that the user may open there."""
    return go(request, first_page(request, request.connection))


@require_safe
@connected(needs=_OPEN)
def loading(request: PortalRequest) -> HttpResponse:
    """Shows the lists that the user may see; the page polls while any is being loaded."""
    lists = progress_of([request.scope]).get(request.connection.pk, ())
    context = {
        "lists": lists,
        "loaded": sum(each.is_loaded for each in lists),
        "moves": any(each.state.is_wanted for each in lists),
        "as_of": clock.now(),
    }
    return page(request, "mirror/loading.html", context)


@require_POST
@connected(needs=_OPEN)
def load(request: PortalRequest) -> HttpResponse:
    """Has loaded again what is old or failed."""
    load_again(request.connection)
    return go(request, reverse("mirror:loading", args=[request.connection.key]))
