"""Lists of people in forms: who was understood is shown before anybody is told."""

from collections.abc import Sequence

from django import forms

from portal.translation import ngettext
from portal.ui.addresses import Addressed, as_lines


def understood(form: forms.Form, name: str, people: Sequence[Addressed]) -> forms.ValidationError:
    """Returns the error that asks to look at a list, which the form then has one on each line."""
    data = form.data.copy()  # type: ignore[attr-defined]
    data[form.add_prefix(name)] = as_lines(people)
    form.data = data
    words = ngettext(
        "%(count)s person was understood, on the line below. Check it and send it again.",
        "%(count)s people were understood, each on a line below. Check them and send it again.",
        len(people),
    )
    return forms.ValidationError(words % {"count": len(people)})
