"""The job type that registers the people of a table for a session."""

from collections.abc import Sequence
from typing import Any

from portal.client import Api
from portal.contract.operation import Operation
from portal.contract.registrants import Registrant, RegistrantStatus
from portal.imports.refusals import of_column
from portal.imports.sheets import Sheet
from portal.jobs.job_types import Done, ItemVerdict, JobType, Settled
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning, Unplannable
from portal.sessions.about import ABOUT, SEARCHED, of_registrant, session_of
from portal.sessions.imports.columns import TITLES, RegistrantMapping, reading_of
from portal.sessions.imports.rows import RegistrantImportRow as Row
from portal.sessions.imports.rows import interpret
from portal.sessions.services import registration
from portal.sessions.services.registrants import RegistrantLookup, everyone
from portal.sessions.specs import REGISTRANT_FAMILIES, RegistrantFamily
from portal.translation import gettext as _
from portal.translation import gettext_lazy, number

_DENIED = gettext_lazy("This registration was denied. Approve it in the list of registrants.")
_PENDING = gettext_lazy("The registration is pending approval.")
_TOGETHER = 300  # rows between two words about the progress


def parameters(
    family: RegistrantFamily,
    session_id: str,
    *,
    occurrence_ids: Sequence[str],
    questions: Sequence[str],
    takes_others: bool,
) -> dict[str, Any]:
    """The parameters of a job beside its table, which is its file."""
    return {
        "family": family.name,
        "session_id": session_id,
        "occurrence_ids": list(occurrence_ids),
        "questions": list(questions),
        "takes_others": takes_others,
    }


class RegisterPeopleJob(JobType):
    """`parameters` are those that `parameters` makes; the file is a `Sheet` as JSON."""

    name = "registrants.import"
    noun = (gettext_lazy("registrant"), gettext_lazy("registrants"))
    verbs = {"register": gettext_lazy("Register")}
    columns = tuple(TITLES)
    searched = SEARCHED

    def about(self, item: JobItem) -> Sequence[str]:
        return of_registrant(item.data.get(ABOUT, {}))

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:
        return [_family(job).add]

    def plan(self, planning: Planning) -> None:
        parameters = planning.job.parameters
        table = Sheet.load(planning.file())
        reading = reading_of(
            table.headers, parameters["questions"], takes_others=parameters["takes_others"]
        )
        if reading.missing:
            listed = ", ".join(reading.missing)
            raise Unplannable(
                _("The table lacks required columns: %(listed)s.") % {"listed": listed}
            )
        _note_columns(planning, table, reading)
        known = _registered(planning, _family(planning.job), parameters["session_id"])
        session = session_of(planning, _family(planning.job), parameters["session_id"])
        for done, row in enumerate(interpret(table, reading), start=1):
            item = _item(row, known.get(row.email.casefold()))
            item.data[ABOUT] = session
            planning.add(item)
            if done % _TOGETHER == 0:
                planning.progress(done, len(table.rows), _("Comparing rows"))

    def carry_out(self, api: Api, item: JobItem) -> Done:
        parameters = item.job.parameters
        person = Registrant.model_validate(item.data["registrant"])
        added = registration.register(
            api, _family(item.job), parameters["session_id"], person, parameters["occurrence_ids"]
        )
        return Done(added.registrant_id, "" if added.join_url else _PENDING)

    def refused(self, item: JobItem, field: str, message: str) -> tuple[str, str]:
        return of_column(field, message, self.row_of(item), TITLES, TITLES.__getitem__)

    def settle(self, api: Api, item: JobItem) -> Settled:
        session_id, email = item.job.parameters["session_id"], item.data["registrant"]["email"]
        found = registration.look_for(api, _family(item.job), session_id, email)
        if found is None:
            return Settled(ItemVerdict.NOT_SEEN)
        return Settled(ItemVerdict.DONE, found.id, _("Found among the registrants."))

    def row_of(self, item: JobItem) -> dict[str, str]:
        """The row as it came, with what it answers to the host's own questions."""
        return dict(item.data.get("row", {}))


def _family(job: Job) -> RegistrantFamily:
    return REGISTRANT_FAMILIES[job.parameters["family"]]


def _registered(
    planning: Planning, family: RegistrantFamily, session_id: str
) -> dict[str, RegistrantStatus]:
    """Returns the status of all who are registered already, by email."""
    known: dict[str, RegistrantStatus] = {}
    for status in RegistrantStatus:
        for count, one in enumerate(
            everyone(planning.api, family, session_id, RegistrantLookup(status)), start=1
        ):
            known[one.email.casefold()] = status
            if count % _TOGETHER == 0:
                planning.progress(
                    0, 0, _("Reading registrants: %(count)s") % {"count": number(len(known))}
                )
    return known


def _item(row: Row, status: RegistrantStatus | None) -> NewItem:
    item = NewItem(row.row.number, row.label, "register", data={"row": row.cells})
    problems = list(row.problems)
    if status is RegistrantStatus.DENIED:
        problems.append((TITLES["email"], _DENIED))
    if problems:
        item.state, item.problems = ItemState.INVALID, problems
    elif status is not None:
        item.state = ItemState.UNCHANGED
        item.changes = [(_("Status"), status.label, status.label)]
    else:
        item.data["registrant"] = row.data
    return item


def _note_columns(planning: Planning, table: Sheet, reading: RegistrantMapping) -> None:
    """Adds remarks on how the table was read, so that a person sees it before anything is sent."""
    read = [
        _("%(heading)s as %(title)s") % {"heading": heading, "title": TITLES[name]}
        for heading, name in zip(reading.headings, reading.names, strict=True)
        if name
    ]
    words = _("%(table)s. Columns: %(read)s.") % {
        "table": table.description,
        "read": ", ".join(read),
    }
    planning.note("neutral", words)
    if reading.asked:
        words = _("Answers to custom questions: %(listed)s.") % {"listed": ", ".join(reading.asked)}
        planning.note("neutral", words)
    if reading.ignored:
        words = _("Columns that are not imported: %(listed)s.") % {
            "listed": ", ".join(reading.ignored)
        }
        planning.note("warning", words)
