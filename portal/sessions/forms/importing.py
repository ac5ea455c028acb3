"""The forms that say what the columns of tables of sessions, and of registrants, mean."""

from collections.abc import Sequence

from django import forms

from portal.imports.forms import ColumnsForm
from portal.sessions.imports.registrants import QUESTION
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.forms.widgets import Checks, Switch


class RegistrantColumnsForm(ColumnsForm):
    """The meaning of each column, and the occurrences to register for."""

    others = ("takes_others", "occurrences")
    others_title = gettext_lazy("Registrations")

    takes_others = forms.BooleanField(
        label=gettext_lazy("Other columns are answers to custom questions"),
        required=False,
        help_text=gettext_lazy("The column headers are used as the questions."),
        widget=Switch,
    )

    def offer(self, occurrences: Sequence[tuple[str, str]]) -> None:
        """Asks for occurrences where people register for chosen ones."""
        if occurrences:
            self.fields["occurrences"] = forms.MultipleChoiceField(
                label=_("Occurrences"),
                help_text=_("Leave empty for all occurrences."),
                choices=occurrences,
                required=False,
                widget=Checks,
            )

    @property
    def names(self) -> tuple[str, ...]:
        if not self.cleaned_data.get("takes_others"):
            return super().names
        others = {place: f"{QUESTION}{self.headings[place]}" for place in super()._left_out()}
        return tuple(name or others.get(at, "") for at, name in enumerate(super().names))

    def _left_out(self) -> list[int]:
        if not self["takes_others"].value():
            return super()._left_out()
        return [place for place in super()._left_out() if not self.headings[place]]


class SessionColumnsForm(ColumnsForm):
    """The meaning of each column, and if registrations may go."""

    others = ("registers_again",)
    others_title = gettext_lazy("Registrations")

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
