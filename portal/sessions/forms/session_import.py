"""The forms of an import of meetings or webinars."""

from collections.abc import Iterable
from typing import Any

from django import forms

from portal.imports.forms import ColumnsForm, TableForm
from portal.imports.sheets import Sheet
from portal.sessions.imports.columns import LIMITS
from portal.sessions.imports.session_columns import (
    EXPORT_ONLY,
    SessionMapping,
    choices_in,
    recognised,
)
from portal.sessions.specs import SessionSpec
from portal.translation import gettext_lazy
from portal.ui.forms.widgets import Switch


class SessionTableForm(TableForm):
    """A table of sessions, or of those who register."""

    limits = LIMITS


class SessionColumnsForm(ColumnsForm):
    """The meaning of each column; `tracked` are the tracking fields that the account asks for."""

    export_only = EXPORT_ONLY

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

    def __init__(
        self, *args: Any, table: Sheet, spec: SessionSpec, tracked: Iterable[str], **kwargs: Any
    ) -> None:
        fields = list(tracked)
        names = recognised(table.headers, spec, fields)
        choices = choices_in(table.headers, spec, fields)
        super().__init__(*args, table=table, names=names, choices=choices, **kwargs)

    def problems(self, names: tuple[str, ...]) -> list[str]:
        return SessionMapping(self.headings, names).problems()
