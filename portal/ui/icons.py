"""Lucide's icons as inline SVG, each drawn once."""

from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe
from lucide.templatetags.lucide import lucide


@lru_cache(maxsize=256)
def icon(name: str, size: int = 18) -> SafeString:
    """An icon beside a word; screen readers pass over it."""
    svg = lucide(
        name,
        size=size,
        **{"class": "sb-icon", "aria-hidden": "true", "focusable": "false", "stroke-width": "1.75"},
    )
    return mark_safe(svg)  # noqa: S308 - made by the library from its own files
