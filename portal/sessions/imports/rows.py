"""Requests of a table's rows, and their faults."""

from dataclasses import dataclass

from portal.contract.registrants import Registrant
from portal.imports.mapping import ImportRow
from portal.imports.sheets import plain
from portal.sessions.imports.columns import QUESTION
from portal.translation import gettext as _
from portal.translation import gettext_lazy


@dataclass
class RegistrantImportRow(ImportRow):
    """Somebody to register; `values` are as the interface takes them."""

    repeated = gettext_lazy("Row %(row)s has the same email.")

    @property
    def email(self) -> str:
        return str(self.values.get("email", ""))

    @property
    def name(self) -> str:
        values = self.values
        return f"{values.get('first_name', '')} {values.get('last_name', '')}".strip()

    @property
    def label(self) -> str:
        return ", ".join(filter(None, (self.name, self.email))) or _("No email")

    def unique(self) -> list[tuple[str, str]]:
        return [("email", self.email.casefold())]

    def complete(self) -> None:
        """Gathers the answers to the host's own questions, and checks the row by the contract."""
        asked = [name for name in self.values if name.startswith(QUESTION)]
        answers = [
            {"title": name.removeprefix(QUESTION), "value": self.values.pop(name)} for name in asked
        ]
        if answers:
            self.values["custom_questions"] = answers
        self.cells = {name.removeprefix(QUESTION): plain(cell) for name, cell in self.cells.items()}
        if not self.row.problem:
            self.check(Registrant, self.values)
