"""What the rows of a table ask for, and what is wrong with them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
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
from portal.sessions.imports.columns import TITLES, Reading
from portal.ui.sheets import Row, Table, plain
from portal.ui.sheets.headings import normal

_CHOICES: dict[str, type[TextChoice]] = {
    "no_of_employees": NumberOfEmployees,
    "purchasing_time_frame": PurchasingTimeFrame,
    "role_in_purchase_process": RoleInPurchase,
}


@dataclass
class Wanted:
    """Somebody to register. `problems` are pairs of a column and what is wrong there."""

    row: Row
    told: dict[str, Any]
    cells: dict[str, str]
    problems: list[tuple[str, str]] = field(default_factory=list)

    @property
    def email(self) -> str:
        return str(self.told.get("email", ""))

    @property
    def name(self) -> str:
        return f"{self.told.get('first_name', '')} {self.told.get('last_name', '')}".strip()

    @property
    def label(self) -> str:
        return ", ".join(filter(None, (self.name, self.email))) or "No email"


def interpret(table: Table, reading: Reading) -> Iterator[Wanted]:
    """Each row of the table, checked against the contract and against the rows before it."""
    seen: dict[str, int] = {}
    for row in table.rows:
        wanted = _wanted(row, reading)
        key = wanted.email.casefold()
        if key in seen:
            wanted.problems.append((TITLES["email"], f"Row {seen[key]} has the same email."))
        elif key:
            seen[key] = row.number
        yield wanted


def _wanted(row: Row, reading: Reading) -> Wanted:
    told: dict[str, Any] = {}
    answers = []
    cells: dict[str, str] = {}
    columns = zip(reading.names, reading.questions, row.cells, strict=True)
    for name, question, cell in columns:
        text = plain(cell)
        if name or question:
            cells[name or question] = text
        if name and text:
            told[name] = _value(name, text)
        elif question and text:
            answers.append({"title": question, "value": text})
    if answers:
        told["custom_questions"] = answers
    wanted = Wanted(row, told, cells)
    if row.problem:
        wanted.problems.append(("", row.problem))
        return wanted
    try:
        Registrant.model_validate(told)
    except ValidationError as error:
        wanted.problems += [
            (TITLES.get(problem.field, problem.field), problem.message)
            for problem in problems(error)
        ]
    return wanted


def _value(name: str, text: str) -> str:
    """A choice may stand there by its value or by its words; what is neither, the contract says."""
    for member in _CHOICES.get(name, ()):
        if normal(text) in {normal(member.value), normal(member.label)}:
            return member.value
    return text
