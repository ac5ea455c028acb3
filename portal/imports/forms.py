"""The forms of every import: the table, its reading, and the mapping of its columns."""

from collections.abc import Iterable
from dataclasses import replace
from io import BytesIO
from typing import Any, ClassVar

from django import forms
from django.core.files.uploadedfile import UploadedFile

from portal.contract.model import MASK
from portal.imports.columns import Choice
from portal.imports.mapping import ImportMapping
from portal.imports.sheets import ENCODINGS, Limits, Sheet, SheetRow
from portal.imports.sheets.headings import normal
from portal.translation import gettext as _, gettext_lazy, number
from portal.ui.numbers import whole

_DETECTED = ("", gettext_lazy("Detect automatically"))


def encoding_field() -> forms.ChoiceField:
    return forms.ChoiceField(
        label=gettext_lazy("Text encoding"),
        required=False,
        choices=[_DETECTED, *ENCODINGS.items()],
        help_text=gettext_lazy("For text files in which names are garbled."),
    )


class TableForm(forms.Form):
    """Form for a file or a pasted table within `limits`; also for a list of people if the table
    `is_of_people`."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(
            {
                "accept": ".csv,.tsv,.txt,.xlsx,text/csv,"
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
                "data-drop": "",
            }
        ),
    )
    text = forms.CharField(
        label=gettext_lazy("Rows"),
        required=False,
        strip=False,
        help_text=gettext_lazy("Copied from a spreadsheet, including the header row."),
        widget=forms.Textarea({"rows": 8, "spellcheck": "false", "autocomplete": "off"}),
    )
    encoding = encoding_field()

    def __init__(
        self, *args: Any, limits: Limits, is_of_people: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.limits, file = limits, self.fields["file"]
        if is_of_people:
            self.fields["text"].help_text = _(
                "Rows of a spreadsheet with the header row, or people as mail programs list them: "
                "Ada Lovelace &lt;ada@example.com&gt;; grace@example.com"
            )
        file.help_text = _(
            "CSV or XLSX, at most %(size)s MB and %(rows)s rows. The first row must be the header "
            "row."
        ) % {"size": limits.size // 1_000_000, "rows": number(limits.rows)}
        data = {"data-most": str(limits.size), "data-too-large": limits.too_large}
        file.widget.attrs.update(data)

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, Any] = super().clean() or {}
        has_file, has_text = cleaned.get("file") is not None, bool(cleaned.get("text", "").strip())
        if has_file and has_text:
            self.add_error("text", _("Choose a file or paste rows, not both."))
        elif not has_file and not has_text and not self.errors:
            self.add_error("file", _("Choose a file, or paste rows."))
        return cleaned

    def content(self) -> tuple[bytes | str, str]:
        """Returns the content that was sent, and the file's name; empty for a pasted text."""
        file: UploadedFile[bytes] | None = self.cleaned_data["file"]
        if file is None:
            return str(self.cleaned_data["text"]), ""
        # The bytes in memory; to read them would be a second copy.
        content = file.file.getvalue() if isinstance(file.file, BytesIO) else file.read()
        return content, file.name or ""


