"""The columns that a table of registrants may have, and the headings that mean them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial

from portal.contract.described import Titles
from portal.contract.registrants import Registrant
from portal.imports.sheets import Limits, Sheet, SheetRow, SheetUnreadable, read
from portal.imports.sheets.headings import normal, with_last_name
from portal.imports.sheets.table import unseen_in_words
from portal.sessions.imports.registrant_headings import ALSO
from portal.translation import gettext as _
from portal.translation import in_all_languages, lazily
from portal.ui.addresses import has_unseen, people_in

NEEDED = ("email", "first_name", "last_name")
TITLES = Titles(Registrant, without=("custom_questions",))
LIMITS = Limits(rows=20_000)


@dataclass(frozen=True)
class RegistrantMapping:
    """The meaning of each column of a table: a field's name, a question of the host's, or
    nothing."""

    headings: tuple[str, ...]
    names: tuple[str, ...]
    questions: tuple[str, ...]

    def heading(self, name: str) -> str:
        """Returns what the table calls a field; its title where the table lacks it."""
        called = dict(zip(self.names, self.headings, strict=True)).get(name)
        return called if called and called != name else str(TITLES.get(name, name))

    @property
    def missing(self) -> list[str]:
        """The columns without which no row can be registered."""
        return [str(TITLES[name]) for name in NEEDED if name not in self.names]

    @property
    def ignored(self) -> list[str]:
        return [
            heading or _("(no header)")
            for heading, name, question in zip(
                self.headings, self.names, self.questions, strict=True
            )
            if not name and not question
        ]

    @property
    def asked(self) -> list[str]:
        """The questions of the host's own that columns answer."""
        return [question for question in self.questions if question]


@cache
def _by_heading() -> dict[str, str]:
    return {
        normal(heading): name
        for name in TITLES
        for heading in (name, *_titles(name), *ALSO.get(name, ()))
    }


def _titles(name: str) -> list[str]:
    return in_all_languages(lazily(partial(TITLES.__getitem__, name)))


def reading_of(
    headings: Sequence[str], known: Iterable[str] = (), *, takes_others: bool = False
) -> RegistrantMapping:
    """Returns the meaning of the headings. `known` are questions of the host's own that others have
    answered; with `takes_others`, every heading that is nothing else is one."""
    questions = {normal(title): title for title in known}
    names: list[str] = []
    asked: list[str] = []
    for heading in headings:
        name = _by_heading().get(normal(heading), "")
        name = "" if name in names else name
        names.append(name)
        other = heading if takes_others else ""
        asked.append("" if name else questions.get(normal(heading), other))
    named = with_last_name(headings, names)
    pairs = zip(named, asked, strict=True)
    return RegistrantMapping(
        tuple(headings), named, tuple("" if name else each for name, each in pairs)
    )


def table_in(content: bytes | str, file_name: str = "") -> Sheet:
    """The table in a file or in what was pasted. Raises `SheetUnreadable`.

    What was pasted may do without headings: then it is a list of names and addresses.
    """
    if isinstance(content, str) and _is_lines(content):
        return _from_lines(content)
    return read(content, file_name=file_name, limits=LIMITS, headings=_by_heading().keys())


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
