"""Changes that were made elsewhere while a form was open, by others or in another window.

A field that the person left alone shows what stands there now and is not sent. A field that both
changed is an error once: saved again, it is replaced.
"""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

from portal.translation import gettext as _
from portal.ui.forms import layout
from portal.ui.forms.layout import in_words
from portal.ui.forms.rows import RowSet
from portal.ui.forms.specs import ArraySpec, FieldSpec

WAS = "was"

Data = MultiValueDict[str, Any]


def merge(
    form: forms.Form, items: Mapping[str, FieldSpec | ArraySpec], current: layout.Flat
) -> frozenset[str]:
    """Carries the state on in a hidden field; the names that were changed on both sides."""
    secret = frozenset(name for name, item in items.items() if item.is_sensitive)
    form.fields[WAS] = forms.CharField(required=False, widget=forms.HiddenInput)
    form.initial[WAS] = layout.sign(current, secret)
    if not form.is_bound:
        return frozenset()
    form.data = data = _mutable(form.data)
    was = layout.unsign(data.get(form.add_prefix(WAS)) or "")
    data[form.add_prefix(WAS)] = form.initial[WAS]
    if was is None:
        return frozenset()
    return frozenset(
        name
        for name, item in items.items()
        if _both_changed(form, data, item, was.get(name), current.get(name))
    )


def message_of(form: forms.Form, item: FieldSpec | ArraySpec, now: object) -> str:
    """Returns the error of a field that both changed, and whose value is `now`."""
    if isinstance(item, ArraySpec):
        return _("%(title)s: these were changed in the meantime. Save again to overwrite them.") % {
            "title": item.title
        }
    if item.is_sensitive:
        return _("This was changed in the meantime. Save again to overwrite it.")
    words = in_words(form.fields[item.name], now)
    return _("This was changed to “%(words)s” in the meantime. Save again to overwrite it.") % {
        "words": words
    }


def _both_changed(
    form: forms.Form, data: Data, item: FieldSpec | ArraySpec, before: object, now: object
) -> bool:
    name = item.name
    if layout.is_same(before, now, secret=item.is_sensitive):
        return False
    if isinstance(item, ArraySpec):
        return _rows_both_changed(form, data, item, before, now)
    field = form.fields[name]
    typed = field.widget.value_from_datadict(data, form.files, form.add_prefix(name))
    if item.is_sensitive:
        return field.has_changed(None, typed)
    if field.has_changed(field.initial if before is None else before, typed):
        return field.has_changed(now, typed)
    _take(form, data, name, now)
    return False


def _rows_both_changed(
    form: forms.Form, data: Data, item: ArraySpec, before: Any, now: Any
) -> bool:
    if item.is_sensitive or RowSet(form, item, before or []).is_changed():
        return RowSet(form, item, now or []).is_changed()
    RowSet(form, item, now or []).show_in(data)
    return False


def _take(form: forms.Form, data: Data, name: str, now: Any) -> None:
    field, html_name = form.fields[name], form.add_prefix(name)
    if isinstance(field, forms.BooleanField):
        data.setlist(html_name, ["on"] if now else [])
    elif isinstance(field, forms.MultipleChoiceField):
        data.setlist(html_name, list(now or []))
    else:
        shown = field.widget.format_value(field.prepare_value(now))
        data[html_name] = shown[0] if isinstance(shown, list) else shown or ""


def _mutable(data: Any) -> Data:
    if isinstance(data, QueryDict):
        return data.copy()
    copy: Data = MultiValueDict()
    for name, value in data.items():
        copy.setlist(name, value if isinstance(value, list) else [value])
    return copy
