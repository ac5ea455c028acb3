"""The columns that a table of registrants may have, and the headings that mean them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from portal.contract.model import fields
from portal.contract.registrants import Registrant
from portal.sessions.lines import name_and_email
from portal.ui.sheets import Limits, Row, Table, Unreadable, read
from portal.ui.sheets.headings import normal

NEEDED = ("email", "first_name", "last_name")
TITLES = {
    name: info.title or name for name, info in fields(Registrant) if name != "custom_questions"
}
LIMITS = Limits(rows=20_000)
_ALSO = {
    "email": ("email address", "e-mail", "mail", "registrant email", "work email"),
    "first_name": ("firstname", "given name", "forename"),
    "last_name": ("lastname", "surname", "family name"),
    "org": ("organization", "company", "employer", "firm"),
    "job_title": ("title", "position", "role"),
    "phone": ("phone", "phone number", "telephone number", "mobile"),
    "zip": ("zip code", "postal code", "post code", "zip/postal code"),
    "state": ("state/province", "province", "region", "county"),
    "country": ("country/region",),
    "no_of_employees": ("number of employees", "company size"),
    "purchasing_time_frame": ("purchasing time frame", "time frame"),
    "role_in_purchase_process": ("role in purchase process",),
    "comments": ("questions & comments", "comment", "questions", "remarks"),
}

_BY_HEADING = {
    normal(heading): name
    for name, title in TITLES.items()
    for heading in (name, title, *_ALSO.get(name, ()))
}


@dataclass(frozen=True)
class Reading:
    """What each column of a table is: a field's name, a question of the host's own, or nothing."""

    headings: tuple[str, ...]
    names: tuple[str, ...]
    questions: tuple[str, ...]

    @property
    def missing(self) -> list[str]:
        """The columns without which no row can be registered."""
        return [TITLES[name] for name in NEEDED if name not in self.names]

    @property
    def ignored(self) -> list[str]:
        return [
            heading or "(no heading)"
            for heading, name, question in zip(
                self.headings, self.names, self.questions, strict=True
            )
            if not name and not question
        ]

    @property
    def asked(self) -> list[str]:
        """The questions of the host's own that columns answer."""
        return [question for question in self.questions if question]


def reading_of(
    headings: Sequence[str], known: Iterable[str] = (), *, takes_others: bool = False
) -> Reading:
    """What the headings mean. `known` are questions of the host's own that others have answered;
    with `takes_others`, every heading that is nothing else is one."""
    questions = {normal(title): title for title in known}
    names: list[str] = []
    asked: list[str] = []
    for heading in headings:
        name = _BY_HEADING.get(normal(heading), "")
        name = "" if name in names else name
        names.append(name)
        other = heading if takes_others else ""
        asked.append("" if name else questions.get(normal(heading), other))
    return Reading(tuple(headings), tuple(names), tuple(asked))


def table_in(content: bytes | str, file_name: str = "") -> Table:
    """The table in a file or in what was pasted. Raises `Unreadable`.

    What was pasted may do without headings: then each line is a name and an email.
    """
    if isinstance(content, str) and _is_lines(content):
        return _from_lines(content)
    return read(content, file_name=file_name, limits=LIMITS)


def _is_lines(text: str) -> bool:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return "@" in first


def _from_lines(text: str) -> Table:
    if len(text) > LIMITS.size:
        raise Unreadable(LIMITS.too_large)
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            name, email = name_and_email(line)
            first, _, last = name.rpartition(" ")
            rows.append(Row(number, (email, first or last, last if first else "")))
    if len(rows) > LIMITS.rows:
        raise Unreadable(LIMITS.too_many_rows)
    return Table(NEEDED, tuple(rows), told="A name and an email on each line")
