"""The job type that schedules and changes the sessions of a table; each domain has its own."""

from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar

from django.urls import reverse

from portal.client import Api
from portal.imports.plan import CHANGE, CREATE, ImportJob
from portal.jobs.job_types import Done, ItemVerdict, Pointer, Settled
from portal.jobs.models import ItemState, Job, JobItem
from portal.sessions import mirror, specs
from portal.sessions.about import ABOUT, SEARCHED, in_words
from portal.sessions.imports.session_columns import SessionMapping, columns_for, mapping_of
from portal.sessions.imports.session_plan import SessionImportPlan
from portal.sessions.jobs import import_losses
from portal.sessions.jobs.reading import READING
from portal.sessions.models import SessionKind
from portal.sessions.rereading import request_reread
from portal.sessions.services import alike
from portal.translation import gettext_lazy


def name_of(spec: specs.SessionSpec) -> str:
    """The job type that imports these."""
    return f"{spec.family}.import"


class SessionImportJob(ImportJob):
    """The file is a `Table` as JSON; `names` among the parameters are what its columns mean. `of`
    says what its rows are."""

    of: ClassVar[specs.SessionSpec]
    verbs = {CREATE: gettext_lazy("Schedule"), CHANGE: gettext_lazy("Edit")}
    planned_by = SessionImportPlan
    searched = SEARCHED
    host_in = ABOUT

    def __init_subclass__(cls) -> None:
        cls.columns = tuple(columns_for(cls.of))
        cls.operations = {CREATE: (cls.of.create,), CHANGE: (cls.of.update,)}

    def mapping(self, job: Job) -> SessionMapping:
        parameters = job.parameters
        return mapping_of(self.of, parameters["names"], parameters.get("headings", ()))

    def carry_out(self, api: Api, item: JobItem) -> Done:
        data = {**item.data["body"], **item.secret}
        calls = self.of.calls(api)
        if item.action == CHANGE:
            import_losses.keep(api, self.of, item)
            calls.update(item.object_id, self.of.change.model_validate(data))
            return Done(item.object_id)
        details = calls.create(item.data["host"], self.of.new.model_validate(data))
        return Done(str(details.id), value=details)

    def settle(self, api: Api, item: JobItem) -> Settled:
        if item.action == CHANGE:
            return Settled(ItemVerdict.NOT_DONE)  # the same change again does no harm
        data = item.data
        sought = alike.Sought(
            data["host"],
            data["body"]["topic"],
            data["type"],
            frozenset(map(datetime.fromisoformat, data["moments"])),
            frozenset(data["before"]),
            data["twins"],
        )
        return alike.settle(api, self.of, sought, lambda: item.sent_by_service_clock)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        """Puts created sessions into the mirror from the answer, and has changed ones read
        again."""
        created = [item.value for item in items if item.value is not None]
        mirror.put_written(job.connection, self.of.family, created)
        for item in items:
            if item.action == CHANGE:
                request_reread(job.connection, SessionKind(self.of.family), item.object_id)

    def finished(self, job: Job) -> None:
        """Has the hosts read whose sessions are others now."""
        touched = job.items.filter(state__in=(ItemState.DONE, ItemState.UNKNOWN))
        hosts = sorted(set(touched.values_list("data__host", flat=True).order_by()))
        if hosts:
            READING.request(job.connection, hosts)
        import_losses.register_again(job, self.of)

    def pointers(self, job: Job) -> Sequence[Pointer]:
        return import_losses.files(job, self.of)

    def page_of(self, job: Job, item: JobItem) -> str:
        if not item.object_id or (item.action == CHANGE and item.state == ItemState.INVALID):
            return ""
        return reverse(f"{self.of.family}:session", args=[job.connection.key, item.object_id])

    def about(self, item: JobItem) -> Sequence[str]:
        return in_words({**item.data.get(ABOUT, {}), "number": item.object_id})
