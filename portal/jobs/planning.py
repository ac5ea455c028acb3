"""`Planning`, which a job type's `plan` gets: the service to read from, and where items go."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal, TypeVar

from django.db import transaction

from portal.access import tokens
from portal.access.grants import Watch
from portal.client import Api
from portal.config import clock
from portal.connections.api import caller_for
from portal.contract.model import JsonDict
from portal.contract.operation import AnyOperation
from portal.jobs.leases import renew
from portal.jobs.models import CALLS, LEFT_OUT, ItemState, Job, JobFile, JobItem
from portal.jobs.row_errors import RowReading, Unplannable, concerns_row, problem_of_plan
from portal.translation import gettext as _
from portal.ui.concurrency import concurrently

T = TypeVar("T")
R = TypeVar("R")
Tone = Literal["neutral", "good", "warning", "bad"]

__all__ = ["NewItem", "Planning", "Unplannable", "filled_by_whole"]

_BATCH = 500
_LONGEST = 300  # characters of a label


@dataclass
class NewItem:
    """An item of a plan; the names are those of `JobItem`, and `secret` is stored encrypted."""

    number: int
    label: str
    action: str = ""
    object_id: str = ""
    state: ItemState = ItemState.PENDING
    data: JsonDict = field(default_factory=dict)
    secret: JsonDict = field(default_factory=dict)
    changes: Sequence[tuple[str, str, str]] = ()
    problems: Sequence[tuple[str, str]] = ()
    batch_key: str = ""


def filled_by_whole(job: Job) -> str:
    """Returns why a job that fills copies for all is not carried out for its owner."""
    words = _("%(owner)s, who started this job, sees a part of the account alone by now.")
    return words % {"owner": job.owner}


def _stored(label: str) -> str:
    """Returns a label as the database takes it."""
    label = str(label)
    is_taken = len(label) <= _LONGEST and "\0" not in label
    return label if is_taken else label.replace("\0", "\N{REPLACEMENT CHARACTER}")[:_LONGEST]


class Planning:
    """Argument of a job type's `plan`: the service to read from, and the items planned so far."""

    def __init__(
        self,
        job: Job,
        calls_of_row: Callable[[NewItem], Sequence[AnyOperation] | None] = lambda _item: None,
    ) -> None:
        self.job = job
        self._calls_of_row = calls_of_row
        self.scope = job.scope
        self._still_granted = Watch(self.scope)
        self._caller = caller_for(self.scope, only_reads=True, may_leave=self._still_granted)
        self.api = Api(self._caller)
        self._left_out = frozenset(job.parameters.get(LEFT_OUT, ()))
        self._items: list[JobItem] = []
        self._notices: list[tuple[str, str]] = []

    def file(self) -> bytes:
        """Returns the file of the job. Raises `Unplannable` if there is none."""
        stored = JobFile.objects.filter(job=self.job).first()
        if stored is None:
            raise Unplannable(_("The file of this job is no longer available. Upload it again."))
        return tokens.unseal_file(stored.sealed)

    def add(self, item: NewItem) -> None:
        """Adds an item to the plan; rows left out of the plan before stay left out."""
        state = item.state
        calls = self._calls_of_row(item) if state == ItemState.PENDING else None
        if calls is not None:
            item.data[CALLS] = dict(Counter(one.name for one in calls))
        if state == ItemState.PENDING and item.object_id in self._left_out:
            state = ItemState.LEFT_OUT
        row = JobItem(
            job=self.job,
            number=item.number,
            label=_stored(item.label),
            action=item.action,
            object_id=item.object_id,
            batch_key=item.batch_key,
            state=state,
            data=item.data,
            sealed=tokens.seal(json.dumps(item.secret)) if item.secret else "",
            changes=[[str(value) for value in change] for change in item.changes],
            problems=[[str(value) for value in problem] for problem in item.problems],
            ended_at=clock.now() if state != ItemState.PENDING else None,
        )
        row.remember(row.label, *chain(*row.changes, *row.problems), *row.data.values())
        self._items.append(row)
        if len(self._items) >= _BATCH:
            self.store()

    def add_notice(self, tone: Tone, words: str) -> None:
        """Adds a remark about the plan as a whole, such as a lack of licences."""
        self._notices.append((tone, str(words)))

    def progress(self, done: int, expected: int, words: str = "") -> None:
        """Reports the progress of the planning; called at least once a minute."""
        renew(self.job, progress=done, expected=expected, activity=str(words)[:200])

    def concurrently(self, ask: Callable[[T], R], things: Iterable[T]) -> Iterator[R]:
        """Calls `ask` for several things at a time, as long as the owner has access."""
        return concurrently(ask, things, self._still_granted)

    def read_each(self, ask: Callable[[T], R], things: Iterable[T]) -> Iterator[RowReading[R]]:
        """Calls `ask` as `concurrently` does. What fails for one thing alone is raised where the
        row about it uses the result."""

        def read(thing: T) -> RowReading[R]:
            try:
                return RowReading(ask(thing))
            except Exception as error:
                if not concerns_row(error):
                    raise
                return RowReading(error=error)

        return self.concurrently(read, things)

    def item(
        self, number: int, label: str, make: Callable[[], NewItem], object_id: str = ""
    ) -> NewItem:
        """Returns the item that `make` returns; an error of this row alone is its problem."""
        [item] = self.items(number, label, lambda: [make()], object_id)
        return item

    def items(
        self, number: int, label: str, make: Callable[[], Iterable[NewItem]], object_id: str = ""
    ) -> list[NewItem]:
        """Returns the items of one row, or of none but its error."""
        try:
            return list(make())
        except Exception as error:
            if not concerns_row(error):
                raise
            problem = ("", problem_of_plan(self.job, number, error))
            state = ItemState.INVALID
            return [NewItem(number, label, object_id=object_id, state=state, problems=[problem])]

    def store(self) -> None:
        """Stores the items added so far; the engine calls it at the end."""
        with transaction.atomic():
            renew(self.job)
            JobItem.objects.bulk_create(self._items)
        self._items = []

    @property
    def notices(self) -> list[tuple[str, str]]:
        return [*self._notices, *(("warning", words) for words in self._caller.unread.in_words)]
