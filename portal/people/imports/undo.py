"""The undo of an import of people."""

from collections.abc import Iterator
from functools import partial

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext_noop

from portal.contract.model import JsonDict
from portal.contract.users import RemovalAction, Users, UserStatus
from portal.directory import users as mirror
from portal.directory.users import UserFilter
from portal.imports.plan import CHANGE, CREATE
from portal.jobs.job_types import Pointer
from portal.jobs.models import ROWS, UNDOES, ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.jobs.undo import CurrentValue, Reversal
from portal.people.imports.columns import in_words, title_of
from portal.people.jobs.base import ACTION_TO, PeopleUndoJob, PersonValue, group_value, status_value
from portal.people.labels import REMOVALS, status_label
from portal.people.services.account import GROUP_COLUMNS
from portal.translation import gettext as _, ngettext, number

_KEYS_STAY = gettext_noop(
    "Host keys stay as the import set them: the previous ones are not stored."
)


class PeopleImportUndoJob(PeopleUndoJob):
    """The undo of an import, whose items have the form of an import's."""

    def values(self, item: JobItem) -> Iterator[PersonValue]:
        """Yields the values that an item has changed of a person who was on the account."""
        if "create" in item.data:
            return
        data, before = item.data, item.data["before"]
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

    def created(self, job: Job) -> QuerySet[JobItem]:
        return self.undoable(job).filter(data__has_key="create")

    def undo_notes(self, job: Job, created: int) -> Iterator[str]:
        if created:
            yield ngettext(
                "%(count)s person whom the import created is removed, or, once they have "
                "confirmed, deactivated.",
                "%(count)s people whom the import created are removed, or, once they have "
                "confirmed, deactivated.",
                created,
            ) % {"count": number(created)}
        if sets_host_keys(job):
            yield _(_KEYS_STAY)

    def undo_item(self, job: Job, item: JobItem, now: CurrentValue | None) -> NewItem:
        """Plans the undo of a creation as a removal if the invitation is not accepted; a person who
        accepted may own something by now, and is deactivated."""
        if "create" not in item.data:
            return super().undo_item(job, item, now)
        made = NewItem(item.number, item.phrase(item.label), "deactivate", item.object_id)
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
        """Returns the address of the list of the people created by the import, if any."""
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
            "%(count)s person whom the import created stays on the account. To remove people who "
            "have confirmed cannot be undone, so it is a separate step.",
            "%(count)s people whom the import created stay on the account. To remove people who "
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
    """Yields messages on what an undo does to the people created by the import."""
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
    if sets_host_keys(job):
        yield _(_KEYS_STAY)


def sets_host_keys(job: Job) -> bool:
    """Returns whether the table of an import has a column of host keys."""
    return "host_key" in job.parameters.get("names", ())


def _still_there(job: Job, key: str) -> int:
    """Returns how many people created by the import, or by the rows of it that are undone, are on
    the account, by the list if it has been read since, and are not removed by the job."""
    made = mirror.created_by(job.connection, key)
    if ROWS in job.parameters:
        made = made.filter(number__in=job.parameters[ROWS])
    ending = job.items.filter(action__in=REMOVALS, state__in=(ItemState.PENDING, ItemState.DONE))
    made = made.exclude(object_id__in=ending.values("object_id"))
    imported = Job.objects.filter(connection=job.connection, key=key).first()
    state = mirror.state_of(job.connection)
    ended = imported.finished_at if imported else None
    if ended is None or state.refreshed_at is None or state.refreshed_at < ended:
        return made.count()
    listed = mirror.find(job.scope, UserFilter(created_by=key))
    return listed.filter(user_id__in=made).order_by().count()
