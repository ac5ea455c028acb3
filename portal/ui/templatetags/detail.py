"""Template tags of detail pages: facts to copy, and addresses with line-break points."""

import re
from datetime import datetime

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from portal.translation import gettext_lazy

register = template.Library()


@register.filter
def breakable(text: object) -> SafeString:
    """An address that breaks after its `@` and `/` where it is too long for its line."""
    parts = re.split(r"(?<=[@/])", str(text))
    return format_html_join(mark_safe("<wbr>"), "{}", ((part,) for part in parts))


@register.inclusion_tag("ui/fact.html")
def fact(
    title: str,
    value: object,
    *,
    copy: str = "",
    copied: object = None,
    otherwise: str = gettext_lazy("Not set"),
    url: str = "",
) -> dict[str, object]:
    """A fact in a list of them; with `copy`, what it is called by the button that copies it, and
    with `url`, the page that it leads to."""
    return {
        "title": title,
        "value": value,
        "is_time": isinstance(value, datetime),
        "copy": copy if value else "",
        "copied": copied or value,
        "otherwise": otherwise,
        "url": url,
    }
