"""The forms of an import: the table, and what its columns mean."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from portal.contract.users import CreateAction, LicenceType
from portal.people.imports.columns import COLUMNS, Mapping
from portal.people.services.seats import COUNTED
from portal.ui.forms import form_field
from portal.ui.sheets import ENCODINGS, Limits

_MEGABYTES = Limits().size // 1_000_000
_FOUND_OUT = ("", "Found by itself")


def encoding_field() -> forms.ChoiceField:
    return forms.ChoiceField(
        label="Text encoding",
        required=False,
        choices=[_FOUND_OUT, *ENCODINGS.items()],
        help_text="For text files in which names come out wrong.",
    )


class TableForm(forms.Form):
    """A file, or a table that was pasted."""

    file = forms.FileField(
        label="File",
        required=False,
        allow_empty_file=True,
        help_text=f"CSV or XLSX, at most {_MEGABYTES} MB and {Limits().rows:,} rows. The first row "
        "names the columns.",
        widget=forms.FileInput(
            {
                "accept": ".csv,.tsv,.txt,.xlsx,text/csv,"
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
                "data-drop": "",
                "data-most": str(Limits().size),
                "data-too-large": Limits().too_large,
            }
        ),
    )
    text = forms.CharField(
        label="Rows",
        required=False,
        strip=False,
        help_text="Copied from a spreadsheet, with the row that names the columns.",
        widget=forms.Textarea({"rows": 8, "spellcheck": "false", "autocomplete": "off"}),
    )
    encoding = encoding_field()

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        has_file, has_text = cleaned.get("file") is not None, bool(cleaned.get("text", "").strip())
        if has_file and has_text:
            self.add_error("text", "There is a file as well. Send one of them.")
        elif not has_file and not has_text and not self.errors:
            self.add_error("file", "Choose a file, or paste rows.")
        return cleaned

    def content(self) -> tuple[bytes | str, str]:
        """What was sent, and the file's name."""
        file: UploadedFile[bytes] | None = self.cleaned_data["file"]
        if file is None:
            return str(self.cleaned_data["text"]), ""
        return file.read(), file.name or ""


class ReadingForm(forms.Form):
    """How to read a file that was read otherwise than it is meant."""

    encoding = encoding_field()
    sheet = forms.CharField(label="Sheet", required=False)

    def __init__(self, *args: Any, sheets: tuple[str, ...] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if sheets:
            del self.fields["encoding"]
            choices = [(name, name) for name in sheets]
            self.fields["sheet"] = forms.ChoiceField(label="Sheet", choices=choices)
        else:
            del self.fields["sheet"]


class MappingForm(forms.Form):
    """What each column means, and how people get in whose row does not say it."""

    way = form_field(COLUMNS["create_action"].leaf)  # type: ignore[arg-type]
    licence = form_field(COLUMNS["type"].leaf)  # type: ignore[arg-type]
    fill_zeros = forms.BooleanField(
        label="Put the missing zeros back",
        required=False,
        help_text="12345 becomes 012345 where 6 digits are needed.",
    )

    def __init__(
        self, *args: Any, headings: tuple[str, ...], names: tuple[str, ...], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.headings = headings
        # One of these is always chosen, so that "required" would say nothing.
        self.fields["way"].required = self.fields["way"].widget.is_required = False
        self.fields["way"].initial = CreateAction.CREATE.value
        self.fields["licence"] = forms.TypedChoiceField(
            label="Licence",
            choices=[(kind.value, kind.label) for kind in LicenceType],
            coerce=int,
            required=False,
            empty_value=None,
            initial=LicenceType.BASIC.value,
        )
        choices = [
            ("", "Not imported"),
            *((column.name, column.title) for column in COLUMNS.values()),
        ]
        for place, heading in enumerate(headings):
            self.fields[f"column_{place}"] = forms.ChoiceField(
                label=heading or f"Column {place + 1}",
                required=False,
                choices=choices,
                initial=names[place],
            )

    def columns(self) -> list[forms.BoundField]:
        return [self[f"column_{place}"] for place in range(len(self.headings))]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors:
            for problem in self.mapping().problems():
                self.add_error(None, problem)
        return cleaned

    def mapping(self) -> Mapping:
        told = self.cleaned_data
        names = tuple(told.get(f"column_{place}", "") for place in range(len(self.headings)))
        way = str(told["way"] or "")
        return Mapping(names, way, told["licence"], told["fill_zeros"], self.headings)


class SeatsForm(forms.Form):
    """How many licences of each type there are; empty where nobody knows."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for licence in COUNTED:
            self.fields[licence.name.lower()] = forms.IntegerField(
                label=f"{licence.label} licences",
                required=False,
                min_value=0,
                max_value=10_000_000,
                error_messages={"invalid": "This must be a whole number."},
            )

    def seats(self) -> dict[int, int | None]:
        return {kind.value: self.cleaned_data[kind.name.lower()] for kind in COUNTED}
