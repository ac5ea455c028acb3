"""Progress of loading the lists of an account."""

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from portal.access.connected import NoOperation, connected
from portal.access.http import PortalRequest
from portal.config import clock
from portal.mirror.loading import load_again, progress_of
from portal.ui.pages import go, page

_OPEN = NoOperation("Each list asks for its own.")


@require_safe
@connected(needs=_OPEN)
def loading(request: PortalRequest) -> HttpResponse:
    """One line for each list that this person may see; it asks again while any is loaded."""
    lists = progress_of([request.scope]).get(request.connection.pk, ())
    context = {
        "lists": lists,
        "loaded": sum(each.is_loaded for each in lists),
        "moves": any(each.is_loading for each in lists),
        "as_of": clock.now(),
    }
    return page(request, "mirror/loading.html", context)


@require_POST
@connected(needs=_OPEN)
def load(request: PortalRequest) -> HttpResponse:
    """Has loaded again what is old or failed."""
    load_again(request.connection)
    return go(request, reverse("mirror:loading", args=[request.connection.key]))
