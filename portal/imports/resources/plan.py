"""The plan of a table of resources: each row compared with those that the service lists."""

from collections.abc import Iterator
from typing import Any, ClassVar, Protocol

from portal.client import Api
from portal.contract.model import Model
from portal.imports.columns import Column
from portal.imports.mapping import ImportMapping, ImportRow, Repetitions
from portal.imports.plan import CHANGE, CREATE, ImportPlan, item_of
from portal.imports.sheets.meanings import text_of
from portal.imports.values import held, in_words, is_same
from portal.jobs.models import ItemState
from portal.jobs.planning import NewItem, Planning
from portal.translation import gettext as _
from portal.translation import number

ID = "id"


class Imported(Protocol):
    """An imported kind of object, as far as a plan depends on it."""

    noun: ClassVar[tuple[str, str]]
    key: ClassVar[str]
    new: ClassVar[type[Model]]
    change: ClassVar[type[Model]]
    own_columns: ClassVar[dict[str, Column]]

    def listed(self, api: Api) -> tuple[list[Any], int]: ...

    def beside(self, present: dict[str, Any]) -> dict[str, Any]: ...


class ExistingRecords:
    """Objects of the service, by id and by name."""

    def __init__(self, found: list[Any], key: str) -> None:
        self.by_id = {str(one.id): one for one in found}
        self._named: dict[str, list[Any]] = {}
        for one in found:
            name = text_of(str(getattr(one, key) or ""))
            self._named.setdefault(name.casefold(), []).append(one)
            if name != name.casefold():
                self._named.setdefault(name, []).append(one)

    def named(self, name: str) -> list[Any]:
        """Those of this name; in other letters where none has it in these."""
        return self._named.get(name) or self._named.get(name.casefold()) or []


class ResourceImportPlan(ImportPlan[ImportRow]):
    """The making of one plan."""

    def __init__(self, of: Imported, planning: Planning, mapping: ImportMapping) -> None:
        super().__init__(planning, mapping)
        self._of = of
        self._met = Repetitions()

    def look(self, rows: list[ImportRow]) -> None:  # noqa: ARG002 - the list is read whole
        of = self._of
        found, total = of.listed(self.planning.api)
        self._known = ExistingRecords(found, of.key)
        if total > len(found):
            words = _(
                "The service lists %(count)s of its %(total)s %(noun)s. Rows for the others would "
                "add them again."
            ) % {"count": number(len(found)), "total": number(total), "noun": of.noun[1]}
            self.planning.note("warning", words)

    def items(self, rows: list[ImportRow]) -> Iterator[NewItem]:
        for row in rows:
            object_id = str(row.values.pop(ID, ""))
            known = self._meant(row, object_id)
            yield self._creation(row) if known is None else self._change(row, known)

    def _meant(self, row: ImportRow, object_id: str) -> Any:
        """Returns the object of a row: by its id if the account has that, else by its name."""
        of, key = self._of, self._of.key
        name = str(row.values.get(key, ""))
        known = self._known.by_id.get(object_id)
        named = self._known.named(name) if name else []
        if known is None and len(named) > 1:
            words = _("%(count)s %(noun)s have this name. Add their IDs.") % {
                "count": number(len(named)),
                "noun": of.noun[1],
            }
            row.problem(key, words)
        elif known is None and named:
            known = named[0]
        elif known and named and known not in named:
            row.problem(key, _("Another %(noun)s has this name.") % {"noun": of.noun[0]})
        about = (ID, str(known.id)) if known else (key, f"name {name.casefold()}")
        if first := self._met.first(row, *about):
            words = _("Row %(first)s is about the same %(noun)s.") % {
                "first": first,
                "noun": of.noun[0],
            }
            row.problem(key, words)
        return known

    def _creation(self, row: ImportRow) -> NewItem:
        of = self._of
        row.check(of.new, row.values)
        name = str(row.values.get(of.key, ""))
        item = item_of(row, name, CREATE, name=name, body=row.values, before={})
        item.changes = self._changes({}, row.values)
        return item

    def _change(self, row: ImportRow, known: Any) -> NewItem:
        of = self._of
        present = {name: held(column, known) for name, column in of.own_columns.items()}
        wanted = {
            name: value for name, value in row.values.items() if not is_same(present[name], value)
        }
        beside = of.beside(present)
        if wanted:
            row.check(of.change, {**beside, **wanted})
        name = str(present[of.key] or known.id)
        before = {name: present[name] for name in wanted}
        data = {"name": name, "body": wanted, "beside": beside, "before": before}
        item = item_of(row, name, CHANGE, str(known.id), **data)
        if not wanted and item.state == ItemState.PENDING:
            item.action, item.state = "", ItemState.UNCHANGED
        item.changes = self._changes(before, wanted)
        return item

    def _changes(self, before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, str, str]]:
        return [
            (
                column.title,
                in_words(column, before.get(name)),
                in_words(column, after[name]) or _("None"),
            )
            for name, column in self._of.own_columns.items()
            if name in after
        ]
