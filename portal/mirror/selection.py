"""Jobs on rows that were selected in a stored list: single ones, or all that match its filters.

The selection is stored with the job, and its rows are read when the job is planned.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Generic, Self, TypeVar

from django.db.models import Model, QuerySet

from portal.access.scope import Scope
from portal.contract.model import JsonDict
from portal.jobs.job_types import JobType
from portal.jobs.models import ItemState, Job
from portal.jobs.planning import NewItem, Planning, Unplannable
from portal.mirror.mirrored_list import StoredList
from portal.translation import gettext as _
from portal.ui.selection import Selection
from portal.ui.times import exact

M = TypeVar("M", bound=Model)
_TOGETHER = 500


@dataclass(frozen=True)
class MirrorSelection(Generic[M]):
    """Rows selected in a list. `wanted` is the lookup that finds them, and `words` its filters, if
    all that match are selected: what is no filter any more cannot widen it."""

    lookup: ClassVar[type[Any]]

    wanted: Any
    words: str = ""

    @abstractmethod
    def rows(self, scope: Scope) -> QuerySet[M]:
        """Returns those of them that are on the account as far as the list shows."""

    def as_parameters(self) -> dict[str, object]:
        """Returns the selection as JSON stores it."""
        return {"wanted": asdict(self.wanted), "words": self.words}

    @classmethod
    def of(cls, parameters: JsonDict) -> Self:
        return cls(cls.lookup(**parameters["wanted"]), parameters["words"])

    @classmethod
    def one_by_one(cls, ids: Iterable[str]) -> Self:
        return cls(cls.lookup(ids=list(ids)))

    @classmethod
    def resolve(cls, selection: Selection, filters_of: Callable[[Any], Any]) -> Self:
        """Returns the rows of a list's form. Raises `SelectionRefused` if its filters are not
        understood."""
        filters = selection.filters(filters_of)
        if filters is None:
            return cls.one_by_one(selection.ids)
        return cls(filters.wanted, filters.in_words)


class SelectionJob(JobType, Generic[M]):
    """A job on selected rows; `parameters["chosen"]` is the `selection`."""

    selection: ClassVar[type[MirrorSelection[Any]]]
    none_left: Any  # if none of the rows is there any more
    comparing: Any  # beside the progress of the plan
    list_as_of: Any  # the age of the list, as `exact`
    mirrored: ClassVar[StoredList]

    @abstractmethod
    def items(self, planning: Planning, rows: Sequence[M], first: int) -> Iterable[NewItem]:
        """Yields the items of some rows; `first` is the number of the first one."""

    def add_notices(self, planning: Planning) -> None:
        """Adds messages about the plan as a whole, whose items are stored by now."""

    def plan(self, planning: Planning) -> None:
        count = 0
        for start, count, rows in self._batches(planning.job):
            for item in self.items(planning, rows, start + 1):
                planning.add(item)
            planning.progress(start + len(rows), count, self.comparing)
        if not count:
            raise Unplannable(self.none_left)
        planning.store()
        self.add_notices(planning)
        state = self.mirrored.state_of(planning.job.connection)
        if state.refreshed_at and state.is_older_than(self.mirrored.stale_after):
            words = self.list_as_of % {"exact": exact(state.refreshed_at)}
            planning.add_notice(
                "warning", _("%(words)s Refresh the list, then the preview.") % {"words": words}
            )

    def _batches(self, job: Job) -> Iterator[tuple[int, int, list[M]]]:
        """Yields rows, with how many came before them and how many there are.

        Their keys are read at once, so that a refresh in between leaves none out.
        """
        selected = self.selection.of(job.parameters["chosen"]).rows(job.scope)
        keys = list(selected.values_list("pk", flat=True))
        for start in range(0, len(keys), _TOGETHER):
            some = keys[start : start + _TOGETHER]
            result = selected.model._default_manager.in_bulk(some)
            yield start, len(keys), [result[key] for key in some if key in result]


def marked_unchanged(item: NewItem) -> NewItem:
    """Returns the item; without changes there is nothing to send."""
    if not item.changes and item.state == ItemState.PENDING:
        item.state = ItemState.UNCHANGED
    return item
