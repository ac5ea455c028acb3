"""Where typing begins when a form opens."""

from typing import TypeVar

from django import forms

F = TypeVar("F", bound=forms.Form)

_ALL_SEEN = (forms.RadioSelect, forms.CheckboxSelectMultiple)


def focused(form: F) -> F:
    """The form with the cursor in its first field; one that is refused has it in its summary.

    Of several choices that are all to be seen, one with the focus would look chosen.
    """
    first = next(iter(form.visible_fields()), None)
    is_open = first and isinstance(first.field.widget, _ALL_SEEN)
    if first and not is_open and not form.is_bound:
        first.field.widget.attrs["autofocus"] = True
    return form
