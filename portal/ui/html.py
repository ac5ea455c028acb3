"""Values as HTML where a template for each would cost too much."""

from html import escape
from typing import Any

from django.utils.formats import localize
from django.utils.html import conditional_escape
from django.utils.timezone import template_localtime  # type: ignore[attr-defined]


def shown(value: Any) -> str:
    """Returns the HTML of `{{ value }}`: escaped unless it is HTML, in the viewer's zone."""
    if type(value) is str:
        return escape(value)
    return conditional_escape(localize(template_localtime(value)))
