"""Reads and validates the rows of an import; all errors of a row are reported together."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter, ValidationError

from portal.contract.model import Model
from portal.contract.problems import problems
from portal.contract.types import Email, NewPassword
from portal.contract.users import (
    CreateAction,
    LicenceType,
    NewUser,
    NewUserInfo,
    UserRemoval,
    UserStatus,
    UserUpdate,
)
from portal.imports.sheets import Sheet, SheetRow
from portal.people.imports.columns import COLUMNS, REMOVALS, TRANSFERS, Mapping
from portal.people.imports.values import text_of, value_of
from portal.translation import gettext as _

_PROFILE = frozenset(UserUpdate.model_fields)
_CREATED_WITH = ("first_name", "last_name", "type")
_EMAIL: TypeAdapter[str] = TypeAdapter(Email)
_PASSWORD: TypeAdapter[str] = TypeAdapter(NewPassword)
# What has to be one person's alone.
_UNIQUE = ("pmi", "vanity_name")


@dataclass
class PersonImportRow:
    """The request of a row. `do` is empty if it is to create or to change.

    `profile` has the fields that a PATCH would change, by the interface's names. `row` are the
    cells as they came, but for secrets. `problems` are pairs of a heading and the problem in words.
    """

    number: int
    email: str = ""
    do: str = ""
    way: CreateAction = CreateAction.CREATE
    licence: LicenceType = LicenceType.BASIC
    profile: dict[str, Any] = field(default_factory=dict)
    password: str = field(default="", repr=False)
    status: UserStatus | None = None
    groups: list[str] = field(default_factory=list)
    im_groups: list[str] = field(default_factory=list)
    removal: UserRemoval | None = None
    row: dict[str, str] = field(default_factory=dict)
    problems: list[tuple[str, str]] = field(default_factory=list)

    @property
    def key(self) -> str:
        """Returns the person's key: addresses are compared without regard to case."""
        return self.email.casefold()

    def creation(self) -> NewUser:
        """The person to create. Raises pydantic's `ValidationError`."""
        given = {name: self.profile[name] for name in _CREATED_WITH if name in self.profile}
        given.setdefault("type", self.licence)
        if self.password:
            given["password"] = self.password
        return NewUser(action=self.way, user_info=NewUserInfo(email=self.email, **given))

    def beside_creation(self) -> dict[str, Any]:
        """Returns the fields of the profile that the creation does not set."""
        return {name: v for name, v in self.profile.items() if name not in _CREATED_WITH}


def interpret(table: Sheet, mapping: Mapping) -> Iterator[PersonImportRow]:
    """Yields the request of each row; a second row for a person is a problem of the second."""
    met: dict[tuple[str, str], int] = {}
    for row in table.rows:
        import_row = _Reader(row, mapping).read()
        _note_repetition(import_row, mapping, met)
        yield import_row


def _note_repetition(
    import_row: PersonImportRow, mapping: Mapping, met: dict[tuple[str, str], int]
) -> None:
    unique = {"email": import_row.key}
    unique |= {name: str(import_row.profile.get(name) or "").casefold() for name in _UNIQUE}
    for name, value in unique.items():
        if not value:
            continue
        first = met.setdefault((name, value), import_row.number)
        if first != import_row.number:
            heading = mapping.heading(name)
            import_row.problems.append(
                (
                    heading,
                    _("Row %(first)s has the same: %(value)s.") % {"first": first, "value": value},
                )
            )


class _Reader:
    """Reads one row."""

    def __init__(self, row: SheetRow, mapping: Mapping) -> None:
        self._row = row
        self._mapping = mapping
        self._import_row = PersonImportRow(row.number)
        self._values: dict[str, Any] = {}

    def read(self) -> PersonImportRow:
        import_row = self._import_row
        if self._row.problem:
            import_row.problems.append(("", self._row.problem))
        self._read_cells()
        import_row.email = str(self._values.pop("email", ""))
        self._read_action()
        if import_row.email:
            self._check(_EMAIL, import_row.email, "email")
        else:
            self._problem("email", _("Email is missing."))
        if import_row.do in REMOVALS:
            self._read_removal()
        else:
            self._read_person()
        return import_row

    def _read_cells(self) -> None:
        for name, cell in zip(self._mapping.names, self._row.cells, strict=True):
            if not name:
                continue
            column = COLUMNS[name]
            text = text_of(column, cell)
            if not column.is_secret:
                self._import_row.row[name] = cell.strip()
            if not text:
                continue
            try:
                fill = self._mapping.fill_zeros
                self._values[name] = value_of(column, text, fill_zeros=fill)
            except ValueError as error:
                self._problem(name, str(error))

    def _read_action(self) -> None:
        import_row, data = self._import_row, self._values
        action = data.pop("action", "")
        way = data.pop("create_action", None)
        if isinstance(action, CreateAction):
            if way not in (None, action):
                self._problem(
                    "create_action",
                    _("“action” is %(value)s, which is different from this cell.")
                    % {"value": action.value},
                )
            action, way = "create", action
        import_row.do = action
        import_row.way = way or CreateAction(self._mapping.way or CreateAction.CREATE)
        import_row.licence = LicenceType(self._mapping.licence or LicenceType.BASIC)

    def _read_person(self) -> None:
        import_row, data = self._import_row, self._values
        for name in ("transfer_email", *TRANSFERS):
            if data.pop(name, None):
                self._problem(name, _("Only for delete and disassociate."))
        import_row.status = data.pop("status", None)
        if import_row.do in ("activate", "deactivate"):
            import_row.status = (
                UserStatus.ACTIVE if import_row.do == "activate" else UserStatus.INACTIVE
            )
            return
        import_row.password = str(data.pop("password", ""))
        if import_row.password:
            self._check(_PASSWORD, import_row.password, "password")
        import_row.groups = data.pop("groups", [])
        import_row.im_groups = data.pop("im_groups", [])
        import_row.profile = {name: data[name] for name in data if name in _PROFILE}
        self._check_model(UserUpdate, import_row.profile)

    def _read_removal(self) -> None:
        data = self._values
        given = {name: data[name] for name in ("transfer_email", *TRANSFERS) if name in data}
        flags = [given.get(name) for name in TRANSFERS]
        if given.get("transfer_email"):
            self._check(_EMAIL, given["transfer_email"], "transfer_email")
            if all(flag is None for flag in flags):
                given |= dict.fromkeys(TRANSFERS, True)
            elif not any(flags):
                self._problem("transfer_email", _("Nothing is selected to be transferred."))
        elif any(flags):
            self._problem("transfer_email", _("Name the colleague who gets it."))
        import_row = self._import_row
        import_row.removal = self._check_model(UserRemoval, {"action": import_row.do, **given})

    def _check(self, adapter: TypeAdapter[str], value: str, name: str) -> None:
        try:
            adapter.validate_python(value)
        except ValidationError as error:
            self._problems(name, (problem.message for problem in problems(error)))

    def _check_model(self, model: type[Model], values: dict[str, Any]) -> Any:
        try:
            return model.model_validate(values)
        except ValidationError as error:
            for problem in problems(error):
                self._problem(problem.field, problem.message)
        return None

    def _problems(self, name: str, words: Iterable[str]) -> None:
        for each in words:
            self._problem(name, each)

    def _problem(self, name: str, words: str) -> None:
        self._import_row.problems.append((self._mapping.heading(name), words))
