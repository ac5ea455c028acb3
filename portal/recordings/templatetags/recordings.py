"""Template tags of recordings."""

from typing import Any

from django import template

from portal.recordings import holds
from portal.recordings.views.sharing import source_url

register = template.Library()


@register.simple_tag(takes_context=True)
def hold_of(context: dict[str, Any], uuid: str) -> str:
    """Returns the sentence about a recording's hold; empty for one that can be deleted."""
    return holds.why_on_hold(context["request"].connection, [uuid]).get(uuid, "") if uuid else ""


@register.simple_tag(takes_context=True)
def recording_url(context: dict[str, Any], name: str, *more: str) -> str:
    """Returns a page below the context's `spec` and `session_id`: `{% recording_url "recordings"
    %}`."""
    return source_url(context["request"], context["spec"], context["session_id"], name, *more)
