"""Rendering of every form of the portal, Django's and the libraries' own included."""

from typing import Any

from django import forms
from django.forms.renderers import TemplatesSetting
from django.http import HttpRequest

from portal.ui.forms.drawing import draw


class HouseField(forms.BoundField):
    """A field whose id holds no dots, which style sheets and htmx would misread."""

    @property
    def auto_id(self) -> str:
        return super().auto_id.replace(".", "-")

    @property
    def kind(self) -> str:
        """Which of the field template's layouts it takes."""
        if isinstance(self.field.widget, forms.CheckboxInput):
            return "switch"
        if isinstance(self.field.widget, forms.RadioSelect | forms.CheckboxSelectMultiple):
            return "choices"
        return "search" if _is_search(self.field.widget) else "box"

    @property
    def shown_with(self) -> str:
        """Returns what has to be chosen for it to show, as `kind=loss,jitter`; empty for any."""
        return getattr(self.field, "shown_with", "")

    @property
    def says_required(self) -> bool:
        """Returns whether the label says "required": not if all of the form's fields are, as when
        signing in."""
        if not self.field.required or self.kind == "switch":
            return False
        return any(
            not (field.required or field.widget.is_hidden) for field in self.form.fields.values()
        )

    def build_widget_attrs(
        self, attrs: dict[str, Any], widget: forms.Widget | None = None
    ) -> dict[str, Any]:
        built: dict[str, Any] = super().build_widget_attrs(attrs, widget)
        # Browsers cut what is pasted to it without a word, which of a password nobody can see. What
        # is too long stays as it was typed, and is an error of the field.
        built["maxlength"] = False
        widget = widget or self.field.widget
        own = widget.attrs.get("class", "")
        look = _look(widget)
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


def _look(widget: forms.Widget) -> str:
    """The class that Tabler knows the widget by."""
    if isinstance(widget, forms.CheckboxInput | forms.RadioSelect | forms.CheckboxSelectMultiple):
        return "form-check-input"
    if isinstance(widget, forms.Select):
        return "form-select"
    return "" if widget.is_hidden else "form-control"


class HouseRenderer(TemplatesSetting):
    """Django's `FORM_RENDERER`."""

    form_template_name = "ui/forms/form.html"
    field_template_name = "ui/forms/field.html"
    bound_field_class = HouseField

    def render(
        self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None
    ) -> str:
        drawn = draw(template_name, context)
        return super().render(template_name, context, request) if drawn is None else drawn
