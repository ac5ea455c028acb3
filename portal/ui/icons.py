"""Lucide's icons, drawn from one file that browsers cache."""

from functools import cache, lru_cache
from pathlib import Path

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.config.environment import BASE_DIR

_SVG = (
    '<svg class="sb-icon" width="{size}" height="{size}" aria-hidden="true" focusable="false">'
    '<use href="{sprite}#{name}"/></svg>'
)


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
