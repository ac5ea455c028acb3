"""Django's plain inputs and selects as HTML, the same as its templates make of them.

Django renders a template for each option of a select, and another for its attributes. On a list
with many filters that is most of the page's work.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from portal.ui.html import shown

_WIDGETS = "django/forms/widgets/"
_INPUTS = (
    *("checkbox", "date", "email", "file", "hidden", "input", "number"),
    *("password", "search", "tel", "text", "url"),
)


def draw(template_name: str, context: Mapping[str, Any]) -> SafeString | None:
    """Returns the HTML of the widget in `context`; None for templates that are not listed here."""
    drawn = _DRAWN.get(template_name)
    if drawn is None:
        return None
    return mark_safe(drawn(context["widget"]))  # noqa: S308 - each value is escaped


def _input(widget: Mapping[str, Any]) -> str:
    value = widget["value"]
    given = "" if value is None else f' value="{_as_text(value)}"'
    kind, name = shown(widget["type"]), shown(widget["name"])
    return f'<input type="{kind}" name="{name}"{given}{_attributes(widget["attrs"])}>'


def _textarea(widget: Mapping[str, Any]) -> str:
    value = shown(widget["value"]) if widget["value"] else ""
    attributes = _attributes(widget["attrs"])
    return f'<textarea name="{shown(widget["name"])}"{attributes}>\n{value}</textarea>'


def _select(widget: Mapping[str, Any]) -> str:
    options = "".join(_options(widget["optgroups"]))
    attributes = _attributes(widget["attrs"])
    return f'<select name="{shown(widget["name"])}"{attributes}>{options}\n</select>'


def _options(groups: Any) -> Iterator[str]:
    for title, options, _index in groups:
        if title:
            yield f'\n  <optgroup label="{shown(title)}">'
        for option in options:
            value, attributes = _as_text(option["value"]), _attributes(option["attrs"])
            yield f'\n  <option value="{value}"{attributes}>{shown(option["label"])}</option>'
        if title:
            yield "\n  </optgroup>"


def _attributes(attributes: Mapping[str, Any]) -> str:
    return "".join(
        f" {shown(name)}" if value is True else f' {shown(name)}="{_as_text(value)}"'
        for name, value in attributes.items()
        if value is not False
    )


def _as_text(value: Any) -> str:
    """As `{{ value|stringformat:'s' }}` shows it, in the same digits whatever the language."""
    return shown(value if isinstance(value, str) else str(value))


_DRAWN: dict[str, Callable[[Mapping[str, Any]], str]] = {
    **{f"{_WIDGETS}{name}.html": _input for name in _INPUTS},
    f"{_WIDGETS}select.html": _select,
    f"{_WIDGETS}textarea.html": _textarea,
}
