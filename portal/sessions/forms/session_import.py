"""The forms of an import of meetings or webinars."""

from django import forms

from portal.imports.forms import ColumnsForm
from portal.translation import gettext_lazy
from portal.ui.forms.widgets import Switch


class SessionColumnsForm(ColumnsForm):
    """The meaning of each column, and if registrations may go."""

    registers_again = forms.BooleanField(
        label=gettext_lazy("Replace dates that have registrations, and register these again"),
        required=False,
        help_text=gettext_lazy(
            "The service deletes registrations with the dates that a new start replaces. A job "
            "of its own then registers the people for the new dates, once you have approved it. "
            "Otherwise such rows are refused."
        ),
        widget=Switch,
    )
