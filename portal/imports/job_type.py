"""The base of the job types that import a table."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from portal.contract.operation import Operation
from portal.imports.mapping import ImportMapping
from portal.imports.plan import CHANGE, ImportPlan
from portal.jobs.job_types import JobType
from portal.jobs.models import NEVER_SENT, Job, JobItem
from portal.jobs.planning import Planning

Operations = Sequence[Operation[Any, Any]]


class ImportJob(JobType):
    """Plans and carries out a table: the job's file is a `Sheet` as JSON, and its parameters say
    what the columns mean.

    `operations` are those that the items of an action call, the first of them in any case, and
    `planned_by` makes the plan.
    """

    planned_by: ClassVar[type[ImportPlan[Any]]]
    operations: ClassVar[Mapping[str, Operations]] = {}

    @abstractmethod
    def mapping(self, job: Job) -> ImportMapping:
        """Returns the meaning of the columns of a job's table."""

    def plan(self, planning: Planning) -> None:
        self.planned_by(planning, self.mapping(planning.job)).make()

    def needs(self, job: Job) -> Operations:
        """Returns the operations of the rows that are, or may be, carried out."""
        items = job.items.exclude(state__in=NEVER_SENT)
        actions = set(items.values_list("action", flat=True).distinct().order_by())
        of_actions = (self.operations.get(action, ()) for action in sorted(actions))
        return list(dict.fromkeys(each for some in of_actions for each in some))

    def calls_of(self, job: Job, action: str) -> Operations:
        found = self.operations.get(action) or self.operations.get(CHANGE) or self.needs(job)
        return found[:1]

    def refused(self, item: JobItem, field: str, message: str) -> tuple[str, str]:
        return self.mapping(item.job).refused(field, message, self.row_of(item))

    def row_of(self, item: JobItem) -> dict[str, str]:
        """The row as it came, without what is secret."""
        return dict(item.data.get("row", {}))