class ReadingForm(forms.Form):
    """Form for reading a file again, in another encoding or from another sheet."""

    def __init__(self, *args: Any, sheets: tuple[str, ...] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if sheets:
            choices = [(name, name) for name in sheets]
            self.fields["sheet"] = forms.ChoiceField(label=_("Sheet"), choices=choices)
        else:
            self.fields["encoding"] = encoding_field()


class ColumnsForm(forms.Form):
    """Form that maps each column of a table to one of `choices`, or to nothing; `mapping` is the
    initial one.

    Columns with values that are not mapped are left out, which the user has to confirm: the box
    lists them, and its value are their numbers when it was ticked. Columns that only exports have
    need no confirmation, nor do those that the sheet hides: they are not mapped at first. Rows that
    it hides are left out of `imported`, unless the user asks for them. Names that another encoding
    would make other names of have to be looked at. `others` are further fields of a subclass.
    """

    others: ClassVar[tuple[str, ...]] = ()
    others_title: ClassVar[str] = ""
    others_lead: ClassVar[str] = ""

    leave_out = forms.BooleanField(label=gettext_lazy("Continue without them"), required=False)
    names_checked = forms.BooleanField(
        label=gettext_lazy("All of them are written as they should be"), required=False
    )
    with_hidden = forms.BooleanField(label=gettext_lazy("Import hidden rows too"), required=False)

    def __init__(
        self,
        *args: Any,
        table: Sheet,
        mapping: ImportMapping,
        choices: Iterable[Choice],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.whole, self.headings = table, table.headers
        self._recognised = mapping = mapping.fitted(table)
        if not table.is_doubtful:
            del self.fields["names_checked"]
        if not table.hidden_rows:
            del self.fields["with_hidden"]
        offered = [("", _("Not imported")), *choices]
        for place in range(len(self.headings)):
            self.fields[f"column_{place}"] = forms.ChoiceField(
                label=self.heading(place),
                required=False,
                choices=offered,
                initial=mapping.names[place],
            )
        self._matters = {
            place
            for place, heading in enumerate(self.headings)
            if normal(heading) not in mapping.export_only
            and place not in table.hidden_columns
            and any(map(str.strip, self.imported.column(place)))
        }
        places = self._left_out()
        box: Any = self.fields["leave_out"].widget
        box.attrs["value"] = ",".join(map(str, places))
        box.check_test = lambda _value: self._confirmed() >= set(places)

    def heading(self, place: int) -> str:
        return self.headings[place] or _("Column %(number)s") % {"number": place + 1}

    @property
    def imported(self) -> Sheet:
        """Returns the table with the rows that are to be imported."""
        is_asked = "with_hidden" in self.fields and self["with_hidden"].value()
        return self.whole if is_asked else self.whole.shown

    @property
    def hidden_headings(self) -> list[str]:
        """Returns the headings of columns that the sheet hides."""
        return [self.heading(place) for place in self.whole.hidden_columns]

    @property
    def unreadable(self) -> list[SheetRow]:
        return [row for row in self.imported.rows if row.problem]

    @property
    def left_out(self) -> list[str]:
        """Returns the headings of columns with values that are not imported."""
        return [self.heading(place) for place in self._left_out()]

    def _left_out(self) -> list[int]:
        bound = enumerate(self.columns())
        return [place for place, one in bound if place in self._matters and not one.value()]

    def _confirmed(self) -> set[int]:
        """Returns the columns that the user has confirmed to leave out."""
        sent = str(self.data.get("leave_out", "")).split(",")
        return {place for each in sent if (place := whole(each)) is not None}

    def columns(self) -> list[forms.BoundField]:
        return [self[f"column_{place}"] for place in range(len(self.headings))]

    @property
    def described(self) -> list[tuple[str, list[str], forms.BoundField]]:
        """Returns each column with its heading and samples of its values, but none of secrets."""
        columns = self._recognised.columns
        results = []
        for place, bound in enumerate(self.columns()):
            samples = self.imported.samples(place)
            is_secret = bound.value() in columns and columns[bound.value()].is_secret
            shown = [MASK] if samples and is_secret else samples
            results.append((self.headings[place], shown, bound))
        return results

    @property
    def ignored(self) -> int:
        """Returns the count of columns that are not mapped."""
        return sum(not bound.value() for bound in self.columns())

    @property
    def names(self) -> tuple[str, ...]:
        """Returns the choices, in the order of the columns."""
        cleaned = self.cleaned_data
        return tuple(cleaned.get(f"column_{place}", "") for place in range(len(self.headings)))

    @property
    def mapping(self) -> ImportMapping:
        """Returns the chosen mapping."""
        return replace(self._recognised, names=self.names)

    @property
    def mapping_problems(self) -> list[str]:
        """Returns the problems of the mapping of a table that was just uploaded."""
        return [] if self.is_bound else self._recognised.problems()

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, object] = super().clean() or {}
        if self.whole.is_doubtful and not cleaned.get("names_checked"):
            words = _("Check the names, and choose another encoding if they are garbled.")
            self.add_error("names_checked", words)
        if not self.imported.rows:
            words = _("The sheet hides all rows. Select this, or show them in it.")
            self.add_error("with_hidden", words)
        if not self.errors:
            for problem in self.mapping.problems():
                self.add_error(None, problem)
            if not self._confirmed() >= set(self._left_out()):
                words = _("Map these columns, or select this to skip them.")
                self.add_error("leave_out", words)
        return cleaned
