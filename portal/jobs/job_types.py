"""The base classes of job types, which each domain declares: the work of a job's items.

class Deactivate(JobType):
    name = "people.deactivate"
    ...

DOMAIN = Domain(job_types=(Deactivate,), ...)        # in the app's `domain`
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse

from portal.client import Api
from portal.contract.operation import AnyOperation
from portal.jobs import leases
from portal.jobs.models import Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.jobs.row_errors import Unsupported
from portal.translation import gettext_lazy


@dataclass(frozen=True)
class Done:
    """Result of an item that was carried out; `message` is set if it needs a person's attention.
    `value` is the service's answer, which `ended` reads from the item."""

    object_id: str = ""
    message: str = ""
    value: Any = None


class ItemVerdict(Enum):
    """The service's answer about an item of unknown outcome."""

    DONE = "done"
    NOT_DONE = "not_done"  # or half: it can be carried out (again) without harm
    NOT_SEEN = "not_seen"  # again would be twice: valid once no request can be under way any more
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
    """Link of a job's page: a sentence about an object of the job, and the page that shows it."""

    words: str
    url: str
    link: str


class ItemRefusal(Exception):
    """Raised if an item fails for a reason of the domain; `problems` are pairs of a column and
    words."""

    def __init__(self, message: str, problems: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.problems = problems


class Uncertain(Exception):
    """Raised if the outcome of an item is unknown, and only a person can find it out."""


class NotEndedYet(Exception):
    """Raised if an item follows other work that has not ended: it is carried out again after these
    seconds. `message` describes the progress."""

    def __init__(self, message: str, seconds: float) -> None:
        super().__init__(message)
        self.message = message
        self.seconds = seconds


class Wording:
    """Words for items in lists and reports. This base class has none."""

    noun: ClassVar[tuple[str, str]] = (gettext_lazy("item"), gettext_lazy("items"))
    # Phrases of verbs that contain their object: "Move %(what)s to trash".
    phrases: ClassVar[dict[str, str]] = {}
    columns: ClassVar[Sequence[str]] = ()
    # The list of the objects of rows of this type.
    list_url_name: ClassVar[str] = ""
    # Lookups of Django by which items are searched beside their label.
    searched: ClassVar[Sequence[str]] = ()
    # The secrets of done items that the owner of the job may export, once.
    hands_out: ClassVar[Sequence[str]] = ()
    # Whether jobs follow work done elsewhere, so that pausing them stops nothing.
    follows: ClassVar[bool] = False

    @property
    def verbs(self) -> Mapping[str, str]:
        """Returns the words for the actions of items."""
        return {}

    def about(self, item: JobItem) -> Sequence[str]:  # noqa: ARG002
        """Returns words that distinguish the item's object from others of its label: a host, a
        time, a number."""
        return ()

    def title_of(self, item: JobItem) -> str:
        """Returns what a row is called in its table: its label, or what it does."""
        return item.shown_label

    def cells_of(self, job: Job) -> dict[str, str]:  # noqa: ARG002
        """Returns the names of the cells of rows that came from a file, with their titles."""
        return {}

    def page_of(self, job: Job, item: JobItem) -> str:  # noqa: ARG002
        """Returns the address of the page about the item's object; empty if it has none."""
        return ""

    def results_url(self, job: Job) -> str:
        """Returns the address of the list of the job's objects; empty if there is none."""
        name = self.list_url_name
        return reverse(name, args=[job.connection.key]) if name else ""

    def pointers(self, job: Job) -> Sequence[Pointer]:  # noqa: ARG002
        """Returns the links on the page of a job, beside those of its rows."""
        return ()

    def headings(self, job: Job) -> Sequence[tuple[str, str]]:  # noqa: ARG002
        """Returns the columns of the table that the job was begun with, in its order: by which name
        `row_of` has them, and their headings; empty if there is none, or it is not known."""
        return ()

    def row_of(self, item: JobItem) -> dict[str, str]:  # noqa: ARG002
        """Returns the item as a row to correct and import again, by `columns`; empty if the type
        has none."""
        return {}


class JobType(Wording, ABC):
    """Type of jobs. All calls of `carry_out` and `resolve` come from threads of their own.

    A type that `reads_only` needs no approval, and leaves no entry in the audit trail; its jobs are
    shown to users only if it `is_listed`. A type that `fills_copies` stores its results for all who
    share the connection, and does nothing for a user who sees only a part. If items are carried out
    `in_order`, those of one number are steps: each waits for the one before, see
    `portal.jobs.steps`. A type that `follows` work done elsewhere occupies a worker only for a
    moment every few seconds.
    """

    name: ClassVar[str]
    reads_only: ClassVar[bool] = False
    fills_copies: ClassVar[bool] = False
    is_listed: ClassVar[bool] = False
    in_order: ClassVar[bool] = False
    # The key in the data of rows with the `host_id` and the name (`host`) of a host.
    host_in: ClassVar[str] = ""
    # Parameters that name what another release may not have, with the names that this one has.
    selects: ClassVar[Mapping[str, Collection[str]]] = {}
    # Whether `verbs` has all actions of items, so that another one is of another release.
    is_by_action: ClassVar[bool] = False

    def calls_of(self, job: Job, action: str) -> Sequence[AnyOperation]:  # noqa: ARG002
        """Returns the operations that a row of this action calls, for the cost of a plan: by
        default the first that the job needs."""
        return self.needs(job)[:1]

    def calls_of_row(self, item: NewItem) -> Sequence[AnyOperation] | None:  # noqa: ARG002
        """Returns the operations that one row calls, each as often as it does; None if these are
        those of its action."""
        return None

    @abstractmethod
    def needs(self, job: Job) -> Sequence[AnyOperation]:
        """Returns the operations that the owner's role has to allow; a destructive one takes a
        fresh proof of identity."""

    def is_approved(self, job: Job) -> bool:  # noqa: ARG002
        """Returns whether a plan runs as soon as it is made, without an approval."""
        return self.reads_only

    @abstractmethod
    def plan(self, planning: Planning) -> None:
        """Makes the items. May be called again after a crash, without those of before."""

    @abstractmethod
    def carry_out(self, api: Api, item: JobItem) -> Done | None:
        """Carries the item out by requests that may be repeated, except for the first.

        Raises `ApiError`, which decides the state of the item, `ItemRefusal`, `Uncertain` or
        `NotEndedYet`.
        """

    def refused(self, item: JobItem, field: str, message: str) -> tuple[str, str]:  # noqa: ARG002
        """Returns the service's problem with a field in the terms of the table of an import: a
        heading, and words with the value."""
        return field, message

    def resolve(self, api: Api, item: JobItem) -> Resolution:  # noqa: ARG002
        """Asks the service whether an item, whose outcome is unknown, was carried out.

        This default is for requests that may be repeated without harm.
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
        """Returns the items that undo a job of this type; None if it cannot be undone.

        They are carried out by the same type, in a job of their own that a person approves. The
        items are made lazily, since many callers only check for None.
        """
        return None

    def undoable(self, job: Job) -> QuerySet[JobItem]:
        """Returns the items that an undo of the job restores."""
        return job.items.none()

    def created(self, job: Job) -> QuerySet[JobItem]:
        """Returns the `undoable` items that created their object, which has no previous values."""
        return job.items.none()

    def undo_notes(self, job: Job, created: int) -> Iterable[str]:  # noqa: ARG002
        """Returns sentences about what an undo of the job does to so many `created` objects, and
        what it leaves."""
        return ()

    @property
    def has_undo(self) -> bool:
        """Returns whether jobs of this type can be undone as a whole."""
        return type(self).undo is not JobType.undo

    def reverts(self, operation: AnyOperation) -> bool:  # noqa: ARG002
        """Returns whether the undo of a job of this type reverts this operation."""
        return False

    def plan_undo(self, planning: Planning, earlier: Job) -> None:
        """Plans the items of `undo`; types that read the present values leave out those changed
        since. Called only if the job can be undone."""
        for item in self.undo(earlier) or ():
            planning.add(item)


class BatchJobType(JobType):
    """Job type whose requests carry out up to `batch` pending items of one `batch_key`; if a
    request is refused, each item is carried out alone."""

    batch: ClassVar[int]

    @abstractmethod
    def carry_out_together(self, api: Api, items: Sequence[JobItem]) -> None:
        """Carries several items out by one request."""


_JOB_TYPES: dict[str, JobType] = {}


def register(job_type: JobType) -> None:
    _JOB_TYPES[job_type.name] = job_type


def read_only_names() -> list[str]:
    """Returns the names of job types that only read."""
    return [name for name, job_type in _JOB_TYPES.items() if job_type.reads_only]


def unlisted_names() -> list[str]:
    """Returns the names of job types that only read for the portal's own lists."""
    return [name for name, one in _JOB_TYPES.items() if one.reads_only and not one.is_listed]


def following_names() -> list[str]:
    """Returns the names of job types that follow work done elsewhere."""
    return [name for name, job_type in _JOB_TYPES.items() if job_type.follows]


def names_with_secrets() -> list[str]:
    """Returns the names of job types with secrets that can be exported."""
    return [name for name, job_type in _JOB_TYPES.items() if job_type.hands_out]


def job_type_of(job: Job) -> JobType:
    """Returns the type of a job. Raises `Unsupported` for one that this release does not have."""
    try:
        return _JOB_TYPES[job.kind]
    except KeyError:
        raise Unsupported(job.kind) from None


def is_supported(job: Job, actions: Collection[str] = ()) -> bool:
    """Returns whether this release has the type of a job, all that the job names, and the actions
    of its items."""
    job_type, given = _JOB_TYPES.get(job.kind), job.parameters
    if job_type is None:
        return False
    named = ((given[name], names) for name, names in job_type.selects.items() if name in given)
    has_actions = not job_type.is_by_action or not set(actions) - {"", *job_type.verbs}
    return has_actions and all(name in names for name, names in named)


def has_all_of(job: Job) -> bool:
    """Returns `is_supported` by the actions of all items, read where the job's type asks for
    them."""
    job_type = _JOB_TYPES.get(job.kind)
    if job_type is None or not job_type.is_by_action:
        return is_supported(job)
    return is_supported(job, set(job.items.order_by().values_list("action", flat=True).distinct()))


def _supported_jobs() -> Q:
    """Returns the condition of the jobs that are supported."""
    narrowed = [each for each in _JOB_TYPES.values() if each.selects or each.is_by_action]
    condition = Q(kind__in=_JOB_TYPES.keys() - {each.name for each in narrowed})
    for each in narrowed:
        own = Q(kind=each.name)
        for name, names in each.selects.items():
            is_without = ~Q(parameters__has_key=name)
            own &= is_without | Q(**{f"parameters__{name}__in": list(names)})
        if each.is_by_action:
            items = JobItem.objects.filter(job=OuterRef("pk"))
            own &= ~Q(Exists(items.exclude(action__in=["", *each.verbs])))
        condition |= own
    return condition


leases.support(_supported_jobs)
leases.leave_to_the_night(lambda: Q(kind__in=unlisted_names()))
