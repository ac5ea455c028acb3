"""Requests of a table's rows, and their faults."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pydantic import ValidationError

from portal.contract.choices import TextChoice
from portal.contract.problems import problems
from portal.contract.registrants import (
    NumberOfEmployees,
    PurchasingTimeFrame,
    Registrant,
    RoleInPurchase,
)
from portal.imports.sheets import Sheet, SheetRow, plain
from portal.imports.sheets.headings import normal
from portal.sessions.imports.columns import RegistrantMapping
from portal.translation import gettext as _
from portal.translation import in_all_languages, lazily
from portal.ui.addresses import address_in

_CHOICES: dict[str, type[TextChoice]] = {
    "no_of_employees": NumberOfEmployees,
    "purchasing_time_frame": PurchasingTimeFrame,
    "role_in_purchase_process": RoleInPurchase,
}


@dataclass
class RegistrantImportRow:
    """Somebody to register. `problems` are pairs of a column and what is wrong there."""

    row: SheetRow
    data: dict[str, Any]
    cells: dict[str, str]
    problems: list[tuple[str, str]] = field(default_factory=list)

    @property
    def email(self) -> str:
        return str(self.data.get("email", ""))

    @property
    def name(self) -> str:
        return f"{self.data.get('first_name', '')} {self.data.get('last_name', '')}".strip()

    @property
    def label(self) -> str:
        return ", ".join(filter(None, (self.name, self.email))) or _("No email")


def interpret(table: Sheet, reading: RegistrantMapping) -> Iterator[RegistrantImportRow]:
    """Each row of the table, checked against the contract and against the rows before it."""
    seen: dict[str, int] = {}
    for row in table.rows:
        import_row = _import_row(row, reading)
        key = import_row.email.casefold()
        if key in seen:
            import_row.problems.append(
                (
                    reading.heading("email"),
                    _("Row %(row)s has the same email.") % {"row": seen[key]},
                )
            )
        elif key:
            seen[key] = row.number
        yield import_row


def _import_row(row: SheetRow, reading: RegistrantMapping) -> RegistrantImportRow:
    data: dict[str, Any] = {}
    answers = []
    cells: dict[str, str] = {}
    columns = zip(reading.names, reading.questions, row.cells, strict=True)
    for name, question, cell in columns:
        text = plain(cell)
        if name or question:
            cells[name or question] = text
        if name and text:
            data[name] = _value(name, text)
        elif question and text:
            answers.append({"title": question, "value": text})
    if answers:
        data["custom_questions"] = answers
    import_row = RegistrantImportRow(row, data, cells)
    if row.problem:
        import_row.problems.append(("", row.problem))
        return import_row
    try:
        Registrant.model_validate(data)
    except ValidationError as error:
        import_row.problems += [
            (reading.heading(problem.field), problem.message) for problem in problems(error)
        ]
    return import_row


def _value(name: str, text: str) -> str:
    """A choice may stand there by its value or by its words; what is neither, the contract says."""
    if name == "email":
        return address_in(text)
    for member in _CHOICES.get(name, ()):
        known = (member.value, *in_all_languages(lazily(partial(getattr, member, "label"))))
        if normal(text) in map(normal, known):
            return member.value
    return text
