"""The form that takes a table of registrants: a file, or what was pasted."""

from collections.abc import Iterable
from typing import Any

from django import forms

from portal.imports.sheets import Sheet, SheetUnreadable
from portal.sessions.forms.session_import import SessionTableForm
from portal.sessions.imports.columns import LIMITS, reading_of, table_in
from portal.translation import gettext as _
from portal.translation import gettext_lazy, number
from portal.ui.forms.widgets import Checks, Switch


class RegistrantImportForm(SessionTableForm):
    """`occurrences` as for one registrant. `table` is what was sent, once the form is valid."""

    encoding = None  # type: ignore[assignment]
    takes_others = forms.BooleanField(
        label=gettext_lazy("Other columns are answers to custom questions"),
        required=False,
        help_text=(
            gettext_lazy(
                "The column headers are used as the questions. Otherwise only questions that were "
                "answered before are recognised, and other columns are not imported."
            )
        ),
        widget=Switch,
    )
    leave_out = forms.BooleanField(
        label=gettext_lazy("Continue without columns that are not recognised"),
        required=False,
        help_text=gettext_lazy("They are named before anything is imported."),
        widget=Switch,
    )
    idempotency_key = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, occurrences: Iterable[tuple[str, str]] = (), **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self.table: Sheet | None = None
        self.file_name = ""
        megabytes = LIMITS.size // 1_000_000
        self.fields["file"].help_text = _(
            "CSV or XLSX, at most %(megabytes)s MB and %(rows)s rows. The first row must be the "
            "header row. Email, First name and Last name are required."
        ) % {"megabytes": megabytes, "rows": number(LIMITS.rows)}
        self.fields["text"].label = _("Or paste rows")
        self.fields["text"].help_text = _(
            "Rows of a spreadsheet with the header row, or one person per line: "
            "Ada Lovelace &lt;ada@example.com&gt;"
        )
        offered = list(occurrences)
        if offered:
            self.fields["occurrences"] = forms.MultipleChoiceField(
                label=_("Occurrences"),
                help_text=_("Leave empty for all occurrences."),
                choices=offered,
                required=False,
                widget=Checks,
            )

    def check_columns(self, questions: Iterable[str]) -> None:
        """Asks where columns would be left out; `questions` are those that others have answered."""
        if self.table is None or self.cleaned_data["leave_out"]:
            return
        takes_others = self.cleaned_data["takes_others"]
        lost = reading_of(self.table.headers, questions, takes_others=takes_others).ignored
        if lost:
            named = ", ".join(f"“{heading}”" for heading in lost)
            others = self.fields["takes_others"].label
            self.add_error(
                "leave_out",
                _(
                    "Not recognised: %(named)s. Turn this on to leave them out, or turn on "
                    "“%(others)s”."
                )
                % {"named": named, "others": others},
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.errors:
            content, self.file_name = self.content()
            try:
                self.table = table_in(content, self.file_name)
            except SheetUnreadable as problem:
                self.refuse(str(problem))
            else:
                self._check_needed(self.table)
        return cleaned

    def _check_needed(self, table: Sheet) -> None:
        """Refuses a table without a column that every row needs."""
        if missing := reading_of(table.headers).missing:
            self.refuse(
                _("The header row (%(headings)s) lacks: %(missing)s.")
                % {"headings": ", ".join(table.headers), "missing": ", ".join(missing)}
            )
