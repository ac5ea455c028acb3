"""How old a mirrored list is: the part of its page that asks again while the list is read."""

from typing import Any

from django.http import HttpResponse

from portal.access.http import PortalRequest
from portal.ui.pages import go, page


def how_fresh(
    request: PortalRequest, template: str, context: dict[str, Any], whole: str
) -> HttpResponse:
    """The partial `freshness` of a list page, by the `state` in the context; the list hears of it
    when nothing is read any more. Whoever asks without htmx is sent to the `whole` page."""
    if not request.htmx:
        return go(request, whole)
    answer = page(request, template, context, fragment="freshness")
    if not context["state"].is_wanted:
        answer["HX-Trigger"] = "mirror-refreshed"
    return answer
