"""The form that takes a table of registrants: a file, or what was pasted."""

from collections.abc import Iterable
from typing import Any

from django import forms

from portal.sessions.forms.session_import import SessionTableForm
from portal.sessions.imports.columns import LIMITS, table_in
from portal.ui.forms.widgets import Checks, Switch
from portal.ui.sheets import Table, Unreadable


class ImportForm(SessionTableForm):
    """`occurrences` as for one registrant. `table` is what was sent, once the form is valid."""

    encoding = None  # type: ignore[assignment]
    takes_others = forms.BooleanField(
        label="Other columns answer the host's own questions",
        required=False,
        help_text="Their headings are the questions. Otherwise only questions that somebody has "
        "answered already are recognised, and other columns are not imported.",
        widget=Switch,
    )
    ticket = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, occurrences: Iterable[tuple[str, str]] = (), **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self.table: Table | None = None
        self.file_name = ""
        megabytes = LIMITS.size // 1_000_000
        self.fields["file"].help_text = (
            f"CSV or XLSX, at most {megabytes} MB and {LIMITS.rows:,} rows. The first row "
            "names the columns: Email, First name and Last name are needed."
        )
        self.fields["text"].label = "Or paste them"
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

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.errors:
            content, self.file_name = self.content()
            try:
                self.table = table_in(content, self.file_name)
            except Unreadable as problem:
                self.refuse(str(problem))
        return cleaned
