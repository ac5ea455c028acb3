"""The job type that brings people from a table onto an account, or changes or removes them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from portal.access.http import Origin
from portal.access.models import Connection
from portal.client import Api, NotFound
from portal.contract.groups import Groups, ImGroups
from portal.contract.users import CreateAction, StatusAction, UserDetails, Users
from portal.directory import groups, users
from portal.imports.plan import CHANGE, CREATE, TOGETHER, ImportJob, ImportPlan, Operations
from portal.imports.sheets import Sheet
from portal.jobs import services as jobs
from portal.jobs.job_types import Done, Resolution
from portal.jobs.models import NEVER_SENT, UNDOES, ItemState, Job, JobItem
from portal.jobs.planning import NewItem
from portal.people.imports import compare, items as import_items
from portal.people.imports.columns import (
    NAMES,
    TRANSFERS,
    PeopleMapping,
    PersonImportRow,
    mapping_of,
)
from portal.people.imports.compare import PeopleComparison
from portal.people.imports.items import PeopleImportUndoJob
from portal.people.jobs.base import ACTION_TO
from portal.people.labels import REMOVALS, RESULT
from portal.people.onboarding import jobs as onboarding
from portal.people.services import seats
from portal.people.services.account import (
    GROUP_COLUMNS,
    NOT_LISTED,
    AccountSnapshot,
    ExistingPerson,
)
from portal.people.services.creation import LISTED, status_after
from portal.translation import gettext as _, gettext_lazy, lazily, ngettext, number

KIND = "people.import"
ONBOARDS = "onboards"  # the parameter of a job whose new people get an onboarding template
_CHANGES = (Users.update, Users.change_status)
_MAPPING = ("names", "headings", "way", "licence", "fill_zeros")  # parameters


class PeopleImportPlan(ImportPlan[PersonImportRow]):
    of = PersonImportRow

    def prefetch(self, rows: list[PersonImportRow]) -> None:
        if not self.planning.scope.may(Users.delete):
            for row in rows:
                if row.do in REMOVALS:
                    row.problem("action", _("Only administrators of Switchboard remove people."))
        self._account = AccountSnapshot()
        self._account.read_people(self.planning)
        self._account.read_groups(self.planning.api)

    def items(self, rows: list[PersonImportRow]) -> Iterator[NewItem]:
        removed = frozenset(row.key for row in rows if row.removal)
        comparison = PeopleComparison(self._account, removed)
        people = self._account.people.values()
        self._seat_counts = seats.SeatChanges.of(existing.user.type for existing in people)
        self._mailed = self._unchanged_passwords = 0
        for row, existing in self._with_people(rows):
            item = comparison.item(row, existing)
            if item.state == ItemState.PENDING:
                licence = existing.user.type if existing else None
                self._seat_counts.count(licence, _licence_after(row, item.action))
                self._mailed += item.action == CREATE and row.way is CreateAction.CREATE
            self._unchanged_passwords += bool(row.password and existing)
            yield item

    def tell(self, rows: list[PersonImportRow]) -> None:
        add_notice = self.planning.add_notice
        if count := self._mailed:
            words = ngettext(
                "%(count)s person is emailed an activation link.",
                "%(count)s people are emailed an activation link.",
                count,
            )
            add_notice("neutral", words % {"count": number(count)})
        for words in compare.questions(rows, self._account):
            add_notice("warning", words)
        self._seat_counts.tell(self.planning)
        removed = (row.removal for row in rows if row.removal and not row.problems)
        if lost := sum(not all(getattr(one, name) for name in TRANSFERS) for one in removed):
            words = ngettext(
                "%(count)s person is removed without transferring everything they have.",
                "%(count)s people are removed without transferring everything they have.",
                lost,
            )
            add_notice("warning", words % {"count": number(lost)})
        if count := self._unchanged_passwords:
            words = ngettext(
                "%(count)s person with a password in the table exist already and keep theirs.",
                "%(count)s people with a password in the table exist already and keep theirs.",
                count,
            )
            add_notice("neutral", words % {"count": number(count)})
        if self.planning.job.parameters.get(ONBOARDS):
            onboarding.tell(self.planning)

    def _with_people(
        self, rows: list[PersonImportRow]
    ) -> Iterator[tuple[PersonImportRow, ExistingPerson | None]]:
        """Each row with who is there, read alone where lists do not contain enough."""
        waiting = iter(rows)
        while some := list(islice(waiting, TOGETHER)):
            pairs = [(row, self._account.person(row.email)) for row in some]
            ids = [
                existing.user.id
                for row, existing in pairs
                if existing and not row.problems and NOT_LISTED & row.profile.keys()
            ]
            details = dict(zip(ids, self.planning.concurrently(self._details, ids), strict=True))
            for row, existing in pairs:
                if existing is None or existing.user.id not in details:
                    yield row, existing
                    continue
                if details[existing.user.id] is None:
                    words = _("This person left the account while the preview was made.")
                    row.problem("email", words)
                yield row, replace(existing, details=details[existing.user.id])

    def _details(self, user_id: str) -> UserDetails | None:
        try:
            return self.planning.api.users.get(user_id)
        except NotFound:
            return None


class PeopleImportJob(ImportJob, PeopleImportUndoJob):
    """Plans and carries out a table of people.

    `parameters` are those of a `PeopleMapping` and `seats`, how many of each licence the account
    has; the file is a `Sheet` as JSON.
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
            for column, kind in GROUP_COLUMNS.items():
                if items.filter(data__has_key=f"leave_{column}").exists():
                    needed.append(kind.family.remove_member)
        return needed

    def mapping(self, job: Job) -> PeopleMapping:
        return mapping_of(**{name: job.parameters[name] for name in _MAPPING})

    def carry_out(self, api: Api, item: JobItem) -> Done:
        return import_items.carry_out(api, item)

    def resolve(self, api: Api, item: JobItem) -> Resolution:
        return import_items.resolve(api, item)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        """Puts into the mirror what these have created, changed and removed."""
        connection = job.scope.connection
        if removed := [item.object_id for item in items if "removal" in item.data]:
            users.remove(connection, removed)
        written = [item for item in items if "removal" not in item.data and item.object_id]
        users.record_written(connection, {one.object_id: _written_fields(one) for one in written})
        for column, kind in GROUP_COLUMNS.items():
            for name, change in ((column, groups.join), (f"leave_{column}", groups.leave)):
                members: dict[str, list[str]] = {}
                for item in written:
                    for group_id in item.data.get(name, ()):
                        members.setdefault(group_id, []).append(item.object_id)
                for group_id, ids in members.items():
                    change(connection, kind.mirrored, group_id, ids)

    def finished(self, job: Job) -> None:
        users.USERS.request(job.connection)
        groups.GROUPS.request(job.connection)
        if job.parameters.get(ONBOARDS) and UNDOES not in job.parameters:
            onboarding.onboard_created(job)

    def row_of(self, item: JobItem) -> dict[str, str]:
        """The row as it came, without what is secret. Who exists by now is to be changed."""
        row = super().row_of(item)
        if row and item.object_id and "create" in item.data:
            row |= {name: "" for name in ("action", "create_action") if name in row}
        return row


