"""The columns that a table of registrants may have, and its rows."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from portal.client import Api
from portal.contract.model import Titles
from portal.contract.operation import AnyOperation
from portal.contract.registrants import Registrant, RegistrantStatus
from portal.imports.columns import Choice, Column, choices_of, column_of, full_name_column
from portal.imports.mapping import NAMES, ImportMapping, ImportRow, recognised
from portal.imports.plan import TOGETHER, ImportJob, ImportPlan, item_of
from portal.imports.sheets import Limits, Sheet, plain
from portal.imports.sheets.headings import (
    FULL_NAME,
    OF_REPORTS,
    TableWords,
    normal,
    with_names,
)
from portal.jobs.job_types import Done, ItemVerdict, Resolution
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.sessions.kinds import BY_REGISTRANTS, kind_with
from portal.sessions.services.registrants import RegistrantLookup, Registrants
from portal.sessions.specs import ABOUT, SEARCHED, SessionSpec, of_registrant, session_of
from portal.translation import gettext as _, gettext_lazy, number
from portal.ui.addresses import address_in

NEEDED = ("email", "first_name", "last_name")
# Other columns of exports, which cannot be changed.
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
_DENIED = gettext_lazy("This registration was denied. Approve it in the list of registrants.")
_PENDING = gettext_lazy("The registration is pending approval.")


def _choice_or_text(column: Column, text: str) -> str:
    """Returns the choice that a cell names by its value or words, or else the text, which the
    contract refuses."""
    try:
        return str(column.choice(text).value)
    except ValueError:
        return text


def _column(name: str) -> Column:
    column = column_of(Registrant, name, _WORDS, example=_EXAMPLE.get(name, ""))
    if name == "email":
        return replace(column, reader=address_in)
    return replace(column, reader=partial(_choice_or_text, column)) if column.offered else column


COLUMNS = {
    **{name: _column(name) for name in NEEDED},
    FULL_NAME: full_name_column(),
    **{name: _column(name) for name in TITLES if name not in NEEDED},
}


def mapping_of(names: Sequence[str], headings: Sequence[str] = ()) -> ImportMapping:
    """Returns the meaning of each column: a field's name, a question of the host's, or nothing."""
    own = (name for name in names if name.startswith(QUESTION))
    questions = {name: Column(name, name.removeprefix(QUESTION)) for name in own}
    needed = (("email",), *((name, FULL_NAME) for name in NAMES))
    return ImportMapping(names, headings, COLUMNS | questions, needed, EXPORT_ONLY)


def reading_of(
    headings: Sequence[str], titles: Iterable[str] = (), *, takes_others: bool = False
) -> ImportMapping:
    """Returns the meaning of the headings. `titles` are those of questions that others
    have answered; with `takes_others`, every heading that is nothing else is one."""
    questions = {normal(title): title for title in titles}
    named = list(with_names(headings, recognised(headings, COLUMNS)))
    for place, heading in enumerate(headings):
        title = questions.get(normal(heading), heading if takes_others else "")
        if title and not named[place]:
            named[place] = f"{QUESTION}{title}"
    return mapping_of(tuple(named), headings)


def choices_in(headings: Sequence[str], questions: Iterable[str]) -> list[Choice]:
    """Returns the meanings that can be chosen for a column; questions of the host's own are those
    that others have answered, and the headings that mean nothing else."""
    named = zip(headings, reading_of(headings).names, strict=True)
    titles = dict.fromkeys(
        [*questions, *(heading for heading, name in named if heading and not name)]
    )
    own = [(f"{QUESTION}{title}", title) for title in titles]
    return choices_of(COLUMNS, _("Custom questions"), own)


@dataclass
class RegistrantImportRow(ImportRow):
    """A person to register; `values` are as the interface takes them."""

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
        self.read_beside("email", self.name)
        own = [name for name in self.values if name.startswith(QUESTION)]
        answers = [
            {"title": name.removeprefix(QUESTION), "value": self.values.pop(name)} for name in own
        ]
        if answers:
            self.values["custom_questions"] = answers
        self.cells = {name.removeprefix(QUESTION): plain(cell) for name, cell in self.cells.items()}
        if not self.row.problem:
            self.check(Registrant, self.values)


class RegistrantImportPlan(ImportPlan[RegistrantImportRow]):
    of = RegistrantImportRow
    shows_columns = True

    def prefetch(self, rows: list[RegistrantImportRow]) -> None:  # noqa: ARG002 - all are read
        job = self.planning.job
        self._existing = _registered(self.planning)
        self._session = session_of(self.planning, spec_of(job))

    def items(self, rows: list[RegistrantImportRow]) -> Iterator[NewItem]:
        for row in rows:
            status = self._existing.get(row.email.casefold())
            item = self.planned(row, partial(_item, row, status))
            item.data[ABOUT] = self._session
            yield item

    def add_notices(self, rows: list[RegistrantImportRow]) -> None:  # noqa: ARG002
        names = self.mapping.names
        if own := [self.mapping.title(name) for name in names if name.startswith(QUESTION)]:
            words = _("Answers to custom questions: %(listed)s.") % {"listed": ", ".join(own)}
            self.planning.add_notice("neutral", words)


class RegisterPeopleJob(ImportJob):
    """`parameters` name the session, its occurrences and what the columns mean; the file is a
    `Sheet` as JSON."""

    name = "registrants.import"
    selects = {"family": BY_REGISTRANTS}
    noun = (gettext_lazy("registrant"), gettext_lazy("registrants"))
    verbs = {"register": gettext_lazy("Register")}
    planned_by = RegistrantImportPlan
    columns = tuple(COLUMNS)
    searched = SEARCHED

    def about(self, item: JobItem) -> Sequence[str]:
        return of_registrant(item.data.get(ABOUT, {}))

    def needs(self, job: Job) -> Sequence[AnyOperation]:
        return [spec_of(job).registrants.add]

    def mapping(self, job: Job) -> ImportMapping:
        parameters = job.parameters
        return mapping_of(parameters.get("names", ()), parameters.get("headings", ()))

    def name_in_rows(self, name: str) -> str:
        return name.removeprefix(QUESTION)

    def plan(self, planning: Planning) -> None:
        given = planning.job.parameters
        if "names" not in given:  # as an earlier version begins a job
            headings, others = Sheet.load(planning.file()).headers, given["takes_others"]
            given["names"] = reading_of(headings, given["questions"], takes_others=others).names
        super().plan(planning)

    def carry_out(self, api: Api, item: JobItem) -> Done:
        person = Registrant.model_validate(item.data["registrant"])
        added = _listed(api, item.job).add(person, item.job.parameters["occurrence_ids"])
        return Done(added.registrant_id, "" if added.join_url else _PENDING)

    def resolve(self, api: Api, item: JobItem) -> Resolution:
        existing = _listed(api, item.job).with_email(item.data["registrant"]["email"])
        if existing is None:
            return Resolution(ItemVerdict.NOT_SEEN)
        return Resolution(ItemVerdict.DONE, existing.id, _("Found among the registrants."))


def spec_of(job: Job) -> SessionSpec:
    return kind_with(job.parameters["family"])


def _listed(api: Api, job: Job) -> Registrants:
    return Registrants(api, spec_of(job).registrants, job.parameters["session_id"])


def _registered(planning: Planning) -> dict[str, RegistrantStatus]:
    """Returns the status of all who are registered already, by email."""
    statuses: dict[str, RegistrantStatus] = {}
    listed = _listed(planning.api, planning.job)
    for status in RegistrantStatus:
        for count, one in enumerate(listed.all(RegistrantLookup(status)), start=1):
            statuses[one.email.casefold()] = status
            if count % TOGETHER == 0:
                planning.progress(
                    0, 0, _("Loading registrants: %(count)s") % {"count": number(len(statuses))}
                )
    return statuses


def _item(row: RegistrantImportRow, status: RegistrantStatus | None) -> NewItem:
    if status is RegistrantStatus.DENIED:
        row.problems.append((TITLES["email"], _DENIED))
    item = item_of(row, row.label, "register")
    if status is not None and not row.problems:
        item.state = ItemState.UNCHANGED
        item.changes = [(_("Status"), "", status.label)]
    elif not row.problems:
        item.data["registrant"] = row.values
    return item
