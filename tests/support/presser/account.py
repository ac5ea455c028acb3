"""The rows of a sandbox's account, compared field by field."""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from tests.support.sandbox import Sandbox

Fields = dict[str, Any]
Rows = dict[tuple[str, str], Fields]
# What the machine counts, and what follows from other columns.
_PASSED_OVER = {"django_migrations", "sqlite_sequence", "sandbox_simulation", "sandbox_issuedtoken"}
_DERIVED = {"fragment", "id", "email_key", "name_key", "vanity_key"}
_DERIVED |= {"subscribed_from", "subscribed_until"}
_MOMENT = "_at"
_NAMED_BY = ("uuid", "number")
_NAMED_WITHIN = "session_id"
_COUNTED = {"integer", "bigint"}


@dataclass(frozen=True)
class Change:
    """A field of a row that is another one than before; None where the row was, or is, not."""

    table: str
    row: str
    field: str
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{self.table} {self.row} {self.field}: {self.before!r} → {self.after!r}"[:200]


class Account:
    """The account of a sandbox on SQLite. `reset` returns to what it was when this was made."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._path = sandbox.data_dir / "sandbox.sqlite3"
        self._now = sqlite3.connect(self._path, timeout=20, isolation_level=None)
        self._now.row_factory = sqlite3.Row
        self._first = sqlite3.connect(":memory:")
        self._now.backup(self._first)
        self._version = -1
        self._rows: Rows = {}

    def close(self) -> None:
        self._now.close()
        self._first.close()

    def rows(self) -> Rows:
        """Returns each row as it is now; as long as nothing was written, the same object."""
        [version] = self._now.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            self._version, self._rows = version, dict(self._read())
        return self._rows

    def reset(self) -> None:
        """Lays the account as it was at first over what it is; the sandbox goes on meanwhile."""
        with closing(sqlite3.connect(self._path, timeout=20)) as now:
            self._first.backup(now)

    def _read(self) -> Any:
        tables = self._now.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for [table] in tables:
            if table in _PASSED_OVER:
                continue
            columns = self._now.execute(f'PRAGMA table_info("{table}")').fetchall()
            names = [column["name"] for column in columns]
            key = next((one for one in names if one in _NAMED_BY), None)
            if key is None:
                [first] = [one for one in columns if one["pk"]]
                key = "" if first["type"].lower() in _COUNTED else first["name"]
            for row in self._now.execute(f'SELECT * FROM "{table}"'):  # noqa: S608 - its own
                fields = dict(row)
                yield (table.removeprefix("sandbox_"), _key(fields, key)), fields


def _key(fields: Fields, key: str) -> str:
    if key:
        within = fields.get(_NAMED_WITHIN)
        return f"{within} {fields[key]}" if within else str(fields[key])
    return json.dumps(_flat(fields), default=str)


def changes(before: Rows, after: Rows) -> list[Change]:
    """Returns the fields that differ, those within JSON by their paths."""
    if before is after:
        return []
    found = []
    for table, row in sorted(before.keys() | after.keys()):
        was, now = before.get((table, row)), after.get((table, row))
        if was == now:
            continue
        if was is None or now is None:
            found.append(Change(table, row, "*", was and "there", now and "there"))
            continue
        flat_was, flat_now = _flat(was), _flat(now)
        found += [
            Change(table, row, name, flat_was.get(name), flat_now.get(name))
            for name in sorted(flat_was.keys() | flat_now.keys())
            if flat_was.get(name) != flat_now.get(name)
        ]
    return found


def differences(before: Rows, after: Rows, besides: tuple[str, ...] = ()) -> list[Change]:
    """Returns the changes but for rows that were removed and are there again under another id,
    for texts that were not there and are empty now, and for fields whose names end in one of
    `besides`."""
    found = [
        one
        for one in changes(before, after)
        if (one.before, one.after) != (None, "") and not one.field.endswith(besides)
    ]
    gone = [one for one in found if one.field == "*" and one.after is None]
    made = [one for one in found if one.field == "*" and one.before is None]
    contents = [_flat(after[one.table, one.row], besides) for one in made]
    for one in gone:
        content = _flat(before[one.table, one.row], besides)
        if content in contents:
            again = made.pop(contents.index(content))
            contents.remove(content)
            found = [each for each in found if each not in (one, again)]
    return found


def _flat(fields: Fields, besides: tuple[str, ...] = ()) -> Fields:
    flat: Fields = {}
    for name, value in fields.items():
        if name in _DERIVED or name.endswith(_MOMENT):
            continue
        flat |= _paths(name, value)
    return {name: value for name, value in flat.items() if not name.endswith(besides)}


def _paths(name: str, value: Any) -> Fields:
    if isinstance(value, str) and value[:1] in {"{", "["}:
        try:
            value = json.loads(value)
        except ValueError:
            return {name: value}
    if isinstance(value, dict):
        found: Fields = {}
        for key, inner in value.items():
            found |= _paths(f"{name}.{key}", inner)
        return found
    return {name: value}
