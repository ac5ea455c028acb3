"""Base of all jobs on selected people: they are read from the mirror when the job is planned."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from portal.directory import users as mirror
from portal.directory.models import MirroredUser
from portal.jobs.models import ItemState, Job
from portal.jobs.planning import NewItem, Planning, Unplannable
from portal.mirror.refresh import STALE_AFTER
from portal.people.jobs.of_people import OfPeopleJob
from portal.people.services.choosing import PeopleSelection
from portal.translation import gettext as _
from portal.ui.times import exact

_TOGETHER = 500


class ChosenPeopleJob(OfPeopleJob):
    """A job on people whom somebody chose in the list; `parameters["chosen"]` says whom."""

    def plan(self, planning: Planning) -> None:
        expected = 0
        for done, expected, people in _read(planning.job):
            for item in self.items(planning, people, done + 1):
                planning.add(item)
            planning.progress(done + len(people), expected, _("Comparing people"))
        if not expected:
            raise Unplannable(_("None of the selected people is on the account any more."))
        planning.store()
        self.note(planning)
        state = mirror.state_of(planning.job.connection)
        if state.refreshed_at and state.is_older_than(STALE_AFTER):
            words = _("This preview uses the list of people as of %(exact)s.") % {
                "exact": exact(state.refreshed_at)
            }
            planning.note(
                "warning", _("%(words)s Refresh the list, then the preview.") % {"words": words}
            )

    @abstractmethod
    def items(
        self, planning: Planning, people: Sequence[MirroredUser], first: int
    ) -> Iterable[NewItem]:
        """Yields the items of some of the people; `first` is the number of the first one."""

    def note(self, planning: Planning) -> None:
        """Says something of the plan as a whole, whose items are stored by now."""


class OnePersonPerRowJob(ChosenPeopleJob):
    """A job whose items are planned one by one, without a look at the others."""

    def items(
        self, planning: Planning, people: Sequence[MirroredUser], first: int
    ) -> Iterable[NewItem]:
        for number, person in enumerate(people, start=first):
            yield self.item(planning.job, number, person)

    @abstractmethod
    def item(self, job: Job, number: int, person: MirroredUser) -> NewItem:
        """Returns the item of one person."""


def new_item(number: int, person: MirroredUser, action: str, **values: Any) -> NewItem:
    """An item of one person; without changes there is nothing to send."""
    item = NewItem(number, label_of(person), action, person.user_id, **values)
    if not item.changes and item.state == ItemState.PENDING:
        item.state = ItemState.UNCHANGED
    return item


def label_of(person: MirroredUser) -> str:
    """Returns the words for an item's person: two people may have the same name."""
    return f"{person.name}, {person.email}" if person.name and person.email else str(person)


def _read(job: Job) -> Iterator[tuple[int, int, list[MirroredUser]]]:
    """The people, some at a time, with how many came before and how many there are.

    Their ids are read at once, so that a refresh in between leaves nobody out.
    """
    rows = PeopleSelection.of(job.parameters["chosen"]).rows(job.scope)
    keys = list(rows.values_list("pk", flat=True))
    for start in range(0, len(keys), _TOGETHER):
        found = MirroredUser.objects.in_bulk(keys[start : start + _TOGETHER])
        people = [found[key] for key in keys[start : start + _TOGETHER] if key in found]
        yield start, len(keys), people
