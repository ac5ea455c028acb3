"""Imports of objects that the service lists whole, by their names: a declaration for each."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.db.models import QuerySet

from portal.client import Api
from portal.contract.model import Model
from portal.contract.operation import Family
from portal.imports.columns import Column, by_name, current_value, in_words, is_same, text_of
from portal.imports.mapping import ImportMapping, ImportRow, Repetitions
from portal.imports.plan import CHANGE, CREATE, DELETE, ImportJob, ImportPlan, item_of
from portal.imports.sheets.headings import OF_REPORTS, headed
from portal.jobs.desired_state import DesiredStateJob, UnclearableValue
from portal.jobs.job_types import Done, ItemVerdict, Resolution
from portal.jobs.labels import counted
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.jobs.undo import CHANGED_SINCE, CurrentValue, CurrentValues, ItemValue
from portal.translation import capitalized, gettext as _, gettext_lazy, lazily, ngettext, number

ID = "id"
_WHICH = gettext_lazy(
    "Identifies the %(noun)s if its name changes or is not unique. An ID that is not on the "
    "account is ignored."
)


class ResourceImportJob(ImportJob, DesiredStateJob):
    """Job that adds objects whose names the service does not have, and changes the others.

    A subclass declares the `family` whose operations are called, the `label` that names an object,
    and the columns. `list_url_name` is the URL of the list of objects.
    """

    family: ClassVar[type[Family]]
    label: ClassVar[str] = "name"
    imported: ClassVar[tuple[Column, ...]]
    wanted_in = "body"
    # Headings of further columns of exports, which cannot be changed.
    export_only: ClassVar[tuple[str, ...]] = ()

    verbs = {
        CREATE: gettext_lazy("Add"),
        CHANGE: gettext_lazy("Change"),
        DELETE: gettext_lazy("Delete"),
    }
    new: ClassVar[type[Model]]
    change: ClassVar[type[Model]]
    own_columns: ClassVar[dict[str, Column]]
    all_columns: ClassVar[dict[str, Column]]
    gone: ClassVar[tuple[str, str]]

    def __init_subclass__(cls) -> None:
        one = cls.noun[0]
        if any(column.is_secret for column in cls.imported):
            raise TypeError(f"{cls.__name__}: a column is secret, and no secrets are stored here")
        title = lazily(lambda: _("%(noun)s ID") % {"noun": capitalized(one)})
        which = lazily(lambda: _WHICH % {"noun": one})
        cls.name = f"{cls.family.name}.import"
        cls.own_columns = by_name(cls.imported)
        cls.all_columns = {ID: Column(ID, title, which, also=("identifier",)), **cls.own_columns}
        cls.columns = tuple(cls.all_columns)
        calls = {CREATE: "create", CHANGE: "update", DELETE: "delete"}
        cls.operations = {action: (getattr(cls.family, name),) for action, name in calls.items()}
        cls.new, cls.change = cls.family.create.body, cls.family.update.body  # type: ignore[attr-defined]
        cls.gone = (lazily(lambda: capitalized(one)), gettext_lazy("It does not exist any more."))

    def calls(self, api: Api) -> Any:
        """Returns the operations of the family."""
        return getattr(api, self.family.name)

    def listed(self, api: Api) -> tuple[list[Any], int]:
        """Returns all objects that the service lists, and its count of them. Raises `ApiError`."""
        page = self.calls(api).list()
        results = list(getattr(page, self.family.name))
        return results, page.total_records or len(results)

    def beside(self, present: dict[str, object]) -> dict[str, Any]:
        """Returns the present values that the interface requires with every change."""
        needed = [name for name, info in self.change.model_fields.items() if info.is_required()]
        return {name: present[name] for name in needed}

    @classmethod
    def mapped(cls, names: Sequence[str], headings: Sequence[str] = ()) -> ImportMapping:
        """Returns the mapping of a table's columns."""
        export_only = OF_REPORTS | headed(*cls.export_only)
        return ImportMapping(names, headings, cls.all_columns, ((cls.label, ID),), export_only)

    def mapping(self, job: Job) -> ImportMapping:
        return self.mapped(job.parameters["names"])

    def plan(self, planning: Planning) -> None:
        _ResourcePlan(self, planning).make()

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

    def resolve(self, api: Api, item: JobItem) -> Resolution:
        """Asks whether an object of the name exists; changes and deletions can be sent again."""
        if item.action != CREATE:
            return Resolution(ItemVerdict.NOT_DONE)
        existing, total = self.listed(api)
        body = item.data["body"]
        named = [one for one in existing if is_same(getattr(one, self.label), item.data["name"])]
        for one in named:
            if all(
                is_same(current_value(self.own_columns[name], one), body[name]) for name in body
            ):
                return Resolution(ItemVerdict.DONE, str(one.id))
        if not named and total <= len(existing):
            return Resolution(ItemVerdict.NOT_SEEN)
        noun, words = (
            self.noun[0],
            _("There is a %(noun)s of this name now, which differs from the row."),
        )
        if not named:
            noun, words = (
                self.noun[1],
                _("The service does not list all %(noun)s, so the outcome stays unknown."),
            )
        return Resolution(ItemVerdict.UNCERTAIN, message=words % {"noun": noun})

    def page_of(self, job: Job, item: JobItem) -> str:
        if item.action == DELETE or not item.object_id:
            return ""
        name = item.data.get("body", {}).get(self.label) or item.data.get("name", "")
        return f"{self.results_url(job)}?{urlencode({'q': name})}"

    # The undo.

    def value(self, data: Mapping[str, object], name: str, before: Any, after: object) -> ItemValue:  # noqa: ARG002
        column = self.own_columns[name]
        return UnclearableValue(name, column.title, before, after, partial(in_words, column))

    def current_values(self, planning: Planning) -> CurrentValues:
        by_id = {str(one.id): one for one in self.listed(planning.api)[0]}

        def now(item: JobItem) -> CurrentValue | None:
            one = by_id.get(item.object_id)
            return None if one is None else lambda name: current_value(self.own_columns[name], one)

        return lambda items: map(now, items)

    def created(self, job: Job) -> QuerySet[JobItem]:
        return self.undoable(job).filter(action=CREATE)

    def undo_notes(self, job: Job, created: int) -> Iterator[str]:  # noqa: ARG002
        if created:
            yield ngettext(
                "%(rows)s that the import added is deleted, unless it was changed since.",
                "%(rows)s that the import added are deleted, unless they were changed since.",
                created,
            ) % {"rows": counted(created, self.noun)}

    def undo_context(self, item: JobItem) -> dict[str, object]:
        return {"name": item.data["name"]}

    def undo_item(self, job: Job, item: JobItem, now: CurrentValue | None) -> NewItem:
        if item.action == CREATE:
            return self._deletion(job, item, now)
        made = super().undo_item(job, item, now)
        if now and "body" in made.data:
            made.data["beside"] = self.beside({name: now(name) for name in self.own_columns})
        return made

    def _deletion(self, job: Job, item: JobItem, now: CurrentValue | None) -> NewItem:
        """Returns an item that deletes an added object, unless the object has changed since or must
        stay."""
        one, data, body = capitalized(self.noun[0]), self.undo_context(item), item.data["body"]
        made = NewItem(item.number, item.phrase(item.label), DELETE, item.object_id, data=data)
        if now is None:
            made.problems = [self.gone]
        elif any(not is_same(now(name), body[name]) for name in body):
            made.problems = [(one, _("Changed since the import, so it is kept."))]
            made.data[CHANGED_SINCE] = True
        elif not job.scope.may(self.operations[DELETE][0]):
            words = _("Stays: only administrators delete %(noun)s.") % {"noun": self.noun[1]}
            made.problems = [(one, words)]
        else:
            made.changes = [(one, item.data["name"], _("Deleted"))]
        if made.problems:
            made.state = ItemState.INVALID
        return made


