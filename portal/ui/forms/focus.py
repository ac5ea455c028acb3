"""Where typing begins when a form opens."""

from typing import TypeVar

from django import forms

F = TypeVar("F", bound=forms.Form)


def focused(form: F) -> F:
    """The form with the cursor in its first field; one that is refused has it in its summary."""
    first = next(iter(form.visible_fields()), None)
    if first and not form.is_bound:
        first.field.widget.attrs["autofocus"] = True
    return form
