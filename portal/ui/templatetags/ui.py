"""Template tags used everywhere: icons, states, times, values to copy."""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from django import template
from django.core.paginator import Page
from django.template.loader import render_to_string
from django.urls import NoReverseMatch, reverse
from django.utils import dateformat, timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from portal.access.models import Connection
from portal.audit.wording import length
from portal.connections.host_days import now_over
from portal.translation import gettext as _, gettext_lazy, number as shown_number, within
from portal.ui import html, lacking, navigation, states, times
from portal.ui.bulk_result import NamedPeople
from portal.ui.navigation import Link
from portal.ui.numbers import size_in_words
from portal.ui.pages import level_of
from portal.ui.tables import Table

register = template.Library()
_NAMED = 10

register.simple_tag(html.icon, name="icon")
register.simple_tag(states.pill, name="status")
register.simple_tag(states.live_pill)
register.simple_tag(states.health)
register.simple_tag(states.state_icon, name="state_icon")
register.filter("colour", states.colour)
register.filter("toast_level", level_of)
register.filter("within", within)


_PLACE = ("page", "view", "before", "after", "open")  # what of an address is about one page


@register.simple_tag
def once(template_name: str, **values: Hashable) -> SafeString:
    """Returns a part of a page that depends on these values and the language alone: rendered once
    for each, and not with every page."""
    return _rendered(template_name, get_language(), **values)


@lru_cache(maxsize=1024)
def _rendered(template_name: str, _language: str, **values: Hashable) -> SafeString:
    return render_to_string(template_name, values)


@register.simple_tag
def when(moment: datetime | None, otherwise: str = gettext_lazy("Never")) -> str | SafeString:
    """Shows the time since a moment, with the exact time and its zone as the title."""
    return times.relative(moment) if moment else otherwise


@register.simple_tag
def used_up(connection: Any) -> SafeString:
    """Says what nothing is left of, of the limits of the service; mostly empty."""
    over = [one.words for one in now_over(connection)]
    url = reverse("connections:used-up", args=[connection.key]) if over else ""
    return states.used_up(over, url) if over else SafeString("")


@register.simple_tag(takes_context=True)
def lacking_here(context: dict[str, Any]) -> str:
    """Returns the scope that the change of this page lacks; mostly empty."""
    return lacking.lacking_here(context["request"]) if "request" in context else ""


@register.simple_tag(takes_context=True)
def lacking_links(context: dict[str, Any]) -> list[dict[str, str]]:
    """Returns the paths of pages whose change lacks a scope, each with why."""
    return lacking.lacking_links(context["request"]) if "request" in context else []


@register.filter
def at(cells: Mapping[int, str], key: int) -> str:
    """Returns the cell of a row; a dash if nothing is known."""
    return cells.get(key, "\N{EN DASH}")


@register.simple_tag
def page_of(name: str, connection: Connection) -> str:
    """Returns the address of a page, of the connection if it is one of these."""
    try:
        return reverse(name, args=[connection.key])
    except NoReverseMatch:
        return reverse(name)


@register.simple_tag(takes_context=True)
def pages_within(context: dict[str, Any], url_name: str) -> list[Link]:
    """Returns the pages to which the page of this name leads, and no entry of the navigation."""
    return navigation.pages_within(context["request"], url_name)


@register.simple_tag
def copy(value: object, what: str) -> SafeString:
    """Returns a button that copies a value; it shows only where scripts run."""
    words = _("Copy the %(what)s") % {"what": what}
    return format_html(
        '<button class="btn btn-sm btn-icon btn-ghost-secondary sb-copy sb-js" type="button"'
        ' data-copy="{}" title="{}" aria-label="{}">{}</button>',
        value,
        words,
        words,
        html.icon("copy", 14),
    )


@register.inclusion_tag("ui/table.html", takes_context=True)
def table(context: dict[str, Any], table: Table) -> dict[str, Any]:
    """Returns a table with the page of its rows."""
    table.before_render(context["request"])
    return {"table": table}


