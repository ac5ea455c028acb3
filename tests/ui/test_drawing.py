"""Inputs and selects are drawn without templates, and the same as Django's templates draw them."""

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy

from portal.ui.forms.renderer import DRAWN, HouseRenderer
from tests.support.cases import for_each

HOSTILE = "<script>\"'&amp;</script>"
SAFE = mark_safe("<b>&amp;</b>")
CHOICES = [
    ("", "Any"),
    (1000, 1000),
    (HOSTILE, HOSTILE),
    (SAFE, SAFE),
    ("lazy", gettext_lazy("Yes")),
    (HOSTILE, [("a", "A"), (None, "None")]),
    (Decimal("1234.5"), Decimal("1234.5")),
]
ATTRIBUTES: Mapping[str, Any] = {
    "required": True,
    "disabled": False,
    "maxlength": 2000,
    "title": HOSTILE,
    "data-safe": SAFE,
    "data-nothing": None,
}
WIDGETS: list[forms.Widget] = [
    forms.Select(ATTRIBUTES, CHOICES),
    forms.SelectMultiple(ATTRIBUTES, CHOICES),
    forms.Select(),
    *(
        widget(ATTRIBUTES)
        for widget in (
            forms.TextInput,
            forms.NumberInput,
            forms.EmailInput,
            forms.URLInput,
            forms.SearchInput,
            forms.TelInput,
            forms.HiddenInput,
            forms.FileInput,
            forms.CheckboxInput,
            forms.DateInput,
            forms.Textarea,
        )
    ),
    forms.PasswordInput(ATTRIBUTES, render_value=True),
]
VALUES = [None, "", "plain", HOSTILE, SAFE, 1000, True, 0, [HOSTILE, "1000"], date(2026, 1, 2)]


@pytest.mark.parametrize("value", VALUES, ids=repr)
@for_each("widget", WIDGETS, ids=lambda widget: type(widget).__name__)
def test_a_widget_is_what_the_templates_of_django_make_of_it(widget, value):
    context = widget.get_context("a<b", value, {"id": "id_a"})
    drawn = DRAWN[widget.template_name](context["widget"])
    assert _lines(drawn) == _lines(DjangoTemplates().render(widget.template_name, context))


def test_options_are_never_markup():
    field = forms.ChoiceField(choices=[(HOSTILE, HOSTILE)])
    html = field.widget.render(HOSTILE, HOSTILE, {"class": HOSTILE}, HouseRenderer())
    assert "<script" not in html


@pytest.mark.parametrize("name", ["ui/forms/picks.html", "django/forms/widgets/radio.html"])
def test_what_has_a_template_of_its_own_is_left_to_it(name):
    assert name not in DRAWN


def _lines(html):
    """Without the spaces between options, which nobody sees."""
    return re.sub(r">\s+<", "><", html)