def _written_fields(item: JobItem) -> dict[str, object]:
    """Returns the fields that lists will report of a person after the row, as far as it has
    them."""
    data: dict[str, object] = {}
    if created := item.data.get("create"):
        data |= {name: value for name, value in created["user_info"].items() if name in LISTED}
        data["status"] = status_after(CreateAction(created["action"]))
    data |= item.data.get("profile", {})
    if action := item.data.get("status"):
        data["status"] = RESULT[StatusAction(action)]
    return data


def _licence_after(row: PersonImportRow, action: str) -> int | None:
    """The licence that a person has when the row is done; none who is gone."""
    if action in REMOVALS:
        return None
    if action == CREATE:
        return row.creation().user_info.type
    wanted: int = row.profile.get("type", seats.SAME)
    return wanted


def draft(
    origin: Origin,
    connection: Connection,
    table: Sheet,
    mapping: PeopleMapping,
    totals: dict[str, int],
    *,
    name: str = "",
    onboards: bool = False,
) -> Job:
    """A job that imports a table of this name, onto an account with as many licences; with
    `onboards` new people get the template of their department when it has ended."""
    count = len(table.rows)

    def title() -> str:
        rows = ngettext("%(count)s row", "%(count)s rows", count) % {"count": number(count)}
        return _("Import %(rows)s of %(table)s") % {
            "rows": rows,
            "table": name or _("a pasted table"),
        }

    parameters = {each: getattr(mapping, each) for each in _MAPPING}
    return jobs.draft(
        origin,
        connection,
        KIND,
        lazily(title),
        parameters=parameters | {"seats": totals, ONBOARDS: onboards},
        file=table.dump(),
        file_name=name,
    )