@register.simple_tag
def field(form: Any, name: str) -> SafeString:
    """Renders a field of a form by its dotted name, with label, help and errors."""
    rendered: SafeString = form[name].as_field_group()
    return rendered


@register.filter("is")
def is_(value: object, other: object) -> str:
    """`true` or `false`, as ARIA writes it."""
    return "true" if value == other else "false"


@register.filter
def initials(person: object) -> str:
    """Returns one or two letters that stand for a person."""
    words = str(person).partition("@")[0].replace(".", " ").split()
    words = [word for word in words if word[0].isalnum()]  # not what stands in brackets
    return "".join(word[0] for word in (words[:1] + words[1:][-1:])).upper()


@register.filter
def names(people: Sequence[NamedPeople]) -> str:
    """Their names in a sentence; of many, the first and how many more there are."""
    shown = ", ".join(one.name for one in people[:_NAMED])
    more = len(people) - _NAMED
    if more <= 0:
        return shown
    return _("%(names)s and %(count)s more") % {"names": shown, "count": shown_number(more)}


@register.simple_tag(takes_context=True)
def page_url(context: dict[str, Any], number: int) -> str:
    """This list's address with another page."""
    query = context["request"].GET.copy()
    query[context.get("page_param", "page")] = number
    return f"?{query.urlencode()}"


@register.simple_tag(takes_context=True)
def narrowed(context: dict[str, Any], name: str, value: str) -> str:
    """Returns this list's address, from its first page, with one of its filters set to a value; if
    that is empty, without the filter."""
    query = context["request"].GET.copy()
    for left in (name, *_PLACE):
        query.pop(left, None)
    if value:
        query[name] = value
    return f"?{query.urlencode()}"


@register.filter
def elided(page: Page[object]) -> Iterable[int | str]:
    """Returns the numbers of a pager, with gaps if there are many."""
    return page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1)


register.filter("size", size_in_words)
register.filter("thousands", shown_number)


@register.simple_tag
def moment(at: datetime | None, otherwise: str = "") -> str:
    """Returns a start or an end, exactly: "21 November 2026, 14:02 (Europe/Berlin)"."""
    if at is None:
        return otherwise
    zone = timezone.get_current_timezone_name()
    exactly = dateformat.format(timezone.localtime(times.aware(at)), _("j F Y, H:i"))
    return f"{exactly} ({zone})"


@register.simple_tag
def now_exactly() -> str:
    """Says when a page was made: "21 November 2026, 14:02:05 (Europe/Berlin)"."""
    return times.exact(timezone.now())


@register.simple_tag
def clock(at: datetime | None) -> str | SafeString:
    """Returns the time of a day, with the day and the zone as the title."""
    if at is None:
        return _("Unknown")
    local = dateformat.format(timezone.localtime(times.aware(at)), "H:i:s")
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', at.isoformat(), times.exact(at), local
    )


@register.simple_tag
def minutes(count: int | None) -> str:
    """Returns a duration that is reported in minutes: "1 h 30 min"."""
    return _("Unknown") if count is None else length(count)


@register.simple_tag
def stayed(seconds: int | None) -> str:
    """Shows the length of a stay, which is given in seconds."""
    if seconds is None:
        return _("Unknown")
    if seconds < 60:
        return _("%(seconds)s s") % {"seconds": seconds}
    return minutes(-(-seconds // 60))


@register.filter
def breakable(text: object) -> SafeString:
    """Returns an address that breaks after its `@` and `/` if it is too long for its line."""
    pieces = re.split(r"(?<=[@/])", str(text))
    return format_html_join(mark_safe("<wbr>"), "{}", ((piece,) for piece in pieces))


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
    """Returns a fact in a list of them; with `copy`, what it is called by the button that copies
    it, and with `url`, the page that it leads to."""
    return {
        "title": title,
        "value": value,
        "is_time": isinstance(value, datetime),
        "copy": copy if value else "",
        "copied": copied or value,
        "otherwise": otherwise,
        "url": url,
    }
