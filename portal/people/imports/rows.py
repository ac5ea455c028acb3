"""Rows to what they ask for, held to the contract: all that is wrong is told at once."""

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
from portal.people.imports.columns import COLUMNS, REMOVALS, TRANSFERS, Mapping
from portal.people.imports.values import text_of, value_of
from portal.ui.sheets import Row, Table

_PROFILE = frozenset(UserUpdate.model_fields)
_CREATED_WITH = ("first_name", "last_name", "type")
_EMAIL: TypeAdapter[str] = TypeAdapter(Email)
_PASSWORD: TypeAdapter[str] = TypeAdapter(NewPassword)
# What has to be one person's alone.
_UNIQUE = ("pmi", "vanity_name")


@dataclass
class Wanted:
    """What a row asks for. `do` is empty where it is to create or to change.

    `profile` holds what a PATCH would change, by the interface's names. `row` are the cells as
    they came, but for secrets. `problems` are pairs of a heading and what is wrong.
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
        """Who is meant: addresses are compared without regard to case."""
        return self.email.casefold()

    def creation(self) -> NewUser:
        """The person to create. Raises pydantic's `ValidationError`."""
        given = {name: self.profile[name] for name in _CREATED_WITH if name in self.profile}
        given.setdefault("type", self.licence)
        if self.password:
            given["password"] = self.password
        return NewUser(action=self.way, user_info=NewUserInfo(email=self.email, **given))

    def beside_creation(self) -> dict[str, Any]:
        """What of the profile the creation does not set."""
        return {name: v for name, v in self.profile.items() if name not in _CREATED_WITH}


def interpret(table: Table, mapping: Mapping) -> Iterator[Wanted]:
    """What each row asks for; a second row for the same person is a problem of the second."""
    met: dict[tuple[str, str], int] = {}
    for row in table.rows:
        wanted = _Reader(row, mapping).read()
        _note_repetition(wanted, mapping, met)
        yield wanted


def _note_repetition(wanted: Wanted, mapping: Mapping, met: dict[tuple[str, str], int]) -> None:
    unique = {"email": wanted.key}
    unique |= {name: str(wanted.profile.get(name) or "").casefold() for name in _UNIQUE}
    for name, value in unique.items():
        if not value:
            continue
        first = met.setdefault((name, value), wanted.number)
        if first != wanted.number:
            heading = mapping.heading(name)
            wanted.problems.append((heading, f"Row {first} has the same: {value}."))


class _Reader:
    """Reads one row."""

    def __init__(self, row: Row, mapping: Mapping) -> None:
        self._row = row
        self._mapping = mapping
        self._wanted = Wanted(row.number)
        self._told: dict[str, Any] = {}

    def read(self) -> Wanted:
        wanted = self._wanted
        if self._row.problem:
            wanted.problems.append(("", self._row.problem))
        self._read_cells()
        wanted.email = str(self._told.pop("email", ""))
        self._read_action()
        if wanted.email:
            self._check(_EMAIL, wanted.email, "email")
        else:
            self._problem("email", "The address is missing: nobody is meant.")
        if wanted.do in REMOVALS:
            self._read_removal()
        else:
            self._read_person()
        return wanted

    def _read_cells(self) -> None:
        for name, cell in zip(self._mapping.names, self._row.cells, strict=True):
            if not name:
                continue
            column = COLUMNS[name]
            text = text_of(column, cell)
            if not column.is_secret:
                self._wanted.row[name] = cell.strip()
            if not text:
                continue
            try:
                fill = self._mapping.fill_zeros
                self._told[name] = value_of(column, text, fill_zeros=fill)
            except ValueError as error:
                self._problem(name, str(error))

    def _read_action(self) -> None:
        wanted, told = self._wanted, self._told
        action = told.pop("action", "")
        way = told.pop("create_action", None)
        if isinstance(action, CreateAction):
            if way not in (None, action):
                self._problem("create_action", f"“action” says {action.value}, this another way.")
            action, way = "create", action
        wanted.do = action
        wanted.way = way or CreateAction(self._mapping.way or CreateAction.CREATE)
        wanted.licence = LicenceType(self._mapping.licence or LicenceType.BASIC)

    def _read_person(self) -> None:
        wanted, told = self._wanted, self._told
        for name in ("transfer_email", *TRANSFERS):
            if told.pop(name, None):
                self._problem(name, "This goes with delete and disassociate alone.")
        wanted.status = told.pop("status", None)
        if wanted.do in ("activate", "deactivate"):
            wanted.status = UserStatus.ACTIVE if wanted.do == "activate" else UserStatus.INACTIVE
            return
        wanted.password = str(told.pop("password", ""))
        if wanted.password:
            self._check(_PASSWORD, wanted.password, "password")
        wanted.groups = told.pop("groups", [])
        wanted.im_groups = told.pop("im_groups", [])
        wanted.profile = {name: told[name] for name in told if name in _PROFILE}
        self._check_model(UserUpdate, wanted.profile)

    def _read_removal(self) -> None:
        told = self._told
        given = {name: told[name] for name in ("transfer_email", *TRANSFERS) if name in told}
        flags = [given.get(name) for name in TRANSFERS]
        if given.get("transfer_email"):
            self._check(_EMAIL, given["transfer_email"], "transfer_email")
            if all(flag is None for flag in flags):
                given |= dict.fromkeys(TRANSFERS, True)
            elif not any(flags):
                self._problem("transfer_email", "Nothing is marked to be transferred.")
        elif any(flags):
            self._problem("transfer_email", "Name the colleague who gets it.")
        wanted = self._wanted
        wanted.removal = self._check_model(UserRemoval, {"action": wanted.do, **given})

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
        self._wanted.problems.append((self._mapping.heading(name), words))
