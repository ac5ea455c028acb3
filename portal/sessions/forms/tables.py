"""The form that takes a table: a file, or rows that were pasted."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from portal.sessions.imports.columns import LIMITS
from portal.ui.sheets import Table, Unreadable, read

MEGABYTES = LIMITS.size // 1_000_000


class TableForm(forms.Form):
    """`table` is what was sent, once the form is valid."""

    file = forms.FileField(
        label="File",
        required=False,
        allow_empty_file=True,
        help_text=f"CSV or XLSX, at most {MEGABYTES} MB and {LIMITS.rows:,} rows. The first row "
        "names the columns.",
        widget=forms.FileInput(
            {
                "accept": ".csv,.tsv,.txt,.xlsx,text/csv,"
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            }
        ),
    )
    text = forms.CharField(
        label="Or paste them",
        required=False,
        strip=False,
        help_text="Rows of a sheet with their headings.",
        widget=forms.Textarea({"rows": 6, "spellcheck": "false", "autocomplete": "off"}),
    )
    ticket = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.table: Table | None = None
        self.file_name = ""

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        file: UploadedFile[bytes] | None = cleaned.get("file")
        text = str(cleaned.get("text") or "")
        if file is not None and text.strip():
            self.add_error("text", "There is a file as well. Send one of them.")
        elif file is None and not text.strip():
            self.add_error("file", "Choose a file, or paste rows.")
        else:
            self._read(file, text)
        return cleaned

    def table_in(self, content: bytes | str, file_name: str) -> Table:
        """The table in what was sent. Raises `Unreadable`."""
        return read(content, file_name=file_name, limits=LIMITS)

    def _read(self, file: "UploadedFile[bytes] | None", text: str) -> None:
        try:
            if file is None:
                self.table = self.table_in(text, "")
            else:
                self.file_name = file.name or ""
                self.table = self.table_in(file.read(), self.file_name)
        except Unreadable as problem:
            self.add_error("text" if file is None else "file", str(problem))
