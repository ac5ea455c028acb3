"""The job type that registers the people of a table for a session."""

from collections.abc import Iterator, Sequence
from typing import Any

from portal.client import Api
from portal.contract.operation import Operation
from portal.contract.registrants import Registrant, RegistrantStatus
from portal.imports.mapping import ImportMapping
from portal.imports.plan import TOGETHER, ImportJob, ImportPlan, item_of
from portal.imports.sheets import Sheet
from portal.jobs.job_types import Done, ItemVerdict, Settled
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.sessions.about import ABOUT, SEARCHED, of_registrant, session_of
from portal.sessions.imports.registrants import (
    QUESTION,
    TITLES,
    RegistrantImportRow,
    mapping_of,
    reading_of,
)
from portal.sessions.services import registration
from portal.sessions.services.registrants import RegistrantLookup, everyone
from portal.sessions.specs import REGISTRANT_FAMILIES, RegistrantFamily
from portal.translation import gettext as _
from portal.translation import gettext_lazy, number

_DENIED = gettext_lazy("This registration was denied. Approve it in the list of registrants.")
_PENDING = gettext_lazy("The registration is pending approval.")


class RegistrantImportPlan(ImportPlan[RegistrantImportRow]):
    """The making of one plan."""

    of = RegistrantImportRow
    tells_columns = True

    def look(self, rows: list[RegistrantImportRow]) -> None:  # noqa: ARG002 - all are read
        job = self.planning.job
        session_id = job.parameters["session_id"]
        self._known = _registered(self.planning, _family(job), session_id)
        self._session = session_of(self.planning, _family(job), session_id)

    def items(self, rows: list[RegistrantImportRow]) -> Iterator[NewItem]:
        for row in rows:
            item = _item(row, self._known.get(row.email.casefold()))
            item.data[ABOUT] = self._session
            yield item

    def tell(self, rows: list[RegistrantImportRow]) -> None:  # noqa: ARG002
        names = self.mapping.names
        if asked := [self.mapping.title(name) for name in names if name.startswith(QUESTION)]:
            words = _("Answers to custom questions: %(listed)s.") % {"listed": ", ".join(asked)}
            self.planning.note("neutral", words)


class RegisterPeopleJob(ImportJob):
    """`parameters` name the session, its occurrences and what the columns mean; the file is a
    `Sheet` as JSON."""

    name = "registrants.import"
    noun = (gettext_lazy("registrant"), gettext_lazy("registrants"))
    verbs = {"register": gettext_lazy("Register")}
    planned_by = RegistrantImportPlan
    columns = tuple(TITLES)
    searched = SEARCHED

    def about(self, item: JobItem) -> Sequence[str]:
        return of_registrant(item.data.get(ABOUT, {}))

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:
        return [_family(job).add]

    def mapping(self, job: Job) -> ImportMapping:
        parameters = job.parameters
        return mapping_of(parameters.get("names", ()), parameters.get("headings", ()))

    def plan(self, planning: Planning) -> None:
        given = planning.job.parameters
        if "names" not in given:  # as an earlier version begins a job
            headings, others = Sheet.load(planning.file()).headers, given["takes_others"]
            given["names"] = reading_of(headings, given["questions"], takes_others=others).names
        super().plan(planning)

    def carry_out(self, api: Api, item: JobItem) -> Done:
        parameters = item.job.parameters
        person = Registrant.model_validate(item.data["registrant"])
        added = registration.register(
            api, _family(item.job), parameters["session_id"], person, parameters["occurrence_ids"]
        )
        return Done(added.registrant_id, "" if added.join_url else _PENDING)

    def settle(self, api: Api, item: JobItem) -> Settled:
        session_id, email = item.job.parameters["session_id"], item.data["registrant"]["email"]
        found = registration.look_for(api, _family(item.job), session_id, email)
        if found is None:
            return Settled(ItemVerdict.NOT_SEEN)
        return Settled(ItemVerdict.DONE, found.id, _("Found among the registrants."))


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
            if count % TOGETHER == 0:
                planning.progress(
                    0, 0, _("Loading registrants: %(count)s") % {"count": number(len(known))}
                )
    return known


def _item(row: RegistrantImportRow, status: RegistrantStatus | None) -> NewItem:
    if status is RegistrantStatus.DENIED:
        row.problems.append((TITLES["email"], _DENIED))
    item = item_of(row, row.label, "register")
    if status is not None and not row.problems:
        item.state = ItemState.UNCHANGED
        item.changes = [(_("Status"), status.label, status.label)]
    elif not row.problems:
        item.data["registrant"] = row.values
    return item
