"""The job type that brings people from a table onto an account, or changes or removes them."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from django.db.models import QuerySet

from portal.client import Api, NotFound
from portal.contract.groups import Groups, ImGroups
from portal.contract.users import UserDetails, Users
from portal.directory.groups import GROUPS
from portal.directory.users import USERS
from portal.imports.job_type import ImportJob, Operations
from portal.imports.plan import CHANGE, CREATE, TOGETHER, ImportPlan
from portal.jobs.job_types import Done, Pointer, Settled
from portal.jobs.models import NEVER_SENT, UNDOES, ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.mirror.refresh import request_refresh
from portal.people.imports import remarks, steps
from portal.people.imports.account import ImportAccount, read_groups, read_people
from portal.people.imports.columns import NAMES, REMOVALS, PeopleMapping, mapping_of
from portal.people.imports.compare import PeopleComparison
from portal.people.imports.rows import PersonImportRow
from portal.people.jobs import import_written
from portal.people.jobs.import_onboarding import by_template, note_shown, onboard_created
from portal.people.jobs.import_undo import (
    created_by,
    created_people,
    note_of,
    note_of_created,
    still_there,
    undo_creation,
    undo_data,
    values,
)
from portal.people.jobs.reverting import ACTION_TO, Held, PeopleUndoJob, PersonValue, Reversal
from portal.people.services import seats
from portal.translation import gettext as _
from portal.translation import gettext_lazy, ngettext, number

KIND = "people.import"
_CHANGES = (Users.update, Users.change_status)
ONBOARDS = "onboards"  # the parameter of a job whose new people get an onboarding template


class PeopleImportPlan(ImportPlan[PersonImportRow]):
    """The making of one plan."""

    of = PersonImportRow

    def __init__(self, planning: Planning, mapping: PeopleMapping) -> None:
        super().__init__(planning, mapping)
        known = planning.job.parameters.get("seats", {})
        self._seats = {int(licence): count for licence, count in known.items()}
        self._account = ImportAccount()
        self._kept_passwords = self._mailed = 0

    def look(self, rows: list[PersonImportRow]) -> None:
        self._check_role(rows)
        planning = self.planning
        for read in read_people(planning.api, self._account):
            planning.progress(
                read, 0, _("Loading the people on the account: %(read)s") % {"read": number(read)}
            )
        read_groups(planning.api, self._account)

    def items(self, rows: list[PersonImportRow]) -> Iterator[NewItem]:
        removed = frozenset(row.key for row in rows if row.removal)
        comparison = PeopleComparison(self._account, removed)
        people = self._account.people.values()
        self._tally = tally = seats.SeatTally.of(known.user.type for known in people)
        for row, details in self._with_details(rows, comparison):
            item = comparison.item(row, details)
            known = self._account.person(row.email)
            if item.state == ItemState.PENDING:
                tally.count(known.user.type if known else None, _licence_after(row, item.action))
                self._mailed += remarks.is_mailed(row, item.action)
            self._kept_passwords += bool(row.password and known)
            yield item

    def tell(self, rows: list[PersonImportRow]) -> None:
        planning = self.planning
        if self._mailed:
            planning.note("neutral", remarks.mails_in_words(self._mailed))
        for words in remarks.questions(rows, self._account):
            planning.note("warning", words)
        self._note(rows, self._tally, self._kept_passwords)
        if planning.job.parameters.get(ONBOARDS):
            self._note_templates()

    def _note_templates(self) -> None:
        """Which templates new people get when the import has ended."""
        self.planning.store()
        found = by_template(self.planning.job, ItemState.PENDING)
        for template, items in found:
            words = ngettext(
                "%(count)s new person gets the onboarding template %(template)s.",
                "%(count)s new people get the onboarding template %(template)s.",
                len(items),
            )
            words %= {"count": number(len(items)), "template": template}
            self.planning.note("neutral", words)
        note_shown(self.planning.job, [template for template, _items in found])
        if not found:
            words = _("No new person is in a department that has an onboarding template.")
            self.planning.note("neutral", words)

    def _check_role(self, rows: list[PersonImportRow]) -> None:
        if self.planning.scope.may(Users.delete):
            return
        for row in rows:
            if row.do in REMOVALS:
                words = _("Only administrators of this portal remove people.")
                row.problem("action", words)

    def _with_details(
        self, rows: list[PersonImportRow], comparison: PeopleComparison
    ) -> Iterator[tuple[PersonImportRow, UserDetails | None]]:
        """Each row, with the person read alone where lists do not contain enough."""
        waiting = iter(rows)
        while some := list(islice(waiting, TOGETHER)):
            ids = list(filter(None, (comparison.needs_details(row) for row in some)))
            found = self.planning.concurrently(self._details, ids)
            by_id = dict(zip(ids, found, strict=True))
            for row in some:
                known = self._account.person(row.email)
                details = by_id.get(known.user.id) if known else None
                if known and known.user.id in by_id and details is None:
                    words = _("This person left the account while the preview was made.")
                    row.problem("email", words)
                yield row, details

    def _details(self, user_id: str) -> UserDetails | None:
        try:
            return self.planning.api.users.get(user_id)
        except NotFound:
            return None

    def _note(
        self, rows: list[PersonImportRow], tally: "seats.SeatTally", kept_passwords: int
    ) -> None:
        note = self.planning.note
        for tone, words in tally.notes(self._seats):
            note(tone, words)
        lost = sum(1 for row in rows if row.removal and not row.problems and _loses(row))
        if lost:
            words = ngettext(
                "%(count)s person is removed without transferring everything they have.",
                "%(count)s people are removed without transferring everything they have.",
                lost,
            )
            note("warning", words % {"count": number(lost)})
        if kept_passwords:
            words = ngettext(
                "%(count)s person with a password in the table exist already and keep theirs.",
                "%(count)s people with a password in the table exist already and keep theirs.",
                kept_passwords,
            )
            note("neutral", words % {"count": number(kept_passwords)})


class PeopleImportJob(ImportJob, PeopleUndoJob):
    """Plans and carries out a table of people.

    `parameters` are a `Mapping` and `seats`, how many of each licence the account has; the file is
    a `Sheet` as JSON.
    """

    name = KIND
    verbs = {
        "create": gettext_lazy("Create"),
        "change": gettext_lazy("Change"),
        "activate": gettext_lazy("Activate"),
        "deactivate": gettext_lazy("Deactivate"),
        "delete": gettext_lazy("Delete permanently"),
        "disassociate": gettext_lazy("Disassociate"),
    }
    operations = {
        CREATE: (Users.create, *_CHANGES, Groups.add_members, ImGroups.add_members),
        **dict.fromkeys((CHANGE, *ACTION_TO.values()), _CHANGES),
        **dict.fromkeys(REMOVALS, (Users.delete,)),
    }
    planned_by = PeopleImportPlan
    columns = NAMES
    searched = ("data__name",)

    def about(self, item: JobItem) -> Sequence[str]:
        name = str(item.data.get("name", ""))
        return [name] if name else []

    def needs(self, job: Job) -> Operations:
        needed = list(super().needs(job))
        if UNDOES in job.parameters:
            items = job.items.exclude(state__in=NEVER_SENT)
            for key, family in (("leave_groups", Groups), ("leave_im_groups", ImGroups)):
                if items.filter(data__has_key=key).exists():
                    needed.append(family.remove_member)
        return needed

    def mapping(self, job: Job) -> PeopleMapping:
        return mapping_from(job.parameters)

    def carry_out(self, api: Api, item: JobItem) -> Done:
        return steps.carry_out(api, item)

    def settle(self, api: Api, item: JobItem) -> Settled:
        return steps.settle(api, item)

    def values(self, item: JobItem) -> Iterator[PersonValue]:
        return values(item)

    def undoable(self, job: Job) -> QuerySet[JobItem]:
        return super().undoable(job) | created_by(job)

    def undo_item(self, job: Job, item: JobItem, now: Held | None) -> NewItem:
        if "create" in item.data:
            made = undo_creation(job, item, now, self.gone)
            made.data |= self.undo_context(item)
            return made
        return super().undo_item(job, item, now)

    def undo_data(self, item: JobItem, reversal: Reversal) -> dict[str, Any]:
        return undo_data(item, reversal)

    def plan_undo(self, planning: Planning, earlier: Job) -> None:
        super().plan_undo(planning, earlier)
        planning.store()
        for words in (*note_of_created(planning.job), *note_of(earlier)):
            planning.note("warning", words)

    def undo_action(self, item: JobItem, reversal: Reversal) -> str:  # noqa: ARG002
        if list(reversal.values) == ["status"]:
            return ACTION_TO[reversal.values["status"]]
        return CHANGE

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        import_written.note(job.scope, items)

    def finished(self, job: Job) -> None:
        request_refresh(job.connection, USERS)
        request_refresh(job.connection, GROUPS)
        if job.parameters.get(ONBOARDS) and UNDOES not in job.parameters:
            onboard_created(job)

    def results_url(self, job: Job) -> str:
        """Returns the address of the list, narrowed to those whom the import created, if any."""
        url = super().results_url(job)
        return f"{url}?job={job.key}" if still_there(job, job.key) else url

    def pointers(self, job: Job) -> list[Pointer]:
        return list(created_people(job))

    def row_of(self, item: JobItem) -> dict[str, str]:
        """The row as it came, without what is secret. Who exists by now is to be changed."""
        row = super().row_of(item)
        if row and item.object_id and "create" in item.data:
            row |= {name: "" for name in ("action", "create_action") if name in row}
        return row


def _loses(row: PersonImportRow) -> bool:
    removal = row.removal
    return removal is not None and not (
        removal.transfer_meeting and removal.transfer_webinar and removal.transfer_recording
    )


def _licence_after(row: PersonImportRow, action: str) -> int | None:
    """The licence that a person has when the row is done; none who is gone."""
    if action in REMOVALS:
        return None
    if action == CREATE:
        return row.creation().user_info.type
    wanted: int = row.profile.get("type", seats.SAME)
    return wanted


def parameters_of(mapping: PeopleMapping, known_seats: dict[int, int]) -> dict[str, Any]:
    """The parameters of a job of this type."""
    return {
        "names": list(mapping.names),
        "headings": list(mapping.headings),
        "way": mapping.way,
        "licence": mapping.licence,
        "fill_zeros": mapping.fill_zeros,
        "seats": {str(licence): count for licence, count in known_seats.items()},
    }


def mapping_from(data: dict[str, Any]) -> PeopleMapping:
    """The reverse of `parameters_of`."""
    names = ("names", "headings", "way", "licence", "fill_zeros")
    return mapping_of(**{name: data[name] for name in names})
