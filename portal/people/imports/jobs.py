"""The job type that brings people from a table onto an account, or changes or removes them.

A creation is sent once; whatever comes after it may be repeated without harm. The id of a created
person is stored with the item (`object_id`) before the next request leaves.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial

from portal.access.http import Origin
from portal.access.models import Connection
from portal.access.scope import Outside
from portal.client import Answered, Api, Conflict, Invalid, NotFound
from portal.contract.groups import Groups, ImGroups
from portal.contract.operation import AnyOperation
from portal.contract.problems import PersonReference
from portal.contract.users import (
    NewUser,
    StatusAction,
    StatusChange,
    UserDetails,
    UserRemovalToday,
    Users,
    UserUpdate,
)
from portal.directory import groups, users
from portal.imports.plan import CHANGE, CREATE, READ_IN_WORDS, ImportJob, Operations
from portal.imports.sheets import Sheet
from portal.jobs import services as jobs
from portal.jobs.job_types import Done, ItemRefusal, ItemVerdict, Resolution
from portal.jobs.models import NEVER_SENT, UNDOES, Job, JobItem
from portal.jobs.planning import NewItem
from portal.people import placing
from portal.people.imports.columns import NAMES, PeopleMapping, mapping_of
from portal.people.imports.plan import ONBOARDS, PeopleImportPlan
from portal.people.imports.undo import PeopleImportUndoJob
from portal.people.jobs.base import ACTION_TO, removal_outcome
from portal.people.labels import REMOVALS, RESULT
from portal.people.onboarding import jobs as onboarding
from portal.people.services.account import GROUP_COLUMNS
from portal.translation import gettext as _, gettext_lazy, lazily, ngettext, number

KIND = "people.import"
_CHANGES = (Users.update, Users.change_status)
_MAPPING = ("names", "headings", "way", "licence", "fill_zeros")  # parameters
_PLACES = ("dept", "group")  # parameters that jobs of an earlier release lack
Step = tuple[str, Callable[[], object]]

# A service's machines may differ, and it may report whole seconds only.
_CLOCKS_DIFFER_BY = timedelta(seconds=5)
_EXISTED = gettext_lazy("A person with this email was on the account before this row was sent.")


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

    def calls_of_row(self, item: NewItem) -> Operations:
        data = item.data
        if "removal" in data:
            return [Users.delete]
        calls: list[AnyOperation] = [Users.create] if "create" in data else []
        if data.get("profile") or "host_key" in item.secret:
            calls.append(Users.update)
        if data.get("status"):
            calls.append(Users.change_status)
        for column, kind in GROUP_COLUMNS.items():
            calls += [kind.family.add_members] * len(data.get(column, ()))
            calls += [kind.family.remove_member] * len(data.get(f"leave_{column}", ()))
        return calls

    def mapping(self, job: Job) -> PeopleMapping:
        places = {name: job.parameters.get(name, "") for name in _PLACES}
        return mapping_of(**{name: job.parameters[name] for name in _MAPPING}, **places)

    def carry_out(self, api: Api, item: JobItem) -> Done:
        if "removal" in item.data:
            return _remove(api, item)
        is_new = "create" in item.data
        if is_new and not item.object_id:
            item.object_id = _create(api, item)
            if _has_more(item):
                item.reached()
        for what, step in _steps(api, item):
            try:
                step()
            except (Invalid, Conflict, NotFound) as error:
                if is_new:
                    raise _half_done(what, error) from error
                raise
        return Done(item.object_id)

    def resolve(self, api: Api, item: JobItem) -> Resolution:
        if "removal" in item.data:
            return removal_outcome(api, item.object_id)
        if "create" not in item.data or item.object_id:
            return Resolution(ItemVerdict.NOT_DONE, item.object_id)
        try:
            person = api.users.get(item.data["email"])
        except (NotFound, Outside):  # a taken address is refused again
            return Resolution(ItemVerdict.NOT_DONE)
        return _judged(item, person)

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
        """Returns the row as uploaded, without secrets; a person who exists by now is changed."""
        row = super().row_of(item)
        if row and item.object_id and "create" in item.data:
            row |= {name: "" for name in ("action", "create_action") if name in row}
        return row


def _judged(item: JobItem, person: UserDetails) -> Resolution:
    """Returns whether the person who has the address now was created by this item."""
    created_at, since = person.created_at, item.sent_by_service_clock
    if (person.email or "").casefold() != item.data["email"].casefold():
        return Resolution(
            ItemVerdict.UNCERTAIN, message=_("The service answered with another person.")
        )
    if not isinstance(created_at, datetime) or since is None:
        words = _("A person has this email now, and the service does not report since when.")
        return Resolution(ItemVerdict.UNCERTAIN, message=words)
    if created_at.tzinfo is None:
        created_at = created_at.replace(tzinfo=UTC)
    if created_at < since - _CLOCKS_DIFFER_BY:
        return Resolution(ItemVerdict.FAILED, message=_EXISTED)
    return Resolution(ItemVerdict.NOT_DONE if _has_more(item) else ItemVerdict.DONE, person.id)


def _create(api: Api, item: JobItem) -> str:
    department = str(item.data.get("profile", {}).get("dept") or "")
    placing.require_place(Users.create, item.job.scope, department, item.data.get("groups", ()))
    wanted = dict(item.data["create"])
    if password := item.secret.get("password"):
        wanted["user_info"] = {**wanted["user_info"], "password": password}
    return api.users.create(NewUser.model_validate(wanted)).id


def _remove(api: Api, item: JobItem) -> Done:
    how = UserRemovalToday.model_validate(item.data["removal"])
    try:
        api.users.delete(item.object_id, how)
    except NotFound:
        if item.attempts < 2:
            raise
        # An attempt before removed them, and its answer was lost.
    return Done(item.object_id)


def _has_more(item: JobItem) -> bool:
    more = ("profile", "status", "groups", "im_groups")
    return any(name in item.data for name in more) or "host_key" in item.secret


def _steps(api: Api, item: JobItem) -> Iterator[Step]:
    """Yields the steps for a person who is there, each with a word for it."""
    user_id, data = item.object_id, item.data
    profile = dict(data.get("profile", {}))
    if host_key := item.secret.get("host_key"):
        profile["host_key"] = host_key
    if profile:
        yield _("profile"), partial(api.users.update, user_id, UserUpdate.model_validate(profile))
    if data.get("status"):
        change = StatusChange.model_validate({"action": data["status"]})
        yield _("status"), partial(api.users.change_status, user_id, change)
    for column, kind in GROUP_COLUMNS.items():
        calls, member = kind.calls(api), kind.naming(members=[PersonReference(id=user_id)])
        for key in data.get(column, ()):
            yield str(kind.noun), partial(calls.add_members, key, member)
        for key in data.get(f"leave_{column}", ()):
            yield str(kind.noun), partial(_leave, calls.remove_member, key, user_id)


def _leave(remove: Callable[[str, str], object], group_id: str, user_id: str) -> None:
    with suppress(NotFound):  # who is in the group no more need not leave it
        remove(group_id, user_id)


def _half_done(what: str, error: Answered) -> ItemRefusal:
    reported = [(problem.field, problem.message) for problem in error.fields]
    return ItemRefusal(
        _("The person was created; their %(what)s was refused: %(message)s")
        % {"what": what, "message": error.message},
        reported,
    )


def _written_fields(item: JobItem) -> dict[str, object]:
    """Returns the fields that lists will report of a person after the row, as far as it has
    them."""
    data: dict[str, object] = {}
    if created := item.data.get("create"):
        data |= users.as_created(NewUser.model_validate(created))
    data |= item.data.get("profile", {})
    if action := item.data.get("status"):
        data["status"] = RESULT[StatusAction(action)]
    return data


def draft(
    origin: Origin,
    connection: Connection,
    table: Sheet,
    mapping: PeopleMapping,
    *,
    name: str = "",
    onboards: bool = False,
) -> Job:
    """Returns a job that imports a table of this name; with `onboards` new people get the template
    of their department when it has ended."""
    count = len(table.rows)

    def title() -> str:
        rows = ngettext("%(count)s row", "%(count)s rows", count) % {"count": number(count)}
        return _("Import %(rows)s of %(table)s") % {
            "rows": rows,
            "table": name or _("a pasted table"),
        }

    parameters = {each: getattr(mapping, each) for each in (*_MAPPING, *_PLACES)}
    return jobs.draft(
        origin,
        connection,
        KIND,
        lazily(title),
        parameters=parameters | {ONBOARDS: onboards, READ_IN_WORDS: table.words},
        file=table.dump(),
        file_name=name,
    )
