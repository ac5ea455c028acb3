"""The forms of an import of meetings or webinars."""

from collections.abc import Iterable
from typing import Any

from portal.sessions.imports.columns import LIMITS
from portal.sessions.imports.session_columns import (
    EXPORT_ONLY,
    Reading,
    choices_in,
    recognised,
)
from portal.sessions.specs import SessionSpec
from portal.ui.forms.tables import ColumnsForm, TableForm
from portal.ui.sheets import Table


class SessionTableForm(TableForm):
    """A table of sessions, or of those who register."""

    limits = LIMITS


class SessionColumnsForm(ColumnsForm):
    """The meaning of each column; `tracked` are the tracking fields that the account asks for."""

    export_only = EXPORT_ONLY

    def __init__(
        self, *args: Any, table: Table, spec: SessionSpec, tracked: Iterable[str], **kwargs: Any
    ) -> None:
        fields = list(tracked)
        names = recognised(table.headers, spec, fields)
        choices = choices_in(table.headers, spec, fields)
        super().__init__(*args, table=table, names=names, choices=choices, **kwargs)

    def problems(self, names: tuple[str, ...]) -> list[str]:
        return Reading(self.headings, names).problems()
