"""The form that takes a table of registrants: a file, or what was pasted."""

from collections.abc import Iterable
from typing import Any

from django import forms

from portal.sessions.forms.tables import MEGABYTES, TableForm
from portal.sessions.imports.columns import LIMITS, table_in
from portal.ui.forms.widgets import Checks, Switch
from portal.ui.sheets import Table


class ImportForm(TableForm):
    """`occurrences` as for one registrant."""

    takes_others = forms.BooleanField(
        label="Other columns answer the host's own questions",
        required=False,
        help_text="Their headings are the questions. Otherwise only questions that somebody has "
        "answered already are recognised, and other columns are not imported.",
        widget=Switch,
    )

    def __init__(
        self, *args: Any, occurrences: Iterable[tuple[str, str]] = (), **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self.fields["file"].help_text = (
            f"CSV or XLSX, at most {MEGABYTES} MB and {LIMITS.rows:,} rows. The first row "
            "names the columns: Email, First name and Last name are needed."
        )
        self.fields["text"].help_text = (
            "Rows of a sheet with their headings, or one person on each line: "
            "Ada Lovelace &lt;ada@example.com&gt;"
        )
        offered = list(occurrences)
        if offered:
            self.fields["occurrences"] = forms.MultipleChoiceField(
                label="Occurrences",
                help_text="None ticked: all of them.",
                choices=offered,
                required=False,
                widget=Checks,
            )

    def table_in(self, content: bytes | str, file_name: str) -> Table:
        return table_in(content, file_name)
