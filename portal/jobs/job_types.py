"""The base classes of job types: what the items of a job do, declared by each domain.

class Deactivate(JobType):
    name = "people.deactivate"
    ...

DOMAIN = Domain(job_types=(Deactivate,), ...)        # in the app's `domain`
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar

from django.urls import reverse

from portal.client import Api
from portal.contract.operation import AnyOperation
from portal.jobs.models import Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.translation import gettext_lazy


@dataclass(frozen=True)
class Done:
    """An item was carried out; `message` is worth a person's attention, and mostly empty. `value`
    is what the service answered, for `ended`, which finds it at the item."""

    object_id: str = ""
    message: str = ""
    value: Any = None


class ItemVerdict(Enum):
    """The service's answer about an item of unknown outcome."""

    DONE = "done"
    NOT_DONE = "not_done"  # or half: it may be carried out (again) without harm
    NOT_SEEN = "not_seen"  # twice would be two: believed once no request can be under way any more
    FAILED = "failed"
    UNCERTAIN = "uncertain"


@dataclass(frozen=True)
class Resolution:
    verdict: ItemVerdict
    object_id: str = ""
    message: str = ""
    value: Any = None


@dataclass(frozen=True)
class Pointer:
    """Something that a job made or leaves, in a sentence, and the page that shows it."""

    words: str
    url: str
    link: str


