"""Bases of jobs on people, selected in a list or not, and their undo."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from portal.access.scope import Scope
from portal.client import Api, NotFound
from portal.directory import users as mirror
from portal.directory.models import GROUP_IDS, GroupKind, MirroredUser
from portal.directory.users import UserFilter
from portal.jobs import undo
from portal.jobs.job_types import ItemVerdict, JobType, Resolution
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.jobs.undo import CurrentValue, CurrentValues
from portal.mirror.selection import MirrorSelection, SelectionJob, marked_unchanged
from portal.people.labels import REMOVALS, RESULT, status_label
from portal.people.services.account import NOT_LISTED, AccountSnapshot
from portal.translation import gettext as _, gettext_lazy

IS, IS_NOT = gettext_lazy("Assistant"), gettext_lazy("Not an assistant")
INSIDE, OUTSIDE = gettext_lazy("In the group"), gettext_lazy("Not in the group")
ACTION_TO = {after.value: action.value for action, after in RESULT.items()}
# What has no value that means none: it can be changed, but not emptied.
_NEVER_EMPTY = frozenset({"type", "timezone", "language", "pmi", "use_pmi", "vanity_name"})


class PeopleSelection(MirrorSelection[MirroredUser]):
    lookup = UserFilter

    def rows(self, scope: Scope) -> QuerySet[MirroredUser]:
        return mirror.find(scope, self.wanted)


class OfPeopleJob(JobType):
    """A job type whose items are people, by their ids."""

    noun = (gettext_lazy("person"), gettext_lazy("people"))
    list_url_name = "people:list"

    def page_of(self, job: Job, item: JobItem) -> str:
        is_gone = item.action in REMOVALS and item.state == ItemState.DONE
        if is_gone or not item.object_id:
            return ""
        return reverse("people:person", args=[job.connection.key, item.object_id])


class PeopleSelectionJob(OfPeopleJob, SelectionJob[MirroredUser]):
    """A job on people selected in the list."""

    selection = PeopleSelection
    none_left = gettext_lazy("None of the selected people is on the account any more.")
    comparing = gettext_lazy("Comparing people")
    list_as_of = gettext_lazy("This preview uses the list of people as of %(exact)s.")
    mirrored = mirror.USERS


class OnePersonPerRowJob(PeopleSelectionJob):
    """A job whose items are planned independently, one for each person."""

    def items(
        self, planning: Planning, rows: Sequence[MirroredUser], first: int
    ) -> Iterable[NewItem]:
        for number, person in enumerate(rows, start=first):
            make = partial(self.item, planning.job, number, person)
            yield planning.item(number, person.label, make, person.user_id)

    @abstractmethod
    def item(self, job: Job, number: int, person: MirroredUser) -> NewItem:
        """Returns the item of one person."""


def new_item(number: int, person: MirroredUser, action: str, **values: Any) -> NewItem:
    """Returns an item of one person; without changes there is nothing to send."""
    return marked_unchanged(NewItem(number, person.label, action, person.user_id, **values))


def removal_outcome(api: Api, user_id: str) -> Resolution:
    """Returns whether a removal without an answer was carried out. Raises `ApiError`."""
    try:
        api.users.get(user_id)
    except NotFound:
        return Resolution(ItemVerdict.DONE)
    return Resolution(ItemVerdict.NOT_DONE)


@dataclass(frozen=True)
class PersonValue(undo.ItemValue):
    @property
    def obstacle(self) -> str:
        if self._is_restorable:
            return ""
        if self.before in (None, ""):
            return _("There was no previous value, and it cannot be cleared.")
        return _("Was “%(words)s” before, which cannot be set.") % {
            "words": self.words(self.before)
        }

    @property
    def _is_restorable(self) -> bool:
        if self.name == "status":
            return self.before in ACTION_TO
        if "." in self.name:
            return self.before is not None
        return self.before not in (None, "") or self.name not in _NEVER_EMPTY


def status_value(before: str, action: str) -> PersonValue:
    after = next(result.value for each, result in RESULT.items() if each.value == action)
    return PersonValue("status", _("Status"), before, after, status_label)


def group_value(kind: GroupKind, group_id: str, name: str, was_member: bool) -> PersonValue:
    """Returns the value of a group that a person joined or left."""
    words: Callable[[Any], str] = lambda inside: str(INSIDE if inside else OUTSIDE)  # noqa: E731
    key = f"{GROUP_IDS[kind]} {group_id}"
    return PersonValue(key, name, was_member, not was_member, words)


class PeopleUndoJob(OfPeopleJob, undo.RevertibleJob):
    """A job type about people that can be undone."""

    gone = (gettext_lazy("Person"), gettext_lazy("They are not on the account any more."))

    def current_values(self, planning: Planning) -> CurrentValues:
        """Looks at people as the lists of the service report them, or one by one where these do
        not contain enough."""
        account = AccountSnapshot()
        account.read_people(planning)
        people = {person.user.id: person for person in account.people.values()}

        def fetch(item: JobItem) -> CurrentValue | None:
            person = people.get(item.object_id)
            if person is None:
                return None
            if not any(value.name in NOT_LISTED for value in self.values(item)):
                return person.value
            try:
                return replace(person, details=planning.api.users.get(item.object_id)).value
            except NotFound:
                return None

        return lambda items: map(undo.current_of, planning.read_each(fetch, items))

    def undo_context(self, item: JobItem) -> dict[str, object]:
        return {"name": item.data["name"]} if "name" in item.data else {}
