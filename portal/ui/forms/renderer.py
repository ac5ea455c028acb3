"""Rendering of every form of the portal, Django's and the libraries' own included."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django import forms
from django.forms.renderers import TemplatesSetting
from django.http import HttpRequest
from django.utils.safestring import mark_safe

from portal.ui.html import shown

# Django renders a template for each option of a select, and another for its attributes. On a list
# with many filters that is most of the page's work.
_WIDGETS = "django/forms/widgets/"
_INPUTS = (
    *("checkbox", "date", "email", "file", "hidden", "input", "number"),
    *("password", "search", "tel", "text", "url"),
)
_TICKED = (forms.CheckboxInput, forms.RadioSelect, forms.CheckboxSelectMultiple)


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


def _as_text(value: object) -> str:
    """As `{{ value|stringformat:'s' }}` shows it, in the same digits whatever the language."""
    return shown(value if isinstance(value, str) else str(value))


DRAWN: dict[str, Callable[[Mapping[str, Any]], str]] = {
    **{f"{_WIDGETS}{name}.html": _input for name in _INPUTS},
    f"{_WIDGETS}select.html": _select,
    f"{_WIDGETS}textarea.html": _textarea,
}


class HouseField(forms.BoundField):
    """A field whose id holds no dots, which style sheets and htmx would misread."""

    @property
    def auto_id(self) -> str:
        return super().auto_id.replace(".", "-")

    @property
    def kind(self) -> str:
        """Which of the field template's layouts it takes."""
        if isinstance(self.field.widget, _TICKED):
            return "switch" if isinstance(self.field.widget, forms.CheckboxInput) else "choices"
        return "search" if _is_search(self.field.widget) else "box"

    @property
    def shown_with(self) -> str:
        """Returns what has to be chosen for it to show, as `kind=loss,jitter`; empty for any."""
        return getattr(self.field, "shown_with", "")

    @property
    def mark(self) -> str:
        """Returns which of its fields a form marks, `required` or `optional`: the fewer ones, and
        none if all are required, as when signing in. A switch is neither."""
        if self.kind == "switch":
            return ""
        asked = [
            field.required
            for field in self.form.fields.values()
            if not (field.widget.is_hidden or isinstance(field, forms.BooleanField))
        ]
        marks_optional = sum(asked) * 2 > len(asked)
        if self.field.required:
            return "" if marks_optional else "required"
        return "optional" if marks_optional else ""

    def build_widget_attrs(
        self, attrs: dict[str, Any], widget: forms.Widget | None = None
    ) -> dict[str, Any]:
        built: dict[str, Any] = super().build_widget_attrs(attrs, widget)
        # Browsers cut what is pasted to it without a word, which is invisible in a password. What
        # is too long stays as it was typed, and is an error of the field.
        built["maxlength"] = False
        widget = widget or self.field.widget
        own = widget.attrs.get("class", "")
        look = "" if widget.is_hidden else "form-control"  # the class that Tabler knows it by
        if isinstance(widget, _TICKED):
            look = "form-check-input"
        elif isinstance(widget, forms.Select):
            look = "form-select"
        wrong = "is-invalid" if look and self.errors else ""
        placeholder = str(widget.attrs.get("placeholder", ""))
        if placeholder.startswith(str(self.label)) and not _is_search(widget):
            built["placeholder"] = False  # libraries repeat the label there
        if classes := " ".join(filter(None, [look, wrong, own])):
            built["class"] = classes
        return built


def _is_search(widget: forms.Widget) -> bool:
    own = getattr(widget, "input_type", "")
    return bool(widget.attrs.get("type", own) == "search")


class HouseRenderer(TemplatesSetting):
    """Django's `FORM_RENDERER`."""

    form_template_name = "ui/forms/form.html"
    field_template_name = "ui/forms/field.html"
    bound_field_class = HouseField

    def render(
        self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None
    ) -> str:
        if draw := DRAWN.get(template_name):
            return mark_safe(draw(context["widget"]))  # noqa: S308 - each value is escaped
        return super().render(template_name, context, request)
