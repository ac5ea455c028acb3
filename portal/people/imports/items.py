"""Carrying an item of an import of people out, finding out what became of one, and taking it back.

A creation is sent once; whatever comes after it may be repeated without harm. That a person was
created is kept with the item (`object_id`) before the next request leaves.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial

from django.db.models import QuerySet
from django.urls import reverse

from portal.client import Answered, Api, Conflict, Invalid, NotFound
from portal.contract.model import JsonDict
from portal.contract.problems import PersonReference
from portal.contract.users import (
    NewUser,
    RemovalAction,
    StatusChange,
    UserDetails,
    UserRemoval,
    Users,
    UserStatus,
    UserUpdate,
)
from portal.directory import users as mirror
from portal.directory.users import UserFilter
from portal.imports.plan import CHANGE, CREATE
from portal.jobs.job_types import Done, ItemRefusal, ItemVerdict, Pointer, Resolution
from portal.jobs.models import UNDOES, ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.people.imports.columns import title_of
from portal.people.imports.compare import in_words
from portal.people.jobs.base import (
    ACTION_TO,
    CurrentValue,
    PeopleUndoJob,
    PersonValue,
    Reversal,
    group_value,
    status_value,
)
from portal.people.labels import REMOVALS, status_label
from portal.people.services.account import GROUP_COLUMNS
from portal.translation import gettext as _, gettext_lazy, ngettext, number

Step = tuple[str, Callable[[], object]]

# A service's machines may differ, and it may report whole seconds only.
_CLOCKS_DIFFER_BY = timedelta(seconds=5)
_EXISTED = gettext_lazy("A person with this email was on the account before this row was sent.")


def carry_out(api: Api, item: JobItem) -> Done:
    """Does what the item says. Raises `ApiError` and `ItemRefusal`."""
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


def resolve(api: Api, item: JobItem) -> Resolution:
    """Returns the outcome of an item whose answer is missing. Raises `ApiError`."""
    if "removal" in item.data:
        return Resolution(
            ItemVerdict.DONE if _is_gone(api, item.object_id) else ItemVerdict.NOT_DONE
        )
    if "create" not in item.data or item.object_id:
        return Resolution(ItemVerdict.NOT_DONE, item.object_id)
    try:
        person = api.users.get(item.data["email"])
    except NotFound:
        return Resolution(ItemVerdict.NOT_DONE)
    return _judged(item, person)


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
    wanted = dict(item.data["create"])
    if password := item.secret.get("password"):
        wanted["user_info"] = {**wanted["user_info"], "password": password}
    return api.users.create(NewUser.model_validate(wanted)).id


def _remove(api: Api, item: JobItem) -> Done:
    how = UserRemoval.model_validate(item.data["removal"])
    try:
        api.users.delete(item.object_id, how)
    except NotFound:
        if item.attempts < 2:
            raise
        # An attempt before removed them, and its answer was lost.
    return Done(item.object_id)


def _is_gone(api: Api, user_id: str) -> bool:
    try:
        api.users.get(user_id)
    except NotFound:
        return True
    return False


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


class PeopleImportUndoJob(PeopleUndoJob):
    """The way back of a job whose items are those of an import."""

    def values(self, item: JobItem) -> Iterator[PersonValue]:
        """Yields the values that an item has changed of a person who was on the account."""
        data, before = item.data, item.data.get("before", {})
        for name, value in data.get("profile", {}).items():
            words = partial(in_words, name)
            yield PersonValue(name, title_of(name), before.get(name), value, words)
        if data.get("status"):
            yield status_value(before["status"], data["status"])
        for column, kind in GROUP_COLUMNS.items():
            for key, was_member in ((column, False), (f"leave_{column}", True)):
                for group_id in data.get(key, ()):
                    name = before["names"][group_id]
                    yield group_value(kind.mirrored, group_id, name, was_member)

    def undoable(self, job: Job) -> QuerySet[JobItem]:
        """Adds the items that created a person, also if they failed afterwards."""
        created = job.items.filter(action=CREATE, data__has_key="create").exclude(object_id="")
        return super().undoable(job) | created

    def undo_item(self, job: Job, item: JobItem, now: CurrentValue | None) -> NewItem:
        """Plans the undo of a creation as a removal if the invitation is not accepted; a person who
        accepted may own something by now, and is deactivated."""
        if "create" not in item.data:
            return super().undo_item(job, item, now)
        made = NewItem(item.number, item.label, "deactivate", item.object_id)
        made.data = self.undo_context(item)
        status = now("status") if now else None
        if status is None:
            made.problems = [self.gone]
        elif status == UserStatus.INACTIVE:
            made.state = ItemState.UNCHANGED
        elif status == UserStatus.ACTIVE:
            before = {"status": UserStatus.ACTIVE.value, "names": {}}
            made.data |= {"email": item.data["email"], "status": made.action, "before": before}
            made.changes = [(_("Status"), status_label(status), UserStatus.INACTIVE.label)]
        elif not job.scope.may(Users.delete):
            made.problems = [(_("Person"), _("Stays: only administrators remove people."))]
        else:
            made.action = RemovalAction.DELETE.value
            made.data |= {"email": item.data["email"], "removal": {"action": made.action}}
            made.changes = [(_("Person"), status_label(status), _("Removed"))]
        if made.problems:
            made.state = ItemState.INVALID
        return made

    def undo_data(self, item: JobItem, reversal: Reversal) -> dict[str, object]:
        """Returns the data of an item that restores the values, in the form of an import's."""
        values = dict(reversal.values)
        before = {**reversal.replaced, "names": item.data["before"]["names"]}
        data: JsonDict = {"email": item.data["email"], "before": before}
        if status := values.pop("status", ""):
            data["status"] = ACTION_TO[status]
        for column, kind in GROUP_COLUMNS.items():
            for name in [name for name in values if name.startswith(f"{kind.ids} ")]:
                key = column if values.pop(name) else f"leave_{column}"
                data.setdefault(key, []).append(name.partition(" ")[2])
        return data | ({"profile": values} if values else {})

    def undo_action(self, item: JobItem, reversal: Reversal) -> str:
        is_alone = list(reversal.values) == ["status"]
        return ACTION_TO[reversal.values["status"]] if is_alone else CHANGE

    def plan_undo(self, planning: Planning, earlier: Job) -> None:
        super().plan_undo(planning, earlier)
        planning.store()
        for words in (*_of_created(planning.job), *_of_what_stays(earlier)):
            planning.add_notice("warning", words)

    def results_url(self, job: Job) -> str:
        """Returns the address of the list, narrowed to those whom the import created, if any."""
        url = super().results_url(job)
        return f"{url}?job={job.key}" if _still_there(job, job.key) else url

    def pointers(self, job: Job) -> list[Pointer]:
        """Returns a link to the people created by an import that was taken back, which leaves them
        there."""
        key = job.parameters.get(UNDOES)
        count = _still_there(job, key) if key else 0
        if not count:
            return []
        url = f"{reverse('people:list', args=[job.connection.key])}?job={key}"
        words = ngettext(
            "%(count)s person whom the import created is on the account. To remove people who have "
            "confirmed cannot be undone, so it is a separate step.",
            "%(count)s people whom the import created are on the account. To remove people who "
            "have confirmed cannot be undone, so it is a separate step.",
            count,
        ) % {"count": number(count)}
        link = ngettext(
            "Show this person in the list, to remove or deactivate that one",
            "Show these people in the list, to remove or deactivate them",
            count,
        )
        return [Pointer(words, url, link)]