class ItemRefusal(Exception):
    """An item fails for a reason of the domain; `problems` are pairs of a column and words."""

    def __init__(self, message: str, problems: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.problems = problems


class Uncertain(Exception):
    """The outcome of an item is unknown, and only a person can find it out."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class NotEndedYet(Exception):
    """An item follows work that is done elsewhere and has not ended: it is looked at again after
    these seconds. `message` says how far that is."""

    def __init__(self, message: str, seconds: float) -> None:
        super().__init__(message)
        self.message = message
        self.seconds = seconds


class Wording:
    """The words for items in lists and reports. This base class has none."""

    noun: ClassVar[tuple[str, str]] = (gettext_lazy("item"), gettext_lazy("items"))
    # Of a verb that takes its object within, all of it: "Move %(what)s to trash".
    phrases: ClassVar[dict[str, str]] = {}
    columns: ClassVar[Sequence[str]] = ()
    # The list that shows what rows of this type were done to.
    list_url_name: ClassVar[str] = ""
    # Where items are searched beside their label, as lookups of Django's.
    searched: ClassVar[Sequence[str]] = ()
    # Of the secrets of done items those that whoever began the job may take out, once.
    hands_out: ClassVar[Sequence[str]] = ()

    @property
    def verbs(self) -> Mapping[str, str]:
        """Returns the words for the actions of items."""
        return {}

    def about(self, item: JobItem) -> Sequence[str]:  # noqa: ARG002
        """Returns words that tell the item's object from others of its label: a host, a time, a
        number."""
        return ()

    def page_of(self, job: Job, item: JobItem) -> str:  # noqa: ARG002
        """Returns the address of the page about the item's object; empty if it has none."""
        return ""

    def results_url(self, job: Job) -> str:
        """Returns the address of the list that shows what the job did; empty if there is none."""
        name = self.list_url_name
        return reverse(name, args=[job.connection.key]) if name else ""

    def pointers(self, job: Job) -> Sequence[Pointer]:  # noqa: ARG002
        """Returns the links on the page of a job, beside those of its rows."""
        return ()

    def row_of(self, item: JobItem) -> dict[str, str]:  # noqa: ARG002
        """The item as a row to correct and import again, by `columns`; empty where none fits."""
        return {}


class JobType(Wording, ABC):
    """A type of jobs. All calls of `carry_out` and `resolve` come from threads of their own.

    What `reads_only` needs no approval, and leaves no entry in the audit trail. It is among the
    jobs that people see only if it `is_listed`. What `fills_copies` keeps what it reads for all who
    share the connection, and does nothing for somebody who sees a part of it alone. Items of one
    number are steps where they are to be carried out `in_order`: each waits for the one before, see
    `portal.jobs.steps`. What `follows` work done elsewhere is looked at by a worker every few
    seconds, and holds none in between.
    """

    name: ClassVar[str]
    reads_only: ClassVar[bool] = False
    fills_copies: ClassVar[bool] = False
    is_listed: ClassVar[bool] = False
    in_order: ClassVar[bool] = False
    follows: ClassVar[bool] = False
    # The key in the data of rows below which the `host_id` and the name (`host`) of a host stand.
    host_in: ClassVar[str] = ""

    def calls_of(self, job: Job, action: str) -> Sequence[AnyOperation]:  # noqa: ARG002
        """Returns the operations that a row of this action calls, for what a plan costs: as a rule
        the first that the job needs."""
        return self.needs(job)[:1]

    @abstractmethod
    def needs(self, job: Job) -> Sequence[AnyOperation]:
        """Returns the operations that the owner's role has to allow; a destructive one takes a
        fresh proof of identity."""

    def is_approved(self, job: Job) -> bool:  # noqa: ARG002
        """Returns whether a plan runs as soon as it is made, as it was approved before."""
        return self.reads_only

    @abstractmethod
    def plan(self, planning: Planning) -> None:
        """Makes the items. May be called again after a crash, with nothing kept of before."""

    @abstractmethod
    def carry_out(self, api: Api, item: JobItem) -> Done | None:
        """Does it, by requests of which at most the first may not be repeated.

        Raises `ApiError`, which decides what becomes of the item, `ItemRefusal`, `Uncertain` or
        `NotEndedYet`.
        """

    def refused(self, item: JobItem, field: str, message: str) -> tuple[str, str]:  # noqa: ARG002
        """Returns a problem that the service has with a field, as the table of an import has it: a
        heading, and words with the value."""
        return field, message

    def resolve(self, api: Api, item: JobItem) -> Resolution:  # noqa: ARG002
        """Asks the service whether an item, whose outcome is unknown, was carried out.

        As it stands it is for requests that may be repeated without harm.
        """
        return Resolution(ItemVerdict.NOT_DONE)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        """Called with items just done, in batches, in the transaction that records it."""

    def finished(self, job: Job) -> None:
        """Called when no item is left, or when the job was cancelled."""

    def not_planned(self, job: Job, reason: str) -> None:
        """Called when no plan could be made; `reason` says why, to the owner of the job."""

    def gave(self, item: JobItem) -> bool:  # noqa: ARG002
        """Returns whether a done item gave the secrets that its type `hands_out`."""
        return bool(self.hands_out)

    def undo(self, job: Job) -> Iterable[NewItem] | None:  # noqa: ARG002
        """The items that restore what a job of this type changed; None where there is no way back.

        They are carried out by the same type, in a job of their own that a person approves. The
        items are made lazily: whether there is a way back is asked often.
        """
        return None

    @property
    def has_undo(self) -> bool:
        """Returns whether jobs of this type can be undone as a whole."""
        return type(self).undo is not JobType.undo

    def takes_back(self, operation: AnyOperation) -> bool:  # noqa: ARG002
        """Returns whether undoing a job of this type takes back what an operation did."""
        return False

    def plan_undo(self, planning: Planning, earlier: Job) -> None:
        """Plans what `undo` gives; types that can see what is there now leave out what somebody
        has changed since. Called only where there is a way back."""
        for item in self.undo(earlier) or ():
            planning.add(item)


class BatchJobType(JobType):
    """A job type of which one request does up to `batch` pending items of one `batch_key`; where
    that is refused, each is carried out alone."""

    batch: ClassVar[int]

    @abstractmethod
    def carry_out_together(self, api: Api, items: Sequence[JobItem]) -> None:
        """Does several by one request."""


_JOB_TYPES: dict[str, JobType] = {}


def register(job_type: JobType) -> None:
    _JOB_TYPES[job_type.name] = job_type


def read_only_names() -> list[str]:
    """The names of job types that only read."""
    return [name for name, job_type in _JOB_TYPES.items() if job_type.reads_only]


def unlisted_names() -> list[str]:
    """The names of job types that only read for the portal's own lists."""
    return [name for name, one in _JOB_TYPES.items() if one.reads_only and not one.is_listed]


def following_names() -> list[str]:
    """The names of job types that follow work done elsewhere."""
    return [name for name, job_type in _JOB_TYPES.items() if job_type.follows]


def names_with_secrets() -> list[str]:
    """The names of job types that give secrets which can be taken out."""
    return [name for name, job_type in _JOB_TYPES.items() if job_type.hands_out]


def job_type_of(job: Job) -> JobType:
    """Raises `KeyError` for a job that another release has left behind."""
    return _JOB_TYPES[job.kind]
