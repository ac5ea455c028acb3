"""Template tags of recordings."""

from typing import Any

from django import template

from portal.recordings.views.sharing import source_url

register = template.Library()


@register.simple_tag(takes_context=True)
def recording_url(context: dict[str, Any], name: str, *more: str) -> str:
    """Returns a page below the context's `spec` and `session_id`: `{% recording_url "recordings"
    %}`."""
    return source_url(context["request"], context["spec"], context["session_id"], name, *more)
