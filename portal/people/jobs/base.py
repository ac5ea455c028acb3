"""Bases of jobs on people."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from django.urls import reverse

from portal.access.models import Connection
from portal.directory import users as mirror
from portal.directory.models import MirroredUser
from portal.jobs.job_types import JobType
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.mirror.models import MirrorState
from portal.mirror.refresh import STALE_AFTER
from portal.mirror.selection import SelectionJob, settled
from portal.people.imports.columns import REMOVALS
from portal.people.selection import PeopleSelection
from portal.translation import gettext_lazy


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
    stale_after = STALE_AFTER

    def state_of(self, connection: Connection) -> MirrorState:
        return mirror.state_of(connection)


class OnePersonPerRowJob(PeopleSelectionJob):
    """A job whose items are planned one by one, without a look at the others."""

    def items(
        self, planning: Planning, rows: Sequence[MirroredUser], first: int
    ) -> Iterable[NewItem]:
        for number, person in enumerate(rows, start=first):
            yield self.item(planning.job, number, person)

    @abstractmethod
    def item(self, job: Job, number: int, person: MirroredUser) -> NewItem:
        """Returns the item of one person."""


def new_item(number: int, person: MirroredUser, action: str, **values: Any) -> NewItem:
    """Returns an item of one person; without changes there is nothing to send."""
    return settled(NewItem(number, label_of(person), action, person.user_id, **values))


def label_of(person: MirroredUser) -> str:
    """Returns the words for an item's person: two people may have the same name."""
    return f"{person.name}, {person.email}" if person.name and person.email else str(person)
