"""The columns that a table of registrants may have, and the headings that mean them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from portal.contract.described import Titles
from portal.contract.registrants import Registrant
from portal.imports.columns import Column, column_of
from portal.imports.mapping import ImportMapping
from portal.imports.sheets import Limits, Sheet, SheetRow, SheetUnreadable, read
from portal.imports.sheets.headings import normal, with_last_name
from portal.imports.sheets.table import unseen_in_words
from portal.imports.sheets.words import TableWords
from portal.translation import gettext as _
from portal.ui.addresses import address_in, has_unseen, people_in

NEEDED = ("email", "first_name", "last_name")
QUESTION = "question:"  # before the title of a question of the host's, as the name of its column
TITLES = Titles(Registrant, without=("custom_questions",))
LIMITS = Limits(rows=20_000)
_WORDS = TableWords.read(Path(__file__).with_name("registrants.toml"))


def _choice_or_text(column: Column, text: str) -> str:
    """A choice may stand there by its value or by its words; what is neither, the contract says."""
    try:
        return str(column.choice(text).value)
    except ValueError:
        return text


def _column(name: str) -> Column:
    column = column_of(Registrant, name, _WORDS)
    if name == "email":
        return replace(column, reader=address_in)
    return replace(column, reader=partial(_choice_or_text, column)) if column.offered else column


COLUMNS = {name: _column(name) for name in TITLES}
_BY_HEADING = {heading: name for name, one in COLUMNS.items() for heading in one.headings}


class RegistrantMapping(ImportMapping):
    """The meaning of each column of a table: a field's name, a question of the host's, or
    nothing."""

    def title(self, name: str) -> str:
        return super().title(name).removeprefix(QUESTION)

    def heading(self, name: str) -> str:
        called = super().heading(name)
        return self.title(name) if called == name else called

    @property
    def read_as(self) -> list[tuple[str, str]]:
        pairs = zip(self.headings, self.names, strict=True)
        return [(heading, self.title(name)) for heading, name in pairs if name in COLUMNS]

    @property
    def missing(self) -> list[str]:
        """The columns without which no row can be registered."""
        return [self.title(name) for name in NEEDED if name not in self.names]

    @property
    def asked(self) -> list[str]:
        """The questions of the host's own that columns answer."""
        return [self.title(name) for name in self.names if name.startswith(QUESTION)]


def mapping_of(names: Sequence[str] = (), headings: Sequence[str] = ()) -> RegistrantMapping:
    questions = {name: Column(name, name) for name in names if name.startswith(QUESTION)}
    return RegistrantMapping(names, headings, COLUMNS | questions, export_only=())


def reading_of(
    headings: Sequence[str], known: Iterable[str] = (), *, takes_others: bool = False
) -> RegistrantMapping:
    """Returns the meaning of the headings. `known` are questions of the host's own that others have
    answered; with `takes_others`, every heading that is nothing else is one."""
    questions = {normal(title): title for title in known}
    names: list[str] = []
    for heading in headings:
        name = _BY_HEADING.get(normal(heading), "")
        names.append("" if name in names else name)
    named = list(with_last_name(headings, names))
    for place, heading in enumerate(headings):
        title = questions.get(normal(heading), heading if takes_others else "")
        if title and not named[place]:
            named[place] = f"{QUESTION}{title}"
    return mapping_of(tuple(named), headings)


def table_in(content: bytes | str, file_name: str = "") -> Sheet:
    """The table in a file or in what was pasted. Raises `SheetUnreadable`.

    What was pasted may do without headings: then it is a list of names and addresses.
    """
    if isinstance(content, str) and _is_lines(content):
        return _from_lines(content)
    return read(content, file_name=file_name, limits=LIMITS, headings=_BY_HEADING.keys())


def _is_lines(text: str) -> bool:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return "@" in lines[0] or (lines[1:2] != [] and lines[1].startswith("<")) if lines else False


def _from_lines(text: str) -> Sheet:
    if len(text) > LIMITS.size:
        raise SheetUnreadable(LIMITS.too_large)
    rows = []
    for number, one in enumerate(people_in(text), start=1):
        cells = (one.email or one.text, *one.names)
        rows.append(SheetRow(number, cells, one.problem))
    if len(rows) > LIMITS.rows:
        raise SheetUnreadable(LIMITS.too_many_rows)
    lines = enumerate(text.splitlines(), start=1)
    unseen = unseen_in_words(number for number, line in lines if has_unseen(line))
    return Sheet(NEEDED, tuple(rows), description=_("Names and email addresses") + unseen)
