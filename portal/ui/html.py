"""Values as HTML where a template for each would cost too much, and icons from one cached file."""

from functools import cache, lru_cache
from html import escape
from pathlib import Path
from typing import Any

from django.templatetags.static import static
from django.utils.formats import localize
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.timezone import template_localtime  # type: ignore[attr-defined]

from portal.config.environment import BASE_DIR

_SVG = (
    '<svg class="sb-icon" width="{size}" height="{size}" aria-hidden="true">'
    '<use href="{sprite}#{name}"/></svg>'
)


def shown(value: Any) -> str:
    """Returns the HTML of `{{ value }}`: escaped unless it is HTML, in the viewer's zone."""
    if type(value) is str:
        return escape(value)
    return conditional_escape(localize(template_localtime(value)))


@lru_cache(maxsize=256)
def icon(name: str, size: int = 18) -> SafeString:
    """Returns an icon beside a word, which screen readers pass over.

    Raises `KeyError` if `static/icons.txt` does not list the name.
    """
    if name not in listed():
        raise KeyError(name)
    return format_html(_SVG, size=size, sprite=static("build/icons.svg"), name=name)


@cache
def listed() -> frozenset[str]:
    """Returns the names of the icons that the build takes from Lucide."""
    return frozenset(Path(BASE_DIR, "static", "icons.txt").read_text().split())
