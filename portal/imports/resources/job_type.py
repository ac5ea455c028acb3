"""The job type that adds and changes what an account has by name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.text import capfirst

from portal.client import Api
from portal.contract.model import Model
from portal.contract.operation import Family
from portal.imports.columns import Column, by_name
from portal.imports.job_type import ImportJob
from portal.imports.mapping import ImportMapping
from portal.imports.plan import CHANGE, CREATE, DELETE
from portal.imports.resources.plan import ID, ResourceImportPlan
from portal.imports.sheets.headings import OF_REPORTS, headed
from portal.imports.values import held, in_words, is_same
from portal.jobs.job_types import Done, ItemVerdict, Settled
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.jobs.reverting import Held, Look, Reversal, RevertibleJob
from portal.jobs.reverting import ItemValue as RevertedValue
from portal.translation import gettext as _
from portal.translation import gettext_lazy, lazily

_WHICH = gettext_lazy(
    "Identifies the %(noun)s if its name changes or is not unique. An ID that is not on the "
    "account is ignored."
)


class ResourceImportJob(ImportJob, RevertibleJob):
    """Adds what the service does not have by this name, and changes what it has.

    A subclass says what is imported: the `family` whose operations are called, the list and the
    models of it, the `key` that names one, and its columns. `lead` is for the page of the import,
    `list_url_name` where all of them are listed.
    """

    family: ClassVar[type[Family]]
    records: ClassVar[str]
    new: ClassVar[type[Model]]
    change: ClassVar[type[Model]]
    key: ClassVar[str]
    imported: ClassVar[tuple[Column, ...]]
    lead: ClassVar[str]
    # Headings of what exports have beside, and nobody can change.
    export_only: ClassVar[tuple[str, ...]] = ()

    verbs = {
        CREATE: gettext_lazy("Add"),
        CHANGE: gettext_lazy("Change"),
        DELETE: gettext_lazy("Delete"),
    }
    own_columns: ClassVar[dict[str, Column]]
    all_columns: ClassVar[dict[str, Column]]
    gone: ClassVar[tuple[str, str]]

    def __init_subclass__(cls) -> None:
        one = cls.noun[0]
        if any(column.is_secret for column in cls.imported):
            raise TypeError(f"{cls.__name__}: a column is secret, and nothing here keeps secrets")
        title = lazily(lambda: _("%(noun)s ID") % {"noun": capfirst(one)})
        which = lazily(lambda: _WHICH % {"noun": one})
        cls.own_columns = by_name(cls.imported)
        cls.all_columns = {ID: Column(ID, title, which, also=("identifier",)), **cls.own_columns}
        cls.columns = tuple(cls.all_columns)
        calls = {CREATE: "create", CHANGE: "update", DELETE: "delete"}
        cls.operations = {action: (getattr(cls.family, name),) for action, name in calls.items()}
        cls.gone = (lazily(one.capitalize), gettext_lazy("It does not exist any more."))

    def calls(self, api: Api) -> Any:
        """The operations of the family."""
        return getattr(api, self.family.name)

    def listed(self, api: Api) -> tuple[list[Any], int]:
        """All that the service lists, and how many it says there are. Raises `ApiError`."""
        page = self.calls(api).list()
        found = list(getattr(page, self.records))
        return found, page.total_records or len(found)

    def beside(self, present: dict[str, Any]) -> dict[str, Any]:
        """Returns the present values that the interface takes with every change."""
        needed = [name for name, info in self.change.model_fields.items() if info.is_required()]
        return {name: present[name] for name in needed}

    @classmethod
    def mapped(cls, names: Sequence[str], headings: Sequence[str] = ()) -> ImportMapping:
        """Returns the meaning of a table's columns."""
        export_only = OF_REPORTS | headed(*cls.export_only)
        return ImportMapping(names, headings, cls.all_columns, ((cls.key, ID),), export_only)

    def mapping(self, job: Job) -> ImportMapping:
        return self.mapped(job.parameters["names"])

    def plan(self, planning: Planning) -> None:
        ResourceImportPlan(self, planning, self.mapping(planning.job)).make()

    def carry_out(self, api: Api, item: JobItem) -> Done:
        calls, body = self.calls(api), item.data.get("body", {})
        if item.action == DELETE:
            calls.delete(item.object_id)
        elif item.action == CHANGE:
            whole = {**item.data["beside"], **body}
            calls.update(item.object_id, self.change.model_validate(whole))
        else:
            return Done(str(calls.create(self.new.model_validate(body)).id))
        return Done(item.object_id)

    def settle(self, api: Api, item: JobItem) -> Settled:
        """Asks whether one of the name is there; what changes or deletes can be sent again."""
        if item.action != CREATE:
            return Settled(ItemVerdict.NOT_DONE)
        found, total = self.listed(api)
        named = [one for one in found if is_same(getattr(one, self.key), item.data["name"])]
        if ours := [one for one in named if self._has(one, item.data["body"])]:
            return Settled(ItemVerdict.DONE, str(ours[0].id))
        if named:
            words = _("There is a %(noun)s of this name now, which differs from the row.") % {
                "noun": self.noun[0]
            }
            return Settled(ItemVerdict.UNCERTAIN, message=words)
        if total > len(found):
            words = _("The service does not list all %(noun)s, so the outcome stays unknown.") % {
                "noun": self.noun[1]
            }
            return Settled(ItemVerdict.UNCERTAIN, message=words)
        return Settled(ItemVerdict.NOT_SEEN)

    def _has(self, one: Any, body: dict[str, Any]) -> bool:
        return all(is_same(held(self.own_columns[name], one), body[name]) for name in body)

    def page_of(self, job: Job, item: JobItem) -> str:
        if item.action == DELETE or not item.object_id:
            return ""
        name = item.data.get("body", {}).get(self.key) or item.data.get("name", "")
        query = urlencode({"q": name})
        return f"{reverse(self.list_url_name, args=[job.connection.key])}?{query}"

    # What takes it back.

    def values(self, item: JobItem) -> Iterator[RevertedValue]:
        if item.action != CHANGE:
            return
        for name, value in item.data["body"].items():
            column = self.own_columns[name]
            before = item.data["before"].get(name)
            yield _Value(name, column.title, before, value, partial(in_words, column))

    def looking(self, planning: Planning) -> Look:
        found, _total = self.listed(planning.api)
        by_id = {str(one.id): one for one in found}

        def now(item: JobItem) -> Held | None:
            one = by_id.get(item.object_id)
            return None if one is None else lambda name: held(self.own_columns[name], one)

        return lambda items: map(now, items)

    def undo_data(self, item: JobItem, reversal: Reversal) -> dict[str, Any]:  # noqa: ARG002
        return {"body": reversal.values, "before": reversal.replaced}

    def undo_context(self, item: JobItem) -> dict[str, Any]:
        return {"name": item.data["name"]}

    def undo_item(self, job: Job, item: JobItem, now: Held | None) -> NewItem:
        if item.action == CREATE:
            return self._deletion(job, item, now)
        made = super().undo_item(job, item, now)
        if now and "body" in made.data:
            made.data["beside"] = self.beside({name: now(name) for name in self.own_columns})
        return made

    def _deletion(self, job: Job, item: JobItem, now: Held | None) -> NewItem:
        """Returns an item that deletes an added object, unless the object has changed since or must
        stay."""
        one, data = capfirst(self.noun[0]), self.undo_context(item)
        made = NewItem(item.number, item.label, DELETE, item.object_id, data=data)
        body = item.data["body"]
        if now is None:
            made.problems = [self.gone]
        elif any(not is_same(now(name), body[name]) for name in body):
            made.problems = [(one, _("Changed since the import, so it is kept."))]
        elif not self._may_delete(job):
            made.problems = [
                (one, _("Stays: only administrators delete %(noun)s.") % {"noun": self.noun[1]})
            ]
        else:
            made.changes = [(one, item.data["name"], _("Deleted"))]
        if made.problems:
            made.state = ItemState.INVALID
        return made

    def _may_delete(self, job: Job) -> bool:
        scope = job.scope
        deletion = getattr(self.family, "delete")  # noqa: B009 - a descriptor
        return scope.may(deletion)


@dataclass(frozen=True)
class _Value(RevertedValue):
    @property
    def obstacle(self) -> str:
        return (
            _("There was no previous value, and it cannot be cleared.")
            if self.before is None
            else ""
        )
