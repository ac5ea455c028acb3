"""The columns that a table of registrants may have, and its rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from portal.contract.model import Titles
from portal.contract.registrants import Registrant
from portal.imports.columns import Choice, Column, choices_of, column_of
from portal.imports.mapping import ImportMapping, ImportRow, recognised
from portal.imports.sheets import Limits, plain
from portal.imports.sheets.headings import OF_REPORTS, TableWords, normal, with_last_name
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.addresses import address_in

NEEDED = ("email", "first_name", "last_name")
# What exports hold beside, and nobody can change.
EXPORT_ONLY = OF_REPORTS | frozenset(map(normal, ("id", "start_time", "status", "create_time")))
QUESTION = "question:"  # before the title of a question of the host's, as the name of its column
TITLES = Titles(Registrant, without=("custom_questions",))
LIMITS = Limits(rows=20_000)
_EXAMPLE = {
    "email": "grace.hopper@example.com",
    "first_name": "Grace",  # untranslated: an example
    "last_name": "Hopper",  # untranslated: an example
}
_WORDS = TableWords.read(Path(__file__).with_name("registrants.toml"))


def _choice_or_text(column: Column, text: str) -> str:
    """A choice may stand there by its value or by its words; what is neither, the contract says."""
    try:
        return str(column.choice(text).value)
    except ValueError:
        return text


def _column(name: str) -> Column:
    column = column_of(Registrant, name, _WORDS, example=_EXAMPLE.get(name, ""))
    if name == "email":
        return replace(column, reader=address_in)
    return replace(column, reader=partial(_choice_or_text, column)) if column.offered else column


COLUMNS = {name: _column(name) for name in (*NEEDED, *TITLES)}


def mapping_of(names: Sequence[str], headings: Sequence[str] = ()) -> ImportMapping:
    """Returns the meaning of each column: a field's name, a question of the host's, or nothing."""
    asked = (name for name in names if name.startswith(QUESTION))
    questions = {name: Column(name, name.removeprefix(QUESTION)) for name in asked}
    needed = tuple((name,) for name in NEEDED)
    return ImportMapping(names, headings, COLUMNS | questions, needed, EXPORT_ONLY)


def reading_of(
    headings: Sequence[str], known: Iterable[str] = (), *, takes_others: bool = False
) -> ImportMapping:
    """Returns the meaning of the headings. `known` are questions of the host's own that others have
    answered; with `takes_others`, every heading that is nothing else is one."""
    questions = {normal(title): title for title in known}
    named = list(with_last_name(headings, recognised(headings, COLUMNS)))
    for place, heading in enumerate(headings):
        title = questions.get(normal(heading), heading if takes_others else "")
        if title and not named[place]:
            named[place] = f"{QUESTION}{title}"
    return mapping_of(tuple(named), headings)


def choices_in(headings: Sequence[str], known: Iterable[str]) -> list[Choice]:
    """Returns the meanings that can be chosen for a column; questions of the host's own are those
    that others have answered, and the headings that mean nothing else."""
    named = zip(headings, reading_of(headings).names, strict=True)
    titles = dict.fromkeys([*known, *(heading for heading, name in named if heading and not name)])
    asked = [(f"{QUESTION}{title}", title) for title in titles]
    return choices_of(COLUMNS, _("Custom questions"), asked)


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
