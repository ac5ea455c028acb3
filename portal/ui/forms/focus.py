"""Focus of a form when it opens."""

from typing import TypeVar

from django import forms

F = TypeVar("F", bound=forms.Form)

_ALL_SEEN = (forms.RadioSelect, forms.CheckboxSelectMultiple)
_SHORT = 12  # fields that stand on one screen


def focused(form: F) -> F:
    """The form with the cursor in its first field; one that is refused has it in its summary.

    Of several choices that are all to be seen, one with the focus would look chosen. A long form
    opens at its top: its template may draw another field first, and the page would scroll to this.
    """
    fields = form.visible_fields()
    first = next(iter(fields), None)
    is_open = first and isinstance(first.field.widget, _ALL_SEEN)
    if first and not is_open and not form.is_bound and len(fields) <= _SHORT:
        first.field.widget.attrs["autofocus"] = True
    return form
