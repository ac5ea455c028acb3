"""The plan of a table: each row compared with what the service has now."""

from typing import Any, ClassVar, Protocol

from portal.client import Api
from portal.contract.model import Model
from portal.imports.columns import Column
from portal.imports.rows import ImportMapping, ImportRow
from portal.imports.sheets import Sheet
from portal.imports.values import held, in_words, is_same, text_of
from portal.jobs.models import ItemState
from portal.jobs.planning import NewItem, Planning, Unplannable
from portal.translation import gettext as _
from portal.translation import number

CREATE, CHANGE, DELETE = "create", "change", "delete"
_TOGETHER = 500  # rows between two words about the progress


class Imported(Protocol):
    """An imported kind of object, as far as a plan depends on it."""

    noun: ClassVar[tuple[str, str]]
    key: ClassVar[str]
    new: ClassVar[type[Model]]
    change: ClassVar[type[Model]]
    own_columns: ClassVar[dict[str, Column]]
    all_columns: ClassVar[dict[str, Column]]

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


class ImportPlan:
    """The making of one plan."""

    def __init__(self, of: Imported, planning: Planning) -> None:
        self._of, self._planning = of, planning
        self._met: dict[str, int] = {}

    def make(self) -> None:
        planning = self._planning
        table = Sheet.load(planning.file())
        names = planning.job.parameters["names"]
        self._reading = ImportMapping(self._of.all_columns, names, table.headers)
        rows = list(self._reading.rows(table))
        if not rows:
            raise Unplannable(_("The table has no rows."))
        self._read_service()
        for done, row in enumerate(rows, start=1):
            planning.add(self._item(row))
            if done % _TOGETHER == 0:
                planning.progress(done, len(rows), _("Comparing rows"))
        if ignored := self._reading.ignored:
            listed = ", ".join(ignored)
            planning.note(
                "warning", _("Columns that are not imported: %(listed)s.") % {"listed": listed}
            )

    def _read_service(self) -> None:
        of = self._of
        found, total = of.listed(self._planning.api)
        self._known = ExistingRecords(found, of.key)
        if total > len(found):
            words = _(
                "The service lists %(count)s of its %(total)s %(noun)s. Rows for the others would "
                "add them again."
            ) % {"count": number(len(found)), "total": number(total), "noun": of.noun[1]}
            self._planning.note("warning", words)

    def _item(self, row: ImportRow) -> NewItem:
        known = self._meant(row)
        if known is None:
            return self._creation(row)
        return self._change(row, known)

    def _meant(self, row: ImportRow) -> Any:
        """Returns the object of a row: by its id if the account has that, else by its name."""
        of, key = self._of, self._of.key
        name = str(row.values.get(key, ""))
        known = self._known.by_id.get(row.id)
        named = self._known.named(name) if name else []
        if known is None and len(named) > 1:
            words = _("%(count)s %(noun)s have this name. Add their IDs.") % {
                "count": number(len(named)),
                "noun": of.noun[1],
            }
            row.problems.append((self._reading.heading(key), words))
        elif known is None and named:
            known = named[0]
        elif known and named and known not in named:
            words = _("Another %(noun)s has this name.") % {"noun": of.noun[0]}
            row.problems.append((self._reading.heading(key), words))
        self._note_repetition(row, f"id {known.id}" if known else f"name {name.casefold()}")
        return known

    def _note_repetition(self, row: ImportRow, about: str) -> None:
        first = self._met.setdefault(about, row.number)
        if first != row.number:
            words = _("Row %(first)s is about the same %(noun)s.") % {
                "first": first,
                "noun": self._of.noun[0],
            }
            row.problems.append((self._reading.heading(self._of.key), words))

    def _creation(self, row: ImportRow) -> NewItem:
        of = self._of
        self._reading.check(row, of.new, row.values)
        item = self._new_item(row, CREATE, str(row.values.get(of.key, "")))
        item.data |= {"body": row.values, "before": {}}
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
            self._reading.check(row, of.change, {**beside, **wanted})
        item = self._new_item(row, CHANGE, str(present[of.key] or known.id), str(known.id))
        if not wanted and item.state == ItemState.PENDING:
            item.action, item.state = "", ItemState.UNCHANGED
        before = {name: present[name] for name in wanted}
        item.data |= {"body": wanted, "beside": beside, "before": before}
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

    def _new_item(self, row: ImportRow, action: str, name: str, object_id: str = "") -> NewItem:
        return NewItem(
            number=row.number,
            label=name or _("Row %(number)s") % {"number": row.number},
            action=action,
            object_id=object_id,
            state=ItemState.INVALID if row.problems else ItemState.PENDING,
            data={"row": row.cells, "name": name},
            problems=row.problems,
        )