def _of_created(job: Job) -> Iterator[str]:
    """Yields what an undo does to those whom the import has created."""
    planned = job.items.filter(state=ItemState.PENDING)
    if removed := planned.filter(action__in=REMOVALS).count():
        yield ngettext(
            "%(count)s person whom the import invited, and who has not confirmed, is removed.",
            "%(count)s people whom the import invited, and who have not confirmed, are removed.",
            removed,
        ) % {"count": number(removed)}
    created = mirror.created_by(job.connection, job.parameters[UNDOES])
    if stopped := planned.filter(action="deactivate", object_id__in=created).count():
        yield ngettext(
            "%(count)s person whom the import created is deactivated, and keeps what they have.",
            "%(count)s people whom the import created are deactivated, and keep what they have.",
            stopped,
        ) % {"count": number(stopped)}


def _of_what_stays(job: Job) -> Iterator[str]:
    """Yields words on changes that taking an import back leaves as they are."""
    done = job.items.filter(state=ItemState.DONE)
    if removed := done.filter(action__in=REMOVALS).count():
        yield ngettext(
            "%(count)s person who was removed does not come back.",
            "%(count)s people who were removed do not come back.",
            removed,
        ) % {"count": number(removed)}
    if "host_key" in job.parameters.get("names", ()):
        yield _("Host keys stay as the import set them: the previous ones are not stored.")


def _still_there(job: Job, key: str) -> int:
    """Returns how many whom the import created are on the account, as far as the list has been read
    since."""
    made = mirror.created_by(job.connection, key)
    imported = Job.objects.filter(connection=job.connection, key=key).first()
    state = mirror.state_of(job.connection)
    ended = imported.finished_at if imported else None
    if ended is None or state.refreshed_at is None or state.refreshed_at < ended:
        return made.count()
    return mirror.find(job.scope, UserFilter(created_by=key)).order_by().count()