class _ResourcePlan(ImportPlan[ImportRow]):
    """The plan of one import: each row is compared with the objects that the service lists."""

    def __init__(self, of: ResourceImportJob, planning: Planning) -> None:
        super().__init__(planning, of.mapping(planning.job))
        self._of = of
        self._met = Repetitions()

    def prefetch(self, rows: list[ImportRow]) -> None:  # noqa: ARG002 - the list is read whole
        existing, total = self._of.listed(self.planning.api)
        self._by_id = {str(one.id): one for one in existing}
        self._named: dict[str, list[Any]] = {}
        for one in existing:
            name = text_of(str(getattr(one, self._of.label) or ""))
            for written in {name, name.casefold()}:
                self._named.setdefault(written, []).append(one)
        if total > len(existing):
            words = _(
                "The service lists %(count)s of its %(total)s %(noun)s. Rows for the others would "
                "add them again."
            ) % {"count": number(len(existing)), "total": number(total), "noun": self._of.noun[1]}
            self.planning.add_notice("warning", words)

    def items(self, rows: list[ImportRow]) -> Iterator[NewItem]:
        for row in rows:
            yield self.planned(row, partial(self._item, row))

    def _item(self, row: ImportRow) -> NewItem:
        present = self._meant(row, str(row.values.pop(ID, "")))
        return self._creation(row) if present is None else self._change(row, present)

    def _meant(self, row: ImportRow, object_id: str) -> Any:
        """Returns the object of a row: by its id if the account has that, else by its name, at last
        without regard to case."""
        label, (noun, many) = self._of.label, self._of.noun
        name = str(row.values.get(label, ""))
        meant = self._by_id.get(object_id)
        named = self._named.get(name) or self._named.get(name.casefold()) or [] if name else []
        if meant is None and len(named) > 1:
            words = _("%(count)s %(noun)s have this name. Add their IDs.")
            row.problem(label, words % {"count": number(len(named)), "noun": many})
        elif meant is None and named:
            meant = named[0]
        elif meant and named and meant not in named:
            row.problem(label, _("Another %(noun)s has this name.") % {"noun": noun})
        about = (ID, str(meant.id)) if meant else (label, f"name {name.casefold()}")
        if first := self._met.first(row, *about):
            words = _("Row %(first)s is about the same %(noun)s.")
            row.problem(label, words % {"first": first, "noun": noun})
        return meant

    def _creation(self, row: ImportRow) -> NewItem:
        row.check(self._of.new, row.values)
        name = str(row.values.get(self._of.label, ""))
        item = item_of(row, name, CREATE, name=name, body=row.values, before={})
        item.changes = self._changes({}, row.values)
        return item

    def _change(self, row: ImportRow, one: Any) -> NewItem:
        of = self._of
        present = {name: current_value(column, one) for name, column in of.own_columns.items()}
        wanted = {
            name: value for name, value in row.values.items() if not is_same(present[name], value)
        }
        beside = of.beside(present)
        if wanted:
            row.check(of.change, {**beside, **wanted})
        name = str(present[of.label] or one.id)
        before = {name: present[name] for name in wanted}
        data = {"name": name, "body": wanted, "beside": beside, "before": before}
        item = item_of(row, name, CHANGE, str(one.id), **data)
        if not wanted and item.state == ItemState.PENDING:
            item.action, item.state = "", ItemState.UNCHANGED
        item.changes = self._changes(before, wanted)
        return item

    def _changes(
        self, before: dict[str, object], after: dict[str, object]
    ) -> list[tuple[str, str, str]]:
        return [
            (
                column.title,
                in_words(column, before.get(name)),
                in_words(column, after[name]) or _("None"),
            )
            for name, column in self._of.own_columns.items()
            if name in after
        ]
