"""The job type that schedules the same session for several hosts; each kind has its own.

Its file, which is encrypted until the plan is made, has the hosts and what each of them gets. Its
undo deletes those that are as they were made.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from portal.client import Api, NotFound
from portal.contract.model import JsonDict
from portal.contract.operation import AnyOperation
from portal.directory.colleagues import Colleague, called
from portal.imports.plan import CREATE, DELETE
from portal.jobs.job_types import Done, ItemVerdict, Resolution
from portal.jobs.labels import counted
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.jobs.undo import CHANGED_SINCE, CurrentValue, ItemValue, Reversal, RevertibleJob
from portal.sessions import mirror
from portal.sessions.imports.session_plan import SessionWarnings
from portal.sessions.jobs.session_import import SessionImportJob
from portal.sessions.services.planning import sessions_of
from portal.sessions.specs import ABOUT, SessionSpec, about_details
from portal.translation import gettext as _, gettext_lazy, ngettext

_COMPARED = ("topic", "type", "duration", "agenda", "timezone")


def name_of(spec: SessionSpec) -> str:
    """The job type that schedules these for several hosts."""
    return f"{spec.family}.schedule"


def file_of(
    hosts: Sequence[str], body: JsonDict, changes: Sequence[tuple[str, str]], moments: Sequence[str]
) -> bytes:
    """Returns the file of a job: `changes` are titles and values as users read them, `moments` the
    starts."""
    password = body.pop("password", "")
    given = {"hosts": hosts, "body": body, "password": password}
    return json.dumps({**given, "changes": changes, "moments": moments}).encode()


class SchedulingJob(SessionImportJob, RevertibleJob):
    verbs = {CREATE: gettext_lazy("Schedule"), DELETE: gettext_lazy("Delete")}
    gone = (gettext_lazy("Session"), gettext_lazy("It does not exist any more."))

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if not hasattr(cls, "of"):
            return
        cls.name, cls.columns = name_of(cls.of), ()
        cls.operations = {CREATE: (cls.of.create,), DELETE: (cls.of.delete,)}

    def cells_of(self, job: Job) -> dict[str, str]:  # noqa: ARG002
        return {}

    def headings(self, job: Job) -> Sequence[tuple[str, str]]:  # noqa: ARG002
        return ()

    def refused(self, item: JobItem, field: str, message: str) -> tuple[str, str]:  # noqa: ARG002
        return field, message

    def calls_of_row(self, item: NewItem) -> Sequence[AnyOperation]:
        return self.operations[item.action]

    def plan(self, planning: Planning) -> None:
        given = json.loads(planning.file())
        hosts = called(planning.scope, given["hosts"])
        warnings = SessionWarnings(planning.job.connection)
        before = planning.read_each(lambda one: self._like(planning.api, one, given), hosts)
        for number, (host, reading) in enumerate(zip(hosts, before, strict=True), start=1):
            item = self._item(number, host, given)
            item.data["before"] = reading.result or []
            planning.add(item)
            moments = list(map(datetime.fromisoformat, given["moments"]))
            minutes = given["body"].get("duration") or 60
            warnings.clashes(number, host.id, "", moments, minutes)
        for words in warnings.words():
            planning.add_notice("warning", words)

    def _like(self, api: Api, host: Colleague, given: JsonDict) -> list[str]:
        """Returns the numbers of a host's sessions of the same topic, to tell created ones."""
        listed = sessions_of(api, self.of, host.id)
        return [str(one.id) for one in listed if one.topic == given["body"].get("topic")]

    def _item(self, number: int, host: Colleague, given: JsonDict) -> NewItem:
        body, moments = given["body"], given["moments"]
        start = datetime.fromisoformat(moments[0]) if moments else None
        topic = body.get("topic") or ""
        item = NewItem(number, host.name, CREATE)
        item.changes = [(_("Host"), "", host.name), *((t, "", v) for t, v in given["changes"])]
        item.secret = {"password": given["password"]} if given["password"] else {}
        item.data = {
            "host": host.id,
            "body": body,
            "type": body.get("type", int(self.of.once)),
            "moments": moments[:1],
            "twins": 1,
            ABOUT: about_details(topic, host, "", start, body.get("timezone", "")),
        }
        return item

    def carry_out(self, api: Api, item: JobItem) -> Done:
        if item.action == CREATE:
            return super().carry_out(api, item)
        self.of.calls(api).delete(item.object_id)
        return Done(item.object_id)

    def resolve(self, api: Api, item: JobItem) -> Resolution:
        if item.action == CREATE:
            return super().resolve(api, item)
        return Resolution(ItemVerdict.NOT_DONE)  # the same deletion again does no harm

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        super().ended(job, items)
        for item in items:
            if item.action == DELETE:
                mirror.drop(job.connection, self.of.family, item.object_id)

    # The undo.

    def undoable(self, job: Job) -> QuerySet[JobItem]:
        return job.items.filter(state=ItemState.DONE, action=CREATE).exclude(object_id="")

    def created(self, job: Job) -> QuerySet[JobItem]:
        return self.undoable(job)

    def undo_notes(self, job: Job, created: int) -> Iterator[str]:  # noqa: ARG002
        yield ngettext(
            "%(rows)s that the job scheduled is deleted, unless it was changed since.",
            "%(rows)s that the job scheduled are deleted, unless they were changed since.",
            created,
        ) % {"rows": counted(created, self.noun)}

    def reverts(self, operation: AnyOperation) -> bool:
        return operation is self.of.create

    def values(self, item: JobItem) -> Iterator[ItemValue]:  # noqa: ARG002
        yield from ()

    def undo_data(self, item: JobItem, reversal: Reversal) -> dict[str, Any]:  # noqa: ARG002
        return {}

    def undo_context(self, item: JobItem) -> dict[str, Any]:
        return {"host": item.data["host"], ABOUT: item.data[ABOUT]}

    def now(self, api: Api, item: JobItem) -> CurrentValue | None:
        try:
            details: JsonDict = self.of.calls(api).get(item.object_id).sent()
        except NotFound:
            return None
        return details.get

    def undo_item(self, job: Job, item: JobItem, now: CurrentValue | None) -> NewItem:  # noqa: ARG002
        label, noun = item.phrase(item.label), str(self.of.noun).capitalize()
        made = NewItem(item.number, label, DELETE, item.object_id, data=self.undo_context(item))
        body = item.data["body"]
        if now is None:
            made.problems = [self.gone]
        elif _is_changed(item, now):
            made.problems = [(noun, _("Changed since, so it is kept."))]
            made.data[CHANGED_SINCE] = True
        else:
            made.changes = [(noun, body.get("topic", ""), _("Deleted"))]
        if made.problems:
            made.state = ItemState.INVALID
        return made


def _is_changed(item: JobItem, now: CurrentValue) -> bool:
    body, start = item.data["body"], now("start_time")
    moments = map(datetime.fromisoformat, [*item.data["moments"], start] if start else [])
    return len(set(moments)) > 1 or any(
        now(name) != body[name] for name in _COMPARED if name in body
    )


def scheduling_job(spec: SessionSpec) -> type[SchedulingJob]:
    """Returns the job type of a kind."""
    name = f"Schedule{spec.code.capitalize()}Job"  # untranslated: a class
    return type(name, (SchedulingJob,), {"of": spec})
